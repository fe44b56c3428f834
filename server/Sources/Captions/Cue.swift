/// What is shown of a clip's captions from one instant to another, in milliseconds from the clip's start.
/// `endMs` is behind `startMs`, and the text is never empty.
public struct Cue: Sendable, Equatable {
  public var startMs: Int
  public var endMs: Int
  public var text: CueText

  public init(startMs: Int, endMs: Int, text: CueText) {
    self.startMs = startMs
    self.endMs = endMs
    self.text = text
  }
}

/// Plain text of one or more lines, of which pieces may be emphasised or have a speaker. Nothing else that a
/// caption file can say about its looks is kept.
public struct CueText: Sendable, Equatable {
  public struct Style: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let italic = Style(rawValue: 1)
    public static let bold = Style(rawValue: 2)
    public static let underline = Style(rawValue: 4)
  }

  /// Neighbours differ in style or voice. Lines are parted by U+000A; none is empty or has blanks at its
  /// ends.
  public struct Run: Sendable, Equatable {
    public var text: String
    public var style: Style
    public var voice: String?
  }

  public var runs: [Run]

  public var plain: String { runs.map(\.text).joined() }
}
