internal import Contract
internal import Foundation

/// Names and values as a form or an address has them (application/x-www-form-urlencoded).
public struct FormFields: Sendable, Equatable {
  private var values: [String: String] = [:]

  public init() {}

  /// A name that comes twice has no value: which of the two was meant must not depend on who reads it.
  public init(_ text: String) {
    var seen: Set<String> = []
    for pair in text.split(atByte: UInt8(ascii: "&"), maxSplits: 64).prefix(64) {
      let parts = pair.split(atByte: UInt8(ascii: "="), maxSplits: 1, omittingEmpty: false)
      guard let name = Self.decoded(parts[0]) else { continue }
      let isFirst = seen.insert(name).inserted
      values[name] = isFirst && parts.count == 2 ? Self.decoded(parts[1]) : nil
    }
  }

  public subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// Only characters that a cookie may have.
  public var text: String {
    values.sorted { $0.key < $1.key }.map { "\(Route.encoded($0.key))=\(Route.encoded($0.value))" }
      .joined(separator: "&")
  }

  private static func decoded(_ text: Substring) -> String? {
    let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    let value = String(decoding: spaced, as: UTF8.self).removingPercentEncoding
    // NB: a zero byte would end the text for one database and break the other; comparing many marks takes
    // seconds.
    return value.flatMap { $0.utf8.contains(0) || StackedMarks.areTooMany(in: $0) ? nil : $0 }
  }
}
