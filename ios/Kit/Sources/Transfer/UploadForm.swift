public import Contract

/// What a person says about a clip, as the form holds it. The server checks it again.
public struct UploadForm: Codable, Equatable, Sendable {
  public var caption: String
  /// As they were typed: words with blanks, commas or `#` between them.
  public var tags: String
  public var visibility: Visibility
  /// The instant whose picture stands for the clip; `nil` until somebody has chosen one.
  public var coverMs: Int?
  /// It is for adults alone; `nil` until somebody has said so.
  public var forAdults: Bool?

  public init(
    caption: String = "", tags: String = "", visibility: Visibility = .public, coverMs: Int? = nil,
    forAdults: Bool? = nil
  ) {
    self.caption = caption
    self.tags = tags
    self.visibility = visibility
    self.coverMs = coverMs
    self.forAdults = forAdults
  }

  /// Without what lies around it; more scalars than any caption may have are not read.
  public var trimmedCaption: String {
    Self.trimmed(String(String.UnicodeScalarView(caption.unicodeScalars.prefix(Limits.detailScalars))))
  }

  /// Negative: too many.
  public var charactersLeft: Int { Limits.captionLength - trimmedCaption.count }

  public var fits: Bool {
    charactersLeft >= 0 && trimmedCaption.unicodeScalars.count <= Limits.captionScalars
  }

  /// The words of the line, each once, as the server spells them.
  public var tagWords: [String] {
    var words: [String] = []
    let line = String.UnicodeScalarView(tags.unicodeScalars.prefix(Limits.detailScalars))
    let pieces = line.split { $0.properties.isWhitespace || $0 == "," || $0 == ";" || $0 == "#" }
    for piece in pieces {
      let kept = String(String.UnicodeScalarView(piece.filter(Self.isOfTag))).lowercased()
      guard !kept.isEmpty, kept.count <= Limits.tagLength, !words.contains(kept) else { continue }
      words.append(kept)
    }
    return Array(words.prefix(Limits.tags))
  }

  /// What the server is told.
  public var details: ClipDetails {
    ClipDetails(
      caption: trimmedCaption, tags: tagWords, visibility: visibility,
      coverMs: coverMs.map { min(max($0, Limits.coverMs.lowerBound), Limits.coverMs.upperBound) },
      forAdults: forAdults)
  }

  /// The fields that differ from what the server knows; `nil` if none does.
  public func patch(of known: ClipDetails?) -> ClipDetails? {
    let wanted = details
    guard let known else { return wanted }
    let patch = ClipDetails(
      caption: known.caption == wanted.caption ? nil : wanted.caption,
      tags: known.tags == wanted.tags ? nil : wanted.tags,
      visibility: known.visibility == wanted.visibility ? nil : wanted.visibility,
      coverMs: known.coverMs == wanted.coverMs ? nil : wanted.coverMs,
      forAdults: known.forAdults == wanted.forAdults ? nil : wanted.forAdults)
    return patch == ClipDetails() ? nil : patch
  }

  private static func isOfTag(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
