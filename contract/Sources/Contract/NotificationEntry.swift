public import Foundation

/// What an account hears of by notifications. A client leaves out kinds that it does not know.
public enum NotificationKind {
  /// People who like a clip of the account: one entry for each clip.
  public static let like = "like"
  /// People who like a comment of the account: one entry for each comment.
  public static let commentLike = "comment_like"
  /// A comment on a clip of the account, an answer to its comment, and one that names it. Of one comment an
  /// account hears once, as of `LiveEvent.ofComments`.
  public static let comment = "comment"
  public static let reply = "reply"
  public static let mention = "mention"
  /// People who follow the account: one entry for each day.
  public static let follow = "follow"
  /// A clip of the account can be seen, or will never be.
  public static let published = "published"
  public static let failed = "failed"
  /// A moderator decided something about the account or what is its own, or answered its appeal.
  public static let decision = "decision"
  /// A clip that the account had made from words is there to look at, or will never be.
  public static let generated = "generated"
  public static let generationFailed = "generation_failed"
  /// A webhook of the account was switched off, since it took nothing.
  public static let webhookOff = "webhook_off"
  /// Somebody whom the account follows has published: one entry for each person and day.
  public static let newClip = "new_clip"
  /// Told on devices alone: messages have a list of their own, and reactions pass.
  public static let message = "message"
  public static let reaction = "reaction"

  /// Those that stand in the list.
  public static let listed = [
    like, commentLike, comment, reply, mention, follow, published, failed, generated, generationFailed,
    webhookOff, newClip, decision,
  ]
  /// Those that can be switched on and off.
  public static let all = listed + [message, reaction]
  /// Those that are told on devices, unless they are switched off there.
  public static let pushed = all.filter { $0 != decision }
}

/// One thing that happened, or several that are told as one.
public struct NotificationEntry: Codable, Sendable, Equatable, Identifiable {
  /// It stays when more of the same joins.
  public var id: String
  public var kind: String
  /// When the newest of it happened.
  public var createdAt: Date
  /// It happened after the account looked at its list the last time.
  public var isNew: Bool
  /// Who did it, newest first: the first three. A guest who answered or named the account is not in here.
  public var people: [Author]
  /// How many did it; `Limits.notificationPeople` stands for as many and more. 0 where nobody did, as of
  /// `published` and `decision`. Of `new_clip`: how many clips; 10 stands for as many and more.
  public var count: Int
  /// Of all kinds but `follow`, `generation_failed` and `webhook_off`; of `decision` only where it is about a
  /// clip that its owner can still watch.
  public var clip: NotificationClip?
  /// Of `comment`, `reply` and `mention` the one that was written, of `comment_like` the account's own.
  public var comment: NotificationComment?
  /// Of `decision`: what was decided.
  public var decision: NotificationDecision?
  /// Of `generated` and `generation_failed`.
  public var generationId: String?

  public init(
    id: String, kind: String, createdAt: Date, isNew: Bool, people: [Author] = [], count: Int = 0,
    clip: NotificationClip? = nil, comment: NotificationComment? = nil, decision: NotificationDecision? = nil,
    generationId: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.isNew = isNew
    self.people = people
    self.count = count
    self.clip = clip
    self.comment = comment
    self.decision = decision
    self.generationId = generationId
  }
}

/// The decision that a notification is about. Its reasons are with all decisions.
public struct NotificationDecision: Codable, Sendable, Equatable {
  public var id: String
  public var kind: ReportedKind
  public var action: ModerationAction
  /// It is an answer to an appeal, or a decision that was taken back; nil: it stands as it was made.
  public var outcome: ReviewOutcome?

  public init(id: String, kind: ReportedKind, action: ModerationAction, outcome: ReviewOutcome? = nil) {
    self.id = id
    self.kind = kind
    self.action = action
    self.outcome = outcome
  }
}

/// The clip that a notification is about.
public struct NotificationClip: Codable, Sendable, Equatable {
  public var id: String
  public var caption: String
  /// Its cover, or else its first frame; nil where it cannot be watched, as of `failed`.
  public var picture: Cover?

  public init(id: String, caption: String, picture: Cover? = nil) {
    self.id = id
    self.caption = caption
    self.picture = picture
  }
}

/// The comment that a notification is about.
public struct NotificationComment: Codable, Sendable, Equatable {
  public var id: String
  public var text: String
  /// The comment that it answers; nil for one that stands under the clip itself.
  public var parentId: String?

  public init(id: String, text: String, parentId: String? = nil) {
    self.id = id
    self.text = text
    self.parentId = parentId
  }
}

/// One page of them, what happened last first.
public struct NotificationPage: Codable, Sendable, Equatable {
  public var items: [NotificationEntry]
  /// Where the next page starts; `null` when there is nothing more.
  public var nextCursor: String?
  /// What was there when this page was made: who has seen it sends this back.
  public var mark: String

  public init(items: [NotificationEntry], nextCursor: String?, mark: String) {
    self.items = items
    self.nextCursor = nextCursor
    self.mark = mark
  }

  // NB: written by hand, for the reason that `Page` has.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encode(nextCursor, forKey: .nextCursor)
    try container.encode(mark, forKey: .mark)
  }

  enum CodingKeys: String, CodingKey { case items, nextCursor, mark }
}

/// The body that says how far the list was seen.
public struct NotificationsSeen: Codable, Sendable, Equatable {
  /// `mark` of the page that was seen.
  public var upTo: String

  public init(upTo: String) {
    self.upTo = upTo
  }
}

/// How many entries are new.
public struct UnseenCount: Codable, Sendable, Equatable {
  /// `Limits.unseenNotifications` stands for as many and more.
  public var unseen: Int

  public init(unseen: Int) {
    self.unseen = unseen
  }
}

/// What an account wants to hear of one kind.
public struct NotificationSetting: Codable, Sendable, Equatable {
  /// One of `NotificationKind.all`.
  public var kind: String
  /// It stands in the list; nil for a kind that never does.
  public var list: Bool?
  /// It is told on devices and in browsers while nobody looks; nil for a kind that never is.
  public var push: Bool?

  public init(kind: String, list: Bool? = nil, push: Bool?) {
    self.kind = kind
    self.list = list
    self.push = push
  }
}

/// All kinds that there are, in the order of `NotificationKind.all`.
public struct NotificationSettings: Codable, Sendable, Equatable {
  public var items: [NotificationSetting]

  public init(items: [NotificationSetting]) {
    self.items = items
  }
}

/// The body that changes some of them.
public struct NotificationSettingsChange: Codable, Sendable, Equatable {
  public struct Item: Codable, Sendable, Equatable {
    public var kind: String
    /// Nil: it stays as it is.
    public var list: Bool?
    public var push: Bool?

    public init(kind: String, list: Bool? = nil, push: Bool? = nil) {
      self.kind = kind
      self.list = list
      self.push = push
    }
  }

  /// Kinds that are not in it stay as they are.
  public var items: [Item]

  public init(items: [Item]) {
    self.items = items
  }
}
