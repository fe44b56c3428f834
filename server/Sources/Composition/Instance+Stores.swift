internal import Accounts
public import Comments
public import Contract
public import Devices
internal import Feed
internal import Foundation
internal import Messages
public import Moderation
internal import Notifications
public import Platform
internal import Profiles
internal import Recommendations
internal import Search
internal import Social
internal import Uploads
internal import Videos
internal import Watching
public import Webhooks

/// The stores of features, each with what it needs of others.
extension Instance {
  public func comments(
    _ state: Commenting, notices: (any CommentNotices)? = nil
  ) async throws -> CommentStore {
    comments(on: database, state, cursorKeys: try await cursorKeys(), notices: notices)
  }

  func comments(
    on database: any Database, _ state: Commenting = .open, cursorKeys: TokenKeys = TokenKeys(secret: ""),
    notices: (any CommentNotices)? = nil
  ) -> CommentStore {
    CommentStore(
      database: database, time: time,
      clips: OwnedClips(uploads: uploads(UploadRules(), time: time), clips: clips, ages: ages),
      cursorKeys: cursorKeys,
      state: state, blocking: Blocks(), follows: ViewerMarks(), siteRules: siteRules, notices: notices,
      noting: recommendations(on: database))
  }

  /// For the operator, who decides nothing by it.
  public func moderation() async throws -> ModerationStore {
    FeatureContext(self, cursorKeys: try await cursorKeys()).moderation
  }

  /// `guests`: whether they may write.
  func messages(
    on database: any Database, _ guests: Commenting = .open, cursorKeys: TokenKeys = TokenKeys(secret: ""),
    notices: (any MessageNotices)? = nil, time: (any TimeSource)? = nil
  ) -> MessageStore {
    MessageStore(
      database: database, time: time ?? self.time, cursorKeys: cursorKeys, clips: clips, blocking: Blocks(),
      guests: guests, siteRules: siteRules, notices: notices)
  }

  /// `topic`: the app whose devices are told; `web`: how browsers are; nil: none is registered.
  public func devices(
    topic: String? = nil, web: (any WebReaching)? = nil, time: (any TimeSource)? = nil
  ) -> DeviceStore {
    DeviceStore(
      database: database, time: time ?? self.time, messages: messages(on: database),
      comments: comments(on: database), blocking: Blocks(), choices: notifications(on: database),
      signal: pushSignal, topic: topic, web: web)
  }

  func notifications(
    on database: any Database, cursorKeys: TokenKeys = TokenKeys(secret: ""),
    time: (any TimeSource)? = nil
  ) -> NotificationStore {
    NotificationStore(
      database: database, time: time ?? self.time, cursorKeys: cursorKeys,
      things: ThingsOfNotifications(
        feed: feed(on: database), store: clips, comments: comments(on: database)), blocking: Blocks())
  }

  /// Clips that followers hear of.
  func announcements(time: any TimeSource) -> Announcements { Announcements(time: time, queue: queue) }

  /// How everybody hears of what happens. `topic`, `web`: as for `devices`.
  func news(
    live: any LiveNotices, topic: String? = nil, web: (any WebReaching)? = nil,
    time: (any TimeSource)? = nil
  ) -> NewsEverywhere {
    NewsEverywhere(
      live: live, notifications: notifications(on: database, time: time),
      devices: devices(topic: topic, web: web, time: time), webhooks: webhooks(time: time))
  }

  /// Endpoints that hear of what happens. `owners`: who tells people of theirs; nil: nobody.
  public func webhooks(
    on other: (any Database)? = nil, time: (any TimeSource)? = nil, owners: (any WebhookTelling)? = nil
  ) -> WebhookStore {
    let time = time ?? self.time
    return WebhookStore(
      database: other ?? database, time: time, setup: webhookSetup, accounts: VerifiedSignIns(),
      polls: EarlierPolls(time: time), owners: owners)
  }

  func feed(
    on database: any Database, _ state: Commenting = .open, time: (any TimeSource)? = nil,
    cursorKeys: TokenKeys = TokenKeys(secret: "")
  ) -> FeedStore {
    FeedStore(
      database: database, time: time ?? self.time, cursorKeys: cursorKeys, comments: state,
      seen: watching(), marks: ViewerMarks(), blocking: Blocks(), ages: ages,
      ordering: recommendations(on: database, time: time))
  }

  func recommendations(
    on database: any Database, time: (any TimeSource)? = nil
  ) -> RecommendationStore {
    RecommendationStore(
      database: database, time: time ?? self.time, blocking: Blocks(), ages: ages, state: ranking)
  }

  /// `state` as for the feed: clips that are found say it too.
  func search(
    on database: any Database, _ state: Commenting = .open, cursorKeys: TokenKeys = TokenKeys(secret: "")
  ) -> SearchStore {
    SearchStore(
      database: database, cursorKeys: cursorKeys,
      telling: feed(on: database, state, cursorKeys: cursorKeys), people: people)
  }

  private var people: PersonReading { PersonReading(follows: ViewerMarks(), blocking: Blocks()) }

  /// `state` as for the feed.
  func profiles(
    on database: any Database, _ state: Commenting = .open, cursorKeys: TokenKeys = TokenKeys(secret: "")
  ) -> ProfileStore {
    ProfileStore(
      database: database, cursorKeys: cursorKeys, people: people, blocking: Blocks(),
      clips: feed(on: database, state, cursorKeys: cursorKeys),
      likes: social(on: database, state, cursorKeys: cursorKeys), siteRules: siteRules)
  }

  /// `state` as for the feed: clips in the lists say it too.
  func social(
    on database: any Database, _ state: Commenting = .open, cursorKeys: TokenKeys = TokenKeys(secret: ""),
    notices: (any SocialNotices)? = nil, time: (any TimeSource)? = nil
  ) -> SocialStore {
    SocialStore(
      database: database, time: time ?? self.time, cursorKeys: cursorKeys, clips: clips,
      telling: feed(on: database, state, cursorKeys: cursorKeys), notices: notices,
      noting: recommendations(on: database),
      correspondence: messages(on: database))
  }

  func watching(on other: (any Database)? = nil, time: (any TimeSource)? = nil) -> WatchStore {
    let database = other ?? database
    return WatchStore(
      database: database, time: time ?? self.time, clips: clips,
      noting: recommendations(on: database, time: time))
  }
}
