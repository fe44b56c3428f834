/// Marks stacked on a letter (combining characters).
///
/// Whatever compares two texts, hashes one, or asks how it ends brings it into a normal form, which sorts the
/// marks behind each letter, in time quadratic in how many there are: of 30,000 in a row, which 60 KB hold,
/// one `==` takes a quarter of a second, and one `insert` into a set half a second. So text of strangers with
/// more in a row than any text has gets no further than where it enters.
public enum StackedMarks {
  /// In a row. No text that means something has more than thirty (UAX #15, Stream-Safe Text Format); sorting
  /// so many is nothing.
  public static let most = 100

  /// How many marks the scalar is where text is brought into a normal form; 0: a row of them ends with it.
  public static func count(of scalar: Unicode.Scalar) -> Int {
    switch scalar {
    // Each stands for two. The first three are none by themselves.
    case "\u{F73}", "\u{F75}", "\u{F81}", "\u{344}": 2
    default: scalar.properties.canonicalCombiningClass == .notReordered ? 0 : 1
    }
  }

  /// NB: of `String`, and not of any text: each header of each request comes by here, and other modules would
  /// call a generic function that knows nothing of what it reads.
  public static func areTooMany(in text: String) -> Bool {
    // No mark begins with a lower byte (U+0300): nearly every text needs no second look.
    let bytes = text.utf8
    guard bytes.withContiguousStorageIfAvailable({ $0.contains { $0 >= 0xCC } }) ?? true else { return false }
    var row = 0
    for scalar in text.unicodeScalars {
      let marks = count(of: scalar)
      row = marks == 0 ? 0 : row + marks
      if row > most { return true }
    }
    return false
  }
}
