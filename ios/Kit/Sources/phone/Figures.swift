import Foundation
import MediaProxy

/// What an evening came to.
struct Figures: Sendable {
  /// What only the host has.
  struct Host: Sendable {
    let usage: ProxyUsage
    let restored: Int
    let skipped: Int
    let largestMemory: Int
    let disk: Int
    let resident: Int
    let residentAtHundred: Int
  }

  /// Whose: the core's, or a plain pool's.
  let phone: String
  let link: String
  let swipes: Int
  let waits: Inspector.Waits
  let left: Int
  let stalls: Int
  let lateDecoders: Int
  let requests: Int
  let bytes: Int
  let unseen: Int
  var host: Host?
  var violations: [String: Int] = [:]

  /// Of this process; 0 where the system does not tell.
  static var residentBytes: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4_096
  }

  var lines: [String] {
    [
      "\(link), \(phone): \(swipes) swipes",
      "  flick to first segment stored      \(Self.spread(waits.stored))",
      "  flick to first segment at player   \(Self.spread(waits.player)), \(left) left before",
      "  flick to first frame decoded       \(Self.spread(waits.frame))",
      "  stalls \(stalls), decoders late \(lateDecoders), clips skipped \(host?.skipped ?? 0)",
      "  requests \(requests), \(Self.megabytes(bytes)) over the link, \(Self.megabytes(unseen)) never shown",
    ] + (host.map(Self.lines) ?? [])
      + violations.sorted { $0.key < $1.key }.map { "  BROKEN: \($0.key), \($0.value) times" }
  }

  private static func lines(_ host: Host) -> [String] {
    let usage = host.usage
    return [
      "  proxy: \(usage.requests) requests, segments \(usage.stored) stored, \(usage.joined) joined, "
        + "\(usage.awaited) awaited; from disk at the start \(host.restored)",
      "  store \(megabytes(host.largestMemory)) at most, disk \(megabytes(host.disk)), "
        + "resident \(megabytes(host.resident))"
        + (host.residentAtHundred > 0 ? " (\(megabytes(host.residentAtHundred)) at swipe 100)" : ""),
    ]
  }

  static let tableHead = """
    | link | phone | swipes | first segment at the player p50 ms | p95 | max | left before | stalls | decoders late \
    | requests | MB | never shown MB |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    """

  /// A row of `benchmarks/README.md`.
  var row: String {
    let waits = waits.player
    let cells: [String] =
      [link, phone, "\(swipes)"]
      + [0.5, 0.95, 1].map { share in Self.quantile(waits, share).map { "\($0)" } ?? "–" }
      + ["\(left)", "\(stalls)", "\(lateDecoders)", "\(requests)", Self.decimal(bytes), Self.decimal(unseen)]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  static let memoryHead = """
    | link | swipes | store MB at most | disk MB | resident MB at swipe 100 | at the end | words broken |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: |
    """

  var memoryRow: String {
    guard let host else { return "" }
    let sizes = [host.largestMemory, host.disk, host.residentAtHundred, host.resident].map(Self.decimal)
    return "| " + ([link, "\(swipes)"] + sizes + ["\(violations.count)"]).joined(separator: " | ") + " |"
  }

  var p95: Int64? { Self.quantile(waits.player, 0.95) }

  private static func decimal(_ bytes: Int) -> String { "\(Double(bytes / 100_000) / 10)" }

  static func megabytes(_ bytes: Int) -> String { "\(Double(bytes / 10_000) / 100) MB" }

  private static func quantile(_ values: [Int64], _ share: Double) -> Int64? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  private static func spread(_ values: [Int64]) -> String {
    guard let half = quantile(values, 0.5), let most = quantile(values, 0.95), let max = values.max() else {
      return "none"
    }
    return "p50 \(half) ms, p95 \(most) ms, max \(max) ms (\(values.count))"
  }
}
