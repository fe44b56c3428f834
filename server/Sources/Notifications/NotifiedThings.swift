public import Contract
public import Platform

/// Somebody who did something, with a name.
public struct NotifiedPerson: Sendable, Equatable {
  public var author: Author
  public var atMs: Int64

  public init(_ author: Author, atMs: Int64) {
    self.author = author
    self.atMs = atMs
  }
}

/// A comment as its reader may have it.
public struct NotifiedComment: Sendable, Equatable {
  public var text: String
  public var parentID: String?
  /// Nil: a guest.
  public var author: Author?
  /// The reader wrote it, as an account or as the guest that the account was.
  public var isOwn: Bool

  public init(text: String, parentID: String? = nil, author: Author? = nil, isOwn: Bool = false) {
    self.text = text
    self.parentID = parentID
    self.author = author
    self.isOwn = isOwn
  }
}

/// Where what is told of is kept. Each is asked when the list is read, and says what there is then.
public protocol NotifiedThings: Sendable {
  /// Those of these clips that can be watched by the viewer: as others see them, and their own whatever the
  /// visibility, unless it was removed.
  func clips(
    _ ids: [String], seenBy viewer: String, in transaction: any Transaction
  ) throws -> [String: Clip]
  /// The captions of those of these clips that are the viewer's and could not be published.
  func failures(
    _ ids: [String], of viewer: String, in transaction: any Transaction
  ) throws -> [String: String]
  /// Nil: it is about somebody else, or not any more.
  func decision(
    _ id: String, of account: String, in transaction: any Transaction
  ) throws -> NotificationDecision?
  /// False: it is on again, or gone.
  func isSwitchedOff(
    webhook id: String, of account: String, in transaction: any Transaction
  ) throws -> Bool
  /// Nil: it is gone, cannot be seen, or the viewer is kept apart from it.
  func comment(
    _ id: String, for viewer: String, in transaction: any Transaction
  ) throws -> NotifiedComment?
  /// People with names who like a clip, newest first, without this one; at most `limit`.
  func likers(
    ofClip id: String, except viewer: String, limit: Int, in transaction: any Transaction
  ) throws -> [NotifiedPerson]
  func likers(
    ofComment id: String, except viewer: String, limit: Int, in transaction: any Transaction
  ) throws -> [NotifiedPerson]
  /// Those who have followed the author since a time of this day.
  func followers(
    of author: String, since day: Range<Int64>, limit: Int, in transaction: any Transaction
  ) throws -> [NotifiedPerson]
  /// Who follows the author, guests among them, in the order of ids behind this one (empty: from the start).
  func followers(
    of author: String, behind id: String, limit: Int, in transaction: any Transaction
  ) throws -> [String]
}
