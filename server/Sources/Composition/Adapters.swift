public import Accounts
public import Captions
public import Comments
internal import Contract
public import Devices
public import Feed
internal import Foundation
public import Gateway
internal import Generation
public import Live
public import Messages
internal import Moderation
public import Notifications
public import Platform
public import Profiles
public import Recommendations
public import Search
public import Social
public import Transcoding
public import Uploads
public import Videos
public import Watching
public import Webhooks

// Ports of one feature, filled by another.

extension Identities: Identifying {}
extension AuthorStore: AuthorProfiles {}

struct TranscodeRequests: TranscodeRequesting {
  let queue: JobQueue

  func requestTranscode(
    clipID: String, source: String, account: String, in transaction: any Transaction
  ) throws {
    try queue.enqueue(
      kind: TranscodeHandler.kind, key: clipID, payload: source, account: account, in: transaction)
  }

  /// A second's work: it waits for no turn but that of its clip.
  func requestCover(clipID: String, in transaction: any Transaction) throws {
    try queue.enqueue(
      kind: CoverHandler.kind, key: clipID, payload: "", account: "cover of \(clipID)", again: true,
      in: transaction)
  }
}

extension TranscodeRequests {
  func withdraw(clipID: String, in transaction: any Transaction) throws {
    try queue.remove(key: clipID, in: transaction)
  }
}

struct CaptionRequests: CaptionRequesting {
  let queue: JobQueue
  let hasCaptioner: Bool

  func requestCaptionPlaylists(clipID: String, in transaction: any Transaction) throws {
    try queue.enqueue(
      kind: CaptionPlaylists.kind, key: clipID, payload: "", account: Self.account(clipID), again: true,
      in: transaction)
  }

  func requestCaptions(clipID: String, in transaction: any Transaction) throws {
    guard hasCaptioner else { return }
    try queue.enqueue(
      kind: CaptionerHandler.kind, key: clipID, payload: "", account: Self.account(clipID), again: true,
      in: transaction)
  }

  /// They wait for no turn but that of their clip.
  private static func account(_ clipID: String) -> String { "captions of \(clipID)" }
}

struct ContainerGate: SourceGate {
  func check(firstBytes: [UInt8]) throws { _ = try Container.sniff(firstBytes) }
}

/// Uploads know no clips and no jobs; here both are told of them.
struct ClipsOfUploads: UploadedClips {
  let clips: ClipStore
  let queue: JobQueue
  let feed: FeedStore
  let webhooks: WebhookStore
  let announcements: Announcements

  func check(firstBytes: [UInt8]) throws { _ = try Container.sniff(firstBytes) }

  func register(
    source hash: String, details: ClipDetails, language: String?, account: String, isGenerated: Bool,
    in transaction: any Transaction
  ) throws -> (id: String, isNew: Bool) {
    var draft = ClipStore.Draft(
      sourceHash: hash, caption: Caption.clean(details.caption ?? ""), authorHandle: Author.guestHandle,
      authorName: "Guest")
    draft.tags = details.tags ?? []
    draft.visibility = details.visibility ?? .public
    draft.coverMs = details.coverMs
    draft.isForAdults = details.forAdults ?? false
    draft.language = details.language ?? language
    draft.account = account
    draft.isGenerated = isGenerated
    if case .account(let id) = UploadOwner(account) { draft.authorID = id }
    let made = try clips.register(draft, in: transaction)
    return (made.clip.clipID, made.isNew)
  }

  func describe(
    _ clipID: String, _ details: ClipDetails, in transaction: any Transaction
  ) throws -> Bool {
    let isChanged = try clips.describe(
      clipID, caption: details.caption, tags: details.tags, visibility: details.visibility,
      coverMs: details.coverMs, forAdults: details.forAdults, language: details.language, in: transaction)
    if details.visibility == .public {
      try webhooks.published(clipID, in: clips, transaction)
      try announcements.published(clipID, in: clips, transaction)
    }
    return isChanged
  }

  func state(of clipID: String) async throws -> UploadedClipState {
    let clip = try await clips.find(clipID: clipID)
    let job = try await queue.job(kind: TranscodeHandler.kind, key: clipID)
    let report = job.map(ProcessingReport.init)
    return switch clip?.state {
    case .processing?: .processing(report)
    case .ready?: .published(report)
    case .refused?, nil: .refused(report?.failure ?? AppError(.transcodingFailed))
    }
  }

  func watchable(_ clipIDs: [String]) async throws -> [String: Clip] {
    try await feed.clips(forOwner: clipIDs)
  }

  func remove(_ clipID: String, in transaction: any Transaction) throws {
    try clips.remove(clipID, in: transaction)
  }

  func restore(_ clipID: String, in transaction: any Transaction) throws {
    try clips.restore(clipID, in: transaction)
  }

  func visibility(ofRemoved clipID: String, in transaction: any Transaction) throws -> Visibility? {
    try clips.visibility(ofRemoved: clipID, in: transaction)
  }

  func delete(_ clipID: String, in transaction: any Transaction) throws {
    try clips.delete(clipID, in: transaction)
  }
}

struct SocialNews: SocialNotices {
  let live: any LiveNotices
  /// Nil: nobody hears of what no event of the stream tells of.
  var everywhere: NewsEverywhere? = nil

  init(live: any LiveNotices) {
    self.live = live
    everywhere = live as? NewsEverywhere
  }

  func liked(
    _ clipID: String, of author: String, by viewer: String, in transaction: any Transaction
  ) throws {
    try live.append(
      to: author, LiveNotice(kind: LiveEvent.like, actorID: viewer, clipID: clipID), in: transaction)
  }

  func followed(_ author: String, by viewer: String, in transaction: any Transaction) throws {
    try live.append(to: author, LiveNotice(kind: LiveEvent.follow, actorID: viewer), in: transaction)
  }
}

extension SocialNews: ReactionNotices {
  /// Taps in a row are one notice.
  private static let rowMs: Int64 = 2000

  func reacted(
    _ reaction: Reaction, to clipID: String, of author: String, by viewer: String,
    in transaction: any Transaction
  ) throws {
    let mark = "\(reaction.rawValue)/\(SystemTime().nowMs / Self.rowMs)"
    try live.append(
      to: author,
      LiveNotice(
        kind: LiveEvent.reaction, actorID: viewer, clipID: clipID, subject: reaction.rawValue, mark: mark),
      in: transaction)
  }
}

extension SocialNews: CommentNotices {
  func wrote(
    _ commentID: String, on clipID: String, to account: String, by writer: String, as kind: String,
    in transaction: any Transaction
  ) throws {
    try live.append(
      to: account,
      LiveNotice(kind: kind, actorID: writer, clipID: clipID, subject: commentID, mark: commentID),
      in: transaction)
  }

  func liked(
    _ commentID: String, on clipID: String, of account: String, by viewer: String,
    in transaction: any Transaction
  ) throws {
    try everywhere?.liked(commentID, on: clipID, of: account, by: viewer, in: transaction)
  }
}

extension SocialNews: MessageNotices {
  func wrote(
    _ messageID: String, to receiver: String, by sender: String, about clipID: String?,
    in transaction: any Transaction
  ) throws {
    try live.append(
      to: receiver,
      LiveNotice(
        kind: LiveEvent.message, actorID: sender, clipID: clipID, subject: messageID, mark: messageID),
      in: transaction)
  }
}

/// What is told to whoever listens stands in the list of what happened, and is told to devices as well.
struct NewsEverywhere: LiveNotices {
  let live: any LiveNotices
  let notifications: NotificationStore
  let devices: DeviceStore
  let webhooks: WebhookStore

  func append(to account: String, _ notice: LiveNotice, in transaction: any Transaction) throws -> Bool {
    guard try live.append(to: account, notice, in: transaction) else { return false }
    try note(notice, to: account, in: transaction)
    try devices.tell(account, of: notice, in: transaction)
    return true
  }

  private func note(_ notice: LiveNotice, to account: String, in transaction: any Transaction) throws {
    let news: NotificationStore.News
    switch (notice.kind, notice.clipID) {
    case (LiveEvent.like, let clip?): news = .liked(clip: clip)
    case (LiveEvent.follow, _): news = .followed
    case (let kind, let clip?) where LiveEvent.ofComments.contains(kind):
      guard let comment = notice.subject else { return }
      news = .commented(comment, clip: clip, kind: kind)
    // A message has a list of its own, and a reaction passes.
    default: return
    }
    try notifications.note(news, to: account, by: notice.actorID, in: transaction)
  }

  /// What no other event of the stream tells of: whoever has the list open asks for it anew.
  func hint(_ account: String, in transaction: any Transaction) throws {
    try live.append(
      to: account,
      LiveNotice(kind: LiveEvent.notification, actorID: "", mark: Identifier.make(at: SystemTime())),
      in: transaction)
  }

  func liked(
    _ commentID: String, on clipID: String, of account: String, by viewer: String,
    in transaction: any Transaction
  ) throws {
    guard
      try notifications.note(.likedComment(commentID, clip: clipID), to: account, by: viewer, in: transaction)
    else { return }
    try hint(account, in: transaction)
    try devices.tell(account, liked: commentID, on: clipID, by: viewer, in: transaction)
  }

  /// A person's own clip can be seen, or will never be.
  func tell(
    _ author: String, published clipID: String, well: Bool, in transaction: any Transaction
  ) throws {
    let news: NotificationStore.News = well ? .published(clip: clipID) : .failed(clip: clipID)
    if try notifications.note(news, to: author, in: transaction) { try hint(author, in: transaction) }
    try devices.tell(author, published: clipID, well: well, in: transaction)
  }
}

extension NewsEverywhere: GenerationTelling {
  func tell(
    _ account: String, generation: String, clip: String?, in transaction: any Transaction
  ) throws {
    if try notifications.note(.generated(generation, clip: clip), to: account, in: transaction) {
      try hint(account, in: transaction)
    }
    try devices.tell(account, generated: generation, clip: clip, in: transaction)
    try webhooks.note(
      clip == nil ? .generationFailed : .generationReady, about: generation, clip: clip, of: account,
      in: transaction)
  }
}

extension WebhookStore {
  /// The clip may be one that everybody sees from now on.
  func published(_ clipID: String, in clips: ClipStore, _ transaction: any Transaction) throws {
    guard try clips.isPublic(clipID, in: transaction) else { return }
    try note(
      .clipPublished, about: clipID, clip: clipID, of: clips.author(of: clipID, in: transaction),
      in: transaction)
  }
}

extension Announcements {
  /// As `WebhookStore.published`.
  func published(_ clipID: String, in clips: ClipStore, _ transaction: any Transaction) throws {
    guard try clips.isPublic(clipID, in: transaction),
      let author = try clips.author(of: clipID, in: transaction)
    else { return }
    let isFollowed = try !ViewerMarks().followers(of: author, behind: "", limit: 1, in: transaction).isEmpty
    try announce(clipID, of: author, isFollowed: isFollowed, in: transaction)
  }
}

extension DeviceStore: NewClipPushing {}

extension VerifiedSignIns: AccountVerifying {}

struct EarlierPolls: PollHurrying {
  let time: any TimeSource

  func hurry(_ video: String, at provider: String, in transaction: any Transaction) throws {
    try Generations.hurry(video, at: provider, nowMs: time.nowMs, in: transaction)
  }
}

/// What the list of what happened is about, where it is kept.
struct ThingsOfNotifications: NotifiedThings {
  let feed: FeedStore
  let store: ClipStore
  let comments: CommentStore

  func decision(
    _ id: String, of account: String, in transaction: any Transaction
  ) throws -> NotificationDecision? {
    try ModerationStore.announced(id, to: account, in: transaction)
  }

  func isSwitchedOff(
    webhook id: String, of account: String, in transaction: any Transaction
  ) throws -> Bool { try WebhookStore.isSwitchedOff(id, of: account, in: transaction) }

  func clips(
    _ ids: [String], seenBy viewer: String, in transaction: any Transaction
  ) throws -> [String: Clip] { try feed.clips(ids, seenBy: viewer, in: transaction) }

  func failures(
    _ ids: [String], of viewer: String, in transaction: any Transaction
  ) throws -> [String: String] { try store.failures(ids, of: viewer, in: transaction) }

  func comment(
    _ id: String, for viewer: String, in transaction: any Transaction
  ) throws -> NotifiedComment? {
    try comments.content(ofComment: id, for: viewer, in: transaction).map {
      NotifiedComment(text: $0.text, parentID: $0.parentID, author: $0.author, isOwn: $0.isOwn)
    }
  }

  func likers(
    ofClip id: String, except viewer: String, limit: Int, in transaction: any Transaction
  ) throws -> [NotifiedPerson] {
    try ViewerMarks().likers(ofClip: id, except: viewer, limit: limit, in: transaction)
      .map { NotifiedPerson($0.author, atMs: $0.atMs) }
  }

  func likers(
    ofComment id: String, except viewer: String, limit: Int, in transaction: any Transaction
  ) throws -> [NotifiedPerson] {
    try comments.likers(ofComment: id, except: viewer, limit: limit, in: transaction)
      .map { NotifiedPerson($0.author, atMs: $0.atMs) }
  }

  func followers(
    of author: String, since day: Range<Int64>, limit: Int, in transaction: any Transaction
  ) throws -> [NotifiedPerson] {
    try ViewerMarks().followers(of: author, since: day, limit: limit, in: transaction)
      .map { NotifiedPerson($0.author, atMs: $0.atMs) }
  }

  func followers(
    of author: String, behind id: String, limit: Int, in transaction: any Transaction
  ) throws -> [String] {
    try ViewerMarks().followers(of: author, behind: id, limit: limit, in: transaction)
  }
}

extension NotificationStore: PushChoosing {}

/// Whoever a clip is of hears that it can be seen, or why it never will.
struct ClipsWithNews: ClipPublishing {
  let clips: ClipStore
  let news: NewsEverywhere
  let announcements: Announcements

  func playback(of clipID: String) async throws -> Playback? { try await clips.playback(of: clipID) }

  func isGenerated(_ clipID: String) async throws -> Bool { try await clips.isGenerated(clipID) }

  func setMadeByAI(_ clipID: String, in transaction: any Transaction) throws {
    try clips.setMadeByAI(clipID, in: transaction)
  }

  func publish(
    _ clipID: String, poster: Poster, playback: Playback, playlists: [BlobName],
    in transaction: any Transaction
  ) throws {
    try clips.publish(clipID, poster: poster, playback: playback, playlists: playlists, in: transaction)
    try tell(clipID, well: true, in: transaction)
    try news.webhooks.published(clipID, in: clips, transaction)
    try announcements.published(clipID, in: clips, transaction)
  }

  func extend(
    _ clipID: String, poster: Poster, playback: Playback, playlists: [BlobName],
    in transaction: any Transaction
  ) throws {
    try clips.extend(clipID, poster: poster, playback: playback, playlists: playlists, in: transaction)
  }

  func add(_ storyboard: Storyboard, to clipID: String, in transaction: any Transaction) throws {
    try clips.add(storyboard, to: clipID, in: transaction)
  }

  @discardableResult
  func refuse(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    // What failed may be the better renditions of a clip that everybody sees.
    guard try clips.refuse(clipID, in: transaction) else { return false }
    try tell(clipID, well: false, in: transaction)
    return true
  }

  func complete(_ clipID: String, in transaction: any Transaction) throws {
    try clips.complete(clipID, in: transaction)
  }

  private func tell(_ clipID: String, well: Bool, in transaction: any Transaction) throws {
    // Of what was made from words its owner hears when they can look at it, as of that.
    guard try !clips.isGenerated(clipID, in: transaction),
      let author = try clips.author(of: clipID, in: transaction)
    else { return }
    try news.tell(author, published: clipID, well: well, in: transaction)
  }
}

struct LiveStreams: LiveReading {
  let hub: LiveHub
  let accounts: Accounts

  func open(_ viewer: Viewer, after: String?) throws -> any LiveStreaming {
    try hub.open(viewer.id, after: after, isOver: accounts.rightEnds(of: viewer))
  }
}

extension LiveStream: LiveStreaming {}
extension ClipStore: ClipPublishing {}
extension ClipAccess: MediaAuthorizing {}
extension ClipStore: ClipCovering {}
extension ClipStore: CaptionedClips {}
extension ClipStore: CaptionShowing {}
extension ClipStore: MessagedClips {}
extension MessageStore: CorrespondenceReading {}
extension MessageStore: PushedMessages {}
extension CommentStore: PushedComments {}
extension ClipStore: SocialClips {}
extension ClipStore: WatchedClips {}

/// A clip is whose list it stands in, or whose name it bears: an operator's own came by no upload.
struct OwnedClips: ClipOwning {
  let uploads: Uploads
  let clips: ClipStore
  var ages = AgeRule()

  func owns(_ clipID: String, _ viewer: String, in transaction: any Transaction) throws -> Bool {
    try uploads.owns(clipID, viewer, in: transaction)
      || (clips.author(of: clipID, in: transaction) == viewer
        && clips.visibility(ofRemoved: clipID, in: transaction) == nil)
  }
}

extension OwnedClips: CommentedClips {
  func requireShown(_ clipID: String, to viewer: String?, in transaction: any Transaction) throws {
    try ages.requireShown(clipID, to: viewer, in: transaction)
  }

  func author(ofVisible clipID: String, in transaction: any Transaction) throws -> String {
    try clips.author(ofVisible: clipID, in: transaction)
  }
}

extension FeedStore: FeedReading {
  public func tagged(_ name: String, cursor: String?, limit: Int) async throws -> TaggedClips {
    guard let tag = Tags.clean([name]).first else { throw AppError(.routeNotFound) }
    return try await clips(tagged: tag, cursor: cursor, limit: limit)
  }
}

extension FeedStore: ClipTelling {}

/// Clips as lists of recommendations show them.
struct ListedClips: RecommendedClips {
  let feed: FeedStore

  func encoded(_ ids: [String], inOrderFor viewer: String?) async throws -> [EncodedClip] {
    try await feed.listed(ids, for: viewer)
  }

  func tag(_ text: String) -> String? { Tags.clean([text]).first }

  func requireVisible(_ clipID: String, to viewer: String?) async throws {
    _ = try await feed.clip(id: clipID, forOwner: false, for: viewer)
  }
}

extension RecommendedClip: OrderedClip {}

extension RecommendationStore: ClipOrdering {
  public func next(
    _ count: Int, of walks: [String], for viewer: String?, language: String?
  ) async -> [any OrderedClip]? {
    await (order(count, of: walks, for: viewer, language: language) as [RecommendedClip]?)
  }

  public func note(
    _ clips: [(clip: any OrderedClip, isShown: Bool)], in walk: String, behind placed: Int,
    for viewer: String?
  ) async throws {
    // What it is asked about is what it gave.
    let given = clips.compactMap { one in
      (one.clip as? RecommendedClip).map { (clip: $0, isShown: one.isShown) }
    }
    try await write(given, in: walk, behind: placed, for: viewer)
  }
}

extension FeedStore: FoundClipTelling {}
extension FeedStore: ProfileClips {}
extension SocialStore: ProfileLikes {}

extension SearchIndex: ClipIndexing {
  public func clipChanged(_ clipID: String, in transaction: any Transaction) throws {
    try renewClip(clipID, in: transaction)
  }

  public func authorChanged(_ authorID: String, in transaction: any Transaction) throws {
    try renewPerson(authorID, in: transaction)
  }
}

extension ViewerMarks: MarkReading {}
extension ViewerMarks: FollowReading {}
extension WatchStore: SeenReading {}
extension Uploads: CaptionedUploads {}
extension Uploads: UploadKeeping {}
