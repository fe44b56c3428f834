internal import Contract
internal import Foundation
internal import NIOHTTP1

/// A request's head in which every text can be compared in no time, and all of it be looked through.
///
/// Texts that have more marks on a letter than any text has stand for nothing that is known here, so U+FFFD
/// is as good: an id of nothing, a token of nobody, a type of nothing that is taken. The same holds for what
/// makes a head a large one: each byte of a field is checked once more by HTTPTypes, 27 ns for each.
enum ComparableHead {
  private static let nothing = "\u{FFFD}"
  private static let encodedNothing = "%EF%BF%BD"
  /// In bytes: of all fields together, and of one that stays as it is when they are more than that.
  static let fieldBytes = 32 * 1024
  static let sparedBytes = 256

  /// Nil: it is one already, as of all people.
  static func made(of head: HTTPRequestHead) -> HTTPRequestHead? {
    let address = address(head.uri)
    let isLarge = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } > fieldBytes
    guard address != nil || isLarge || head.headers.contains(where: { StackedMarks.areTooMany(in: $0.value) })
    else { return nil }
    var made = head
    if let address { made.uri = address }
    made.headers = HTTPHeaders(
      head.headers.compactMap { name, value in
        if isLarge && name.utf8.count > sparedBytes { return nil }
        let isNothing = isLarge && value.utf8.count > sparedBytes || StackedMarks.areTooMany(in: value)
        return (name, isNothing ? nothing : value)
      })
    return made
  }

  /// Each part of it by itself, as it is read later: with its percent signs decoded. The others stay, so that
  /// what was asked for answers as it does when that part is wrong. Nil: there is none that takes long to
  /// compare.
  private static func address(_ text: String) -> String? {
    // So many marks take six bytes each at least.
    let isLong = text.utf8.count > 6 * StackedMarks.most && text.utf8.contains(UInt8(ascii: "%"))
    guard isLong || StackedMarks.areTooMany(in: text) else { return nil }
    var (out, rest, isChanged) = ("", text.utf8[...], false)
    while !rest.isEmpty {
      let part = rest.prefix { !ends.contains($0) }
      let written = String(Substring(part))
      let isHeaped = StackedMarks.areTooMany(in: written.removingPercentEncoding ?? written)
      isChanged = isChanged || isHeaped
      out += isHeaped ? encodedNothing : written
      rest = rest[part.endIndex...]
      if let end = rest.popFirst() { out.unicodeScalars.append(Unicode.Scalar(end)) }
    }
    return isChanged ? out : nil
  }

  private static let ends: [UInt8] = Array("/?&=".utf8)
}
