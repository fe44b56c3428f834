import Foundation
import MediaProxy

/// What an evening came to.
struct Figures: Sendable {
  let link: String
  let swipes: Int
  let waits: Inspector.Waits
  let left: Int
  let stalls: Int
  let lateDecoders: Int
  let requests: Int
  let bytes: Int
  let unseen: Int
  let usage: ProxyUsage
  let restored: Int
  let skipped: Int
  let largestMemory: Int
  let disk: Int
  let residentAtHundred: Int
  let violations: [String: Int]

  /// Of this process; 0 where the system does not tell.
  static var residentBytes: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    return (pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4_096
  }

  var lines: [String] {
    [
      "\(link): \(swipes) swipes",
      "  swipe to first segment stored      \(Self.spread(waits.stored))",
      "  swipe to first segment at player   \(Self.spread(waits.player)), \(left) left before",
      "  swipe to first frame decoded       \(Self.spread(waits.frame))",
      "  stalls \(stalls), decoders late \(lateDecoders), clips skipped \(skipped)",
      "  requests \(requests), \(Self.megabytes(bytes)) over the link, \(Self.megabytes(unseen)) never shown",
      "  proxy: \(usage.requests) requests, segments \(usage.stored) stored, \(usage.joined) joined, "
        + "\(usage.awaited) awaited; from disk at the start \(restored)",
      "  store \(Self.megabytes(largestMemory)) at most, disk \(Self.megabytes(disk)), "
        + "resident \(Self.megabytes(Self.residentBytes))"
        + (residentAtHundred > 0 ? " (\(Self.megabytes(residentAtHundred)) at swipe 100)" : ""),
    ] + violations.sorted { $0.key < $1.key }.map { "  BROKEN: \($0.key), \($0.value) times" }
  }

  private static func megabytes(_ bytes: Int) -> String {
    "\(Double(bytes / 10_000) / 100) MB"
  }

  private static func spread(_ values: [Int64]) -> String {
    guard !values.isEmpty else { return "none" }
    let sorted = values.sorted()
    let at = { (share: Double) in sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] }
    return "p50 \(at(0.5)) ms, p95 \(at(0.95)) ms, max \(sorted[sorted.count - 1]) ms (\(sorted.count))"
  }
}
