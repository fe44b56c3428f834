/// Something that an account may want to hear of at once.
public struct LiveNotice: Sendable, Equatable {
  /// `LiveEvent.like` and so on.
  public var kind: String
  /// The viewer who did it.
  public var actorID: String
  public var clipID: String?
  /// What the kind is about beside a clip: the id of a message or a comment, a reaction.
  public var subject: String?
  /// Notices of a kind, actor and clip are one unless this tells them apart.
  public var mark: String?

  public init(
    kind: String, actorID: String, clipID: String? = nil, subject: String? = nil, mark: String? = nil
  ) {
    self.kind = kind
    self.actorID = actorID
    self.clipID = clipID
    self.subject = subject
    self.mark = mark
  }
}

/// Where a feature leaves what an account is to hear of.
public protocol LiveNotices: Sendable {
  /// Becomes true with the transaction, and is told soon after its commit wherever the account listens. The
  /// same notice again, as by a like that was taken back and given anew, is kept once; what an account did
  /// itself is not kept. False: it is not, since it was there or is none.
  @discardableResult
  func append(to account: String, _ notice: LiveNotice, in transaction: any Transaction) throws -> Bool
}
