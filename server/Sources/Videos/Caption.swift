internal import Contract
internal import Platform

/// Text for people from a file name that may be anything.
public enum Caption {
  /// "IMG_2041-at the pier.mp4" becomes "IMG 2041 at the pier".
  public static func derived(from fileName: String) -> String {
    var name = Substring(fileName)
    if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
      name.utf8.distance(from: dot, to: name.endIndex) <= 5
    {
      name = name[..<dot]
    }
    return clean(
      String(name).replacing(byte: UInt8(ascii: "_"), with: " ").replacing(byte: UInt8(ascii: "-"), with: " ")
    )
  }

  public static func clean(_ text: String) -> String {
    PlainText.line(
      BoundedText.cut(text, toScalars: Limits.detailScalars), toCharacters: Limits.captionLength,
      scalars: Limits.captionScalars)
  }

  /// Handles are lower-case letters, digits, '.' and '_', 1 to 30 of them.
  public static func isHandle(_ text: String) -> Bool {
    (1...30).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
          || $0 == UInt8(ascii: "_")
      }
  }
}
