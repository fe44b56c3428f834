public import Contract

/// How somebody's picture stands in the column `picture` of `authors`: its colour without `#`, the large and
/// the small file, with a space between them. A page has dozens of authors, and this is read many times
/// faster than JSON.
public enum PictureColumn {
  /// `color`: six hexadecimal digits.
  public static func text(color: String, large: BlobName, small: BlobName) -> String {
    "\(color) \(large) \(small)"
  }

  /// Nil: it is none.
  public static func read(_ text: String) -> AuthorPicture? {
    let parts = text.split(atByte: UInt8(ascii: " "))
    guard parts.count == 3 else { return nil }
    let (large, small) = (String(parts[1]), String(parts[2]))
    return AuthorPicture(
      color: "#\(parts[0])", largeUrl: Route.media.path(large), smallUrl: Route.media.path(small))
  }

  /// The same as JSON of the wire, behind the other fields of an author; nothing for what is none.
  public static func write(utf8 text: UnsafeRawBufferPointer, to out: inout [UInt8]) {
    let parts = text.split(separator: UInt8(ascii: " "))
    guard parts.count == 3 else { return }
    out += ##","picture":{"color":"#"##.utf8
    out += parts[0]
    out += #"","large_url":"\#(folder)"#.utf8
    out += parts[1]
    out += #"","small_url":"\#(folder)"#.utf8
    out += parts[2]
    out += #""}"#.utf8
  }

  private static let folder = Route.media.path("")
}

extension Row {
  /// Somebody, by the columns `handle`, `name` and `picture`.
  ///
  /// NB: a statement without the last one tells of nobody's picture, and of no mistake either.
  public func author(_ id: String) throws -> Author {
    Author(
      id: id, handle: try text("handle"), name: try text("name"),
      picture: optionalText("picture").flatMap(PictureColumn.read))
  }
}
