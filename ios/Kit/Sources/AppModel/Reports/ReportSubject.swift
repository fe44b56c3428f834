public import Contract

/// Something that can be reported.
public struct ReportSubject: Equatable, Sendable {
  public let kind: ReportedKind
  public let id: String
  /// Whose it is, who could be blocked besides; `nil`: a guest, or somebody who is blocked already.
  public let person: Author?

  private init(_ kind: ReportedKind, _ id: String, of person: Author?) {
    self.kind = kind
    self.id = id
    self.person = person
  }

  public static func clip(_ clip: Clip) -> Self { Self(.clip, clip.id, of: clip.author) }

  public static func comment(_ comment: ClipComment) -> Self {
    Self(.comment, comment.id, of: comment.author)
  }

  public static func message(_ message: Message, from peer: Author) -> Self {
    Self(.message, message.id, of: peer)
  }

  public static func person(_ author: Author, isBlocked: Bool) -> Self {
    Self(.person, author.id, of: isBlocked ? nil : author)
  }

  var destination: Router.Destination { .report(kind, of: id) }
  /// Where a draft of the report belongs.
  var draftPlace: String { "report/\(kind.rawValue)/\(id)" }
}
