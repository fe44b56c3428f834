internal import Contract
internal import Foundation
internal import NIOHTTP1

/// A request's head in which every text can be compared in no time.
///
/// Texts that have more marks on a letter than any text has stand for nothing that is known here, so U+FFFD is as good: an
/// address of nothing, a token of nobody, a type of nothing that is taken.
enum ComparableHead {
  private static let nothing = "\u{FFFD}"

  /// Nil: it is one already, as of all people.
  static func made(of head: HTTPRequestHead) -> HTTPRequestHead? {
    let isAddress = isComparable(address: head.uri)
    guard !isAddress || head.headers.contains(where: { StackedMarks.areTooMany(in: $0.value) }) else {
      return nil
    }
    var made = head
    if !isAddress { made.uri = "/" + Route.encoded(nothing) }
    made.headers = HTTPHeaders(
      head.headers.map { ($0.name, StackedMarks.areTooMany(in: $0.value) ? nothing : $0.value) })
    return made
  }

  /// As it is read later: with its percent signs decoded.
  private static func isComparable(address: String) -> Bool {
    guard !StackedMarks.areTooMany(in: address) else { return false }
    // So many marks take six bytes each at least.
    guard address.utf8.count > 6 * StackedMarks.most, address.utf8.contains(UInt8(ascii: "%")) else {
      return true
    }
    return address.removingPercentEncoding.map { !StackedMarks.areTooMany(in: $0) }
      ?? isComparableInParts(address)
  }

  /// Of an address of which one part cannot be decoded, others can.
  private static func isComparableInParts(_ address: String) -> Bool {
    let isEnd = { (byte: UInt8) in
      [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "=")].contains(byte)
    }
    return address.utf8.split(whereSeparator: isEnd).allSatisfy { part in
      !(Substring(part).removingPercentEncoding.map { StackedMarks.areTooMany(in: $0) } ?? false)
    }
  }
}
