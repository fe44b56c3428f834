internal import Foundation
public import Platform

/// What a process of workers tells its server: a line of words, such as `ended transcode done 1500000000`.
public enum WorkerReport: Sendable, Equatable {
  case ended(JobEnd)
  /// Clips or authors have changed, which the server keeps pages of.
  case changed

  var line: String {
    switch self {
    case .ended(let end):
      "ended \(end.kind) \(end.outcome.rawValue) \(max(0, Int(clamping: end.took / .nanoseconds(1))))"
    case .changed: "changed"
    }
  }

  /// Nil: none. That process reads strangers' files, so what it says is held to what can be said.
  init?(_ line: some Collection<UInt8>) {
    let words = String(decoding: line, as: UTF8.self).utf8.split(separator: UInt8(ascii: " "))
      .map { String(decoding: $0, as: UTF8.self) }
    if words == ["changed"] {
      self = .changed
    } else if words.count == 4, words[0] == "ended", Self.isKind(words[1]),
      let outcome = JobEnd.Outcome(rawValue: words[2]), let took = SafeInteger.read(words[3])
    {
      self = .ended(JobEnd(kind: words[1], outcome: outcome, took: .nanoseconds(took)))
    } else {
      return nil
    }
  }

  private static func isKind(_ word: String) -> Bool {
    (1...40).contains(word.utf8.count)
      && word.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}

/// Bytes as they come, cut into lines. What is no line of ours is dropped, however long it is.
struct ReportLines {
  static let longest = 200

  private var rest: [UInt8] = []
  private var isTooLong = false

  mutating func add(_ bytes: some Sequence<UInt8>) -> [WorkerReport] {
    var reports: [WorkerReport] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isTooLong, let report = WorkerReport(rest) { reports.append(report) }
        rest = []
        isTooLong = false
      } else if rest.count < Self.longest {
        rest.append(byte)
      } else {
        isTooLong = true
      }
    }
    return reports
  }
}
