public import Accounts
internal import Comments
internal import Contract
internal import Feed
internal import Messages
public import Moderation
internal import Notifications
internal import Platform
internal import Profiles
internal import Social
internal import Videos

/// Whatever can be reported, each where it is kept. Blocks play no part: whoever has blocked somebody may
/// report them all the same.
struct ReportableThings: ReportedThings {
  let clips: ClipStore
  let owned: OwnedClips
  let comments: CommentStore
  let messages: MessageStore
  let profiles: ProfileStore
  let authors: AuthorStore
  let feed: FeedStore
  let sealing: ClipAccess

  func thing(
    _ kind: ReportedKind, _ id: String, for viewer: String, in transaction: any Transaction
  ) throws -> ReportedThing {
    switch kind {
    case .clip:
      let author = try clips.author(ofVisible: id, in: transaction)
      guard try !owned.owns(id, viewer, in: transaction) else { throw AppError(.reportOneself) }
      return ReportedThing(
        person: try person(author, in: transaction), clipID: id,
        text: try clips.words(of: id, in: transaction))
    case .comment:
      let comment = try comments.reported(id, by: viewer, in: transaction)
      return ReportedThing(person: comment.author, clipID: comment.clipID, text: comment.text)
    case .message:
      let message = try messages.reported(id, by: viewer, in: transaction)
      return ReportedThing(
        person: try person(message.sender, in: transaction), clipID: message.clipID, text: message.text)
    case .person:
      guard id != viewer else { throw AppError(.reportOneself) }
      guard let person = try person(id, in: transaction) else { throw AppError(.authorNotFound) }
      return ReportedThing(
        person: person, clipID: nil, text: try profiles.words(of: person, in: transaction))
    }
  }

  /// Nil: a guest.
  private func person(_ id: String, in transaction: any Transaction) throws -> String? {
    try profiles.people(among: [id], in: transaction).first
  }

  func gone(
    _ kind: ReportedKind, among ids: [String], in transaction: any Transaction
  ) throws -> Set<String> {
    let there =
      switch kind {
      case .clip: try clips.visible(among: ids, in: transaction)
      case .comment: try comments.there(among: ids, in: transaction)
      // Only those two can take it away.
      case .message: Set(ids)
      case .person: try profiles.people(among: ids, in: transaction)
      }
    return Set(ids).subtracting(there)
  }

  func withhold(_ kind: ReportedKind, _ id: String, in transaction: any Transaction) throws -> Bool {
    switch kind {
    case .clip:
      let isWithheld = try clips.withhold(id, in: transaction)
      transaction.afterCommit("media of withheld clips") { [sealing] in sealing.visibilityChanged() }
      return isWithheld
    case .comment: return try comments.withhold(id, in: transaction)
    case .person:
      let isWithheld = try authors.withholdPicture(of: id, in: transaction)
      transaction.afterCommit("withheld pictures") { [sealing] in sealing.visibilityChanged() }
      return isWithheld
    case .message: return false
    }
  }

  func giveBack(_ kind: ReportedKind, _ id: String, in transaction: any Transaction) throws {
    switch kind {
    case .clip:
      try clips.giveBack(id, in: transaction)
      transaction.afterCommit("media of withheld clips") { [sealing] in sealing.visibilityChanged() }
    case .comment: try comments.giveBack(id, in: transaction)
    case .person:
      try authors.giveBackPicture(of: id, in: transaction)
      transaction.afterCommit("withheld pictures") { [sealing] in sealing.visibilityChanged() }
    case .message: break
    }
  }

  func limit(
    _ kind: ReportedKind, _ id: String, _ limit: ClipLimit, in transaction: any Transaction
  ) throws -> Bool {
    guard kind == .clip else { return false }
    return switch limit {
    case .age: try clips.limitAge(of: id, in: transaction)
    case .reach: try clips.limitReach(of: id, in: transaction)
    }
  }

  func lift(
    _ limit: ClipLimit, of kind: ReportedKind, _ id: String, in transaction: any Transaction
  ) throws {
    guard kind == .clip else { return }
    switch limit {
    case .age: try clips.liftAgeLimit(of: id, in: transaction)
    case .reach: try clips.liftReachLimit(of: id, in: transaction)
    }
  }

  func clips(_ ids: [String]) async throws -> [String: Clip] {
    guard !ids.isEmpty else { return [:] }
    var clips: [String: Clip] = [:]
    for (id, clip) in try await feed.clips(forOwner: ids) {
      clips[id] = try await sealing.sealed(clip, forOwner: true)
    }
    return clips
  }
}

extension Accounts: JudgedAccounts {}

extension SocialNews: DecisionNotices {
  func decided(
    _ decisionID: String, on clipID: String?, about account: String, isAnswer: Bool,
    in transaction: any Transaction
  ) throws {
    try everywhere?.tell(
      account, decided: decisionID, on: clipID, isAnswer: isAnswer, in: transaction)
  }
}

extension NewsEverywhere {
  /// Not on devices: mail and the account's notices say it already, and what was done wrong is nobody's to
  /// read on a screen that lies on a table.
  func tell(
    _ account: String, decided decisionID: String, on clipID: String?, isAnswer: Bool,
    in transaction: any Transaction
  ) throws {
    let news = NotificationStore.News.decided(decisionID, clip: clipID, isAnswer: isAnswer)
    if try notifications.note(news, to: account, in: transaction) { try hint(account, in: transaction) }
  }
}
