internal import Accounts
internal import Captions
internal import Comments
internal import Contract
internal import Devices
internal import Exports
internal import Features
internal import Feed
internal import Generation
internal import Live
internal import Messages
internal import Moderation
internal import Notifications
public import Platform
internal import Profiles
internal import Recommendations
internal import Search
internal import Social
internal import Sounds
internal import Transcoding
internal import Uploads
internal import Videos
internal import VideosDialect
internal import Watching
internal import Webhooks

/// A feature that an instance has: its migrations, and how it is plugged in.
struct InstalledFeature: Sendable {
  let migrations: [Migration]
  let make: @Sendable (FeatureContext) -> Feature

  init(_ migrations: [Migration], _ make: @escaping @Sendable (FeatureContext) -> Feature) {
    self.migrations = migrations
    self.make = make
  }
}

extension Instance {
  /// All of them. What an account left is erased in this order: authors behind what others keep of them,
  /// which names them; jobs behind the clips that they are for.
  static let features: [InstalledFeature] = [
    InstalledFeature(SocialStore.migrations) { $0.social.feature(sealing: $0.sealing) },
    InstalledFeature(WatchStore.migrations) { context in
      context.instance.watching(time: context.time)
        .feature(owning: OwnedClips(uploads: context.uploads, clips: context.instance.clips))
    },
    InstalledFeature(FeedStore.migrations) { context in
      context.feed.feature(sealing: context.sealing) { try await context.uploads.clip(of: $0) }
    },
    InstalledFeature(AgeRule.migrations) { context in
      let ages = context.instance.ages
      return Feature(
        endpoints: [], jobs: [], periodicTasks: [], merging: ages, erasing: ages, exporting: ages)
    },
    InstalledFeature(RecommendationStore.migrations) { context in
      context.instance.recommendations(on: context.instance.database, time: context.time)
        .feature(telling: ListedClips(feed: context.feed))
    },
    InstalledFeature(SearchIndex.migrations) { $0.search.feature },
    InstalledFeature(ProfileStore.migrations) {
      $0.profiles.feature(portraits: $0.portraits, sealing: $0.sealing)
    },
    InstalledFeature(ModerationStore.migrations) { $0.moderation.feature },
    InstalledFeature(LiveLog.migrations) { $0.instance.liveLog.feature },
    InstalledFeature(MessageStore.migrations) { $0.messages.feature },
    InstalledFeature(NotificationStore.migrations) { $0.notifications.feature(sealing: $0.sealing) },
    InstalledFeature(DeviceStore.migrations) { $0.devices.feature },
    InstalledFeature(WebhookStore.migrations) { $0.webhooks.feature },
    InstalledFeature(Generations.migrations) {
      $0.generations.feature(workFolder: $0.instance.workFolder)
    },
    InstalledFeature([]) { $0.videosDialect.feature },
    InstalledFeature(Uploads.migrations) { $0.uploads.feature(sealing: $0.sealing) },
    InstalledFeature(CommentStore.migrations) { $0.comments.feature },
    InstalledFeature(ClipStore.captionMigrations) { context in
      Feature(
        endpoints: context.instance.captions.endpoints(context.uploads),
        jobs: [context.instance.captionPlaylists], periodicTasks: [], merging: nil, erasing: nil,
        exporting: nil)
    },
    // Its jobs have a worker of their own (`soundWorker`).
    InstalledFeature(ClipStore.soundMigrations + SoundIndex.migrations) { _ in
      Feature(endpoints: [], jobs: [], periodicTasks: [], merging: nil, erasing: nil, exporting: nil)
    },
    InstalledFeature(
      ClipStore.migrations + ClipStore.withholdingMigrations + ClipStore.exportMigrations
        + ClipStore.limitMigrations + ClipStore.languageMigrations + ClipBlobs.migrations
        + AuthorStore.pictureMigrations
    ) { context in
      Feature(
        endpoints: [], jobs: context.tools.map(context.instance.transcoding) ?? [], periodicTasks: [],
        merging: nil, erasing: context.instance.authors(context.time), exporting: context.instance.clips)
    },
    InstalledFeature(Counters.migrations) { context in
      Feature(
        endpoints: [], jobs: [],
        periodicTasks: [
          // How many changes there are bounds what reading a count costs, so they are added up soon. Counts
          // stay right meanwhile.
          PeriodicTask(.processes(every: .seconds(1)), failure: "counts cannot be added up now") {
            try await context.instance.foldCounts()
          },
          PeriodicTask(.hourly, failure: "old days of clips cannot be removed now") {
            _ = try await ClipDays.sweep(in: context.instance.database, at: context.time)
          },
        ], merging: nil, erasing: nil,
        exporting: NothingExported(
          KeptColumns(
            "author_count_changes.author_id", "author_totals.author_id",
            because: "a number of `followers`, and how it came about")))
    },
    // Before the jobs, whose rows it locks by their exports.
    InstalledFeature(Exports.migrations) { $0.exports.feature },
    InstalledFeature(JobQueue.migrations) {
      Feature(
        endpoints: [], jobs: [], periodicTasks: [], merging: nil, erasing: $0.instance.queue,
        exporting: NothingExported(
          KeptColumns("jobs.account", because: "work on what is in `uploads`, and its order among others")))
    },
    InstalledFeature(Accounts.migrations) { context in
      context.accounts?.feature(clips: context.sealing)
        ?? Feature(
          endpoints: [], jobs: [], periodicTasks: [], merging: nil, erasing: nil, exporting: AccountRecords())
    },
  ]

  func features(_ context: FeatureContext) -> [Feature] { Self.features.map { $0.make(context) } }

  /// In the order of their numbers, whichever feature they are of: so they were released, and so an old
  /// instance took them.
  public static let migrations: [Migration] =
    (Settings.migrations + ErasureLog.migrations + features.flatMap(\.migrations)).sorted {
      $0.name < $1.name
    }

  /// They hear of a sign-in with which a guest becomes an account.
  var viewerMerging: [any ViewerMerging] { features(FeatureContext(self)).compactMap(\.merging) }

  /// They hear of the deletion of an account.
  func viewerErasing(_ time: any TimeSource) -> [any ViewerErasing] {
    features(FeatureContext(self, time: time)).compactMap(\.erasing)
  }

  /// What an account takes along of each of them.
  var viewerExporting: [any ViewerExporting] { features(FeatureContext(self)).compactMap(\.exporting) }

  /// Adds up what was counted. Counts the changes.
  @discardableResult
  func foldCounts() async throws -> Int {
    var folded = 0
    for counters in [Counters.clips, .reach, .authors, .comments] {
      folded += try await counters.fold(in: database)
    }
    return folded
  }

  fileprivate func transcoding(_ tools: any MediaTools) -> [any JobHandler] {
    let transcode = TranscodeHandler(
      tools: tools, sources: sources, media: media,
      clips: ClipsWithNews(
        clips: clips, news: news(live: live(bus: nil)), announcements: announcements(time: time)),
      workFolder: workFolder
    ) { [queue] source in
      try await queue.payloads(of: TranscodeHandler.kind, neededSince: .max).contains(source)
    } declaredSource: { [sources = DeclaredSources(database: database)] clipID in
      try await sources.declaredSource(of: clipID)
    }
    return [
      transcode, CoverHandler(tools: tools, media: media, clips: clips, workFolder: workFolder),
      StoryboardHandler(tools: tools, media: media, clips: clips, workFolder: workFolder),
    ]
  }
}

/// With what an instance makes its features: as an operator's command has them, unless more is said.
struct FeatureContext: Sendable {
  let instance: Instance
  /// Whether guests may comment and write messages.
  let guests: Commenting
  /// Nil: nobody hears of anything.
  let notices: SocialNews?
  let rules: UploadRules
  let cursorKeys: TokenKeys
  let time: any TimeSource
  let sealing: ClipAccess
  /// Nil: nothing is converted.
  let tools: (any MediaTools)?
  /// Nil: nobody signs in.
  let accounts: Accounts?
  /// The app whose devices are told of what happens; nil: none is.
  let pushTopic: String?
  /// How browsers are told of it; nil: none is.
  let webPush: (any WebReaching)?
  /// No picture is drawn where ffmpeg cannot be shut in.
  let requiringSandbox: Bool

  init(
    _ instance: Instance, guests: Commenting = .open, notices: SocialNews? = nil,
    rules: UploadRules = UploadRules(), cursorKeys: TokenKeys = TokenKeys(secret: ""),
    time: (any TimeSource)? = nil, sealing: ClipAccess? = nil, tools: (any MediaTools)? = nil,
    accounts: Accounts? = nil, pushTopic: String? = nil, webPush: (any WebReaching)? = nil,
    requiringSandbox: Bool = false
  ) {
    self.requiringSandbox = requiringSandbox
    self.pushTopic = pushTopic
    self.webPush = webPush
    self.instance = instance
    self.guests = guests
    self.notices = notices
    self.rules = rules
    self.cursorKeys = cursorKeys
    self.time = time ?? instance.time
    self.sealing =
      sealing ?? ClipAccess(database: instance.database, time: self.time, keys: instance.sealKeys)
    self.tools = tools
    self.accounts = accounts
  }

  var comments: CommentStore {
    instance.comments(on: instance.database, guests, cursorKeys: cursorKeys, notices: notices)
  }
  var messages: MessageStore {
    instance.messages(on: instance.database, guests, cursorKeys: cursorKeys, notices: notices)
  }
  var social: SocialStore {
    instance.social(on: instance.database, guests, cursorKeys: cursorKeys, notices: notices)
  }
  var devices: DeviceStore { instance.devices(topic: pushTopic, web: webPush, time: time) }
  var webhooks: WebhookStore {
    // As for `generations`: it is told of by periodic tasks, which have no request.
    instance.webhooks(
      time: time,
      owners: instance.news(live: instance.live(bus: nil), topic: pushTopic, web: webPush, time: time))
  }
  var notifications: NotificationStore {
    instance.notifications(on: instance.database, cursorKeys: cursorKeys, time: time)
  }
  var feed: FeedStore { instance.feed(on: instance.database, guests, cursorKeys: cursorKeys) }
  var search: SearchStore { instance.search(on: instance.database, guests, cursorKeys: cursorKeys) }
  var profiles: ProfileStore { instance.profiles(on: instance.database, guests, cursorKeys: cursorKeys) }
  var portraits: Portraits {
    Portraits(
      database: instance.database, media: instance.media, authors: instance.authors(time),
      drawing: PortraitsOfMachine(requiringSandbox: requiringSandbox), turns: instance.drawingTurns,
      workFolder: instance.workFolder)
  }
  var moderation: ModerationStore { moderation(on: instance.database) }

  func moderation(on database: any Database) -> ModerationStore {
    let things = ReportableThings(
      clips: instance.clips, owned: OwnedClips(uploads: uploads, clips: instance.clips), comments: comments,
      messages: messages, profiles: profiles, authors: instance.authors(time),
      feed: instance.feed(on: database, guests, cursorKeys: cursorKeys), sealing: sealing)
    return ModerationStore(
      database: database, time: time, cursorKeys: cursorKeys, things: things, accounts: accounts,
      notices: notices)
  }

  var exports: Exports { instance.exports(time: time, telling: accounts) }
  var generations: Generations { generations(on: instance.database) }
  var videosDialect: VideosDialect {
    VideosDialect(jobs: generations, media: MediaOfVideos(feed: feed))
  }
  var uploads: Uploads { instance.uploads(rules, time: time, cursorKeys: cursorKeys) }
}
