public import Contract

/// What is counted on something that many people act on at once. Its raw value is a column.
public struct Counted: RawRepresentable, Sendable, Hashable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let likes = Counted(rawValue: "likes")
  public static let comments = Counted(rawValue: "comments")
  public static let shares = Counted(rawValue: "shares")
  public static let views = Counted(rawValue: "views")
  public static let replies = Counted(rawValue: "replies")
  public static let followers = Counted(rawValue: "followers")

  // What only a clip's owner is told.
  /// How many of those who are known have viewed it, each once.
  public static let viewers = Counted(rawValue: "viewers")
  public static let bookmarks = Counted(rawValue: "bookmarks")
  /// How often it was the clip on a screen, by how it was come upon there.
  public static func shown(_ source: WatchEvent.Source) -> Counted {
    Counted(rawValue: "shown_\(source.rawValue)")
  }
  /// The views among them.
  public static func viewed(_ source: WatchEvent.Source) -> Counted {
    Counted(rawValue: "viewed_\(source.rawValue)")
  }

  public static let reactions = Reaction.allCases.map(Counted.init)

  /// By its name on the wire.
  public init(_ reaction: Reaction) { self.init(rawValue: reaction.rawValue) }
}
