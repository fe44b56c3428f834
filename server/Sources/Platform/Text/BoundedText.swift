internal import Contract
internal import Foundation

/// Text of strangers, brought to a size before anything is done with it.
///
/// Bringing text into a normal form sorts the marks behind each letter, which takes time quadratic in how
/// many there are: 65,000 of them take seconds. So no more than a few stay behind each letter, and no more
/// text than is wanted.
public enum BoundedText {
  /// The marks in a row that stay: no text that means something has more (UAX #15, Stream-Safe Text Format).
  public static let marksInARow = 30

  /// As many whole scalars from the start as fit into so many bytes of UTF-8.
  public static func cut(_ text: String, toBytes most: Int) -> String {
    guard text.utf8.count > most else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: most)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text.unicodeScalars[..<end])
  }

  /// As many scalars from the start.
  public static func cut(_ text: String, toScalars most: Int) -> String {
    // No scalar has less than a byte: most texts are short enough without a look at each.
    text.utf8.count <= most ? text : String(text.unicodeScalars.prefix(most))
  }

  /// As many characters from the start as a person counts them, and no more scalars than so many.
  public static func cut(_ text: String, toCharacters most: Int, scalars: Int) -> String {
    String(cut(text, toScalars: scalars).prefix(most))
  }

  /// NFC, without what goes beyond `marksInARow`. In linear time, whatever is in it.
  public static func normalized(_ text: String) -> String {
    capped(text).precomposedStringWithCanonicalMapping
  }

  private static func capped(_ text: String) -> String {
    guard text.utf8.count > marksInARow, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var out = String.UnicodeScalarView()
    out.reserveCapacity(text.utf8.count)
    var marks = 0
    for scalar in text.unicodeScalars {
      let count = StackedMarks.count(of: scalar)
      marks = count == 0 ? 0 : marks + count
      if marks <= marksInARow { out.append(scalar) }
    }
    return String(out)
  }
}
