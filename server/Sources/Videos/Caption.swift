internal import Contract
internal import Foundation

/// Text for people from a file name that may be anything.
public enum Caption {
  /// "IMG_2041-at the pier.mp4" becomes "IMG 2041 at the pier". Controls and direction overrides are dropped,
  /// since they could make one text look like another.
  public static func derived(from fileName: String) -> String {
    var name = Substring(fileName)
    if let dot = name.lastIndex(of: "."), dot > name.startIndex,
      name.distance(from: dot, to: name.endIndex) <= 5
    {
      name = name[..<dot]
    }
    return clean(String(name).replacing("_", with: " ").replacing("-", with: " "))
  }

  public static func clean(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: out.append(" ")
      // Joiners are part of emoji and of several scripts; every other invisible character goes.
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}": break
      case .privateUse, .surrogate, .unassigned: break
      default: out.append(scalar)
      }
    }
    let words = String(out).split(separator: " ").joined(separator: " ")
    return String(words.prefix(Limits.captionLength))
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
