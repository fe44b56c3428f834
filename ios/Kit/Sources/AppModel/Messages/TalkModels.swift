public import Contract
public import Foundation
public import Observation
public import Persistence

/// All of the app in which people write to each other, made once: the message bar, comments, conversations,
/// live events. What of it belongs to one screen is made by it.
///
/// Wiring, in the composition root:
///
///     let talk = TalkModels(
///       client: client, base: server,
///       stream: HTTPEventStream(url: …/api/v1/live, headers: { await signIn.headers() }),
///       activity: assembly.activity, library: library, viewer: signIn, announcements: announcements,
///       clock: SystemPauseClock(), makeKey: { UUID().uuidString })
///     talk.onCommentsCounted = { assembly.actions.setComments($1, of: $0) }
///     talk.bar.attach(to: sessionHost)              // and .composer commands to talk.bar.carryOut
///     signIn.onChanged { _ in talk.viewerChanged() }
///     talk.foregrounded(), talk.backgrounded(), talk.networkReturned()
@MainActor @Observable public final class TalkModels {
  public let bar: ComposerHost
  public let inbox: Inbox
  public let live: LiveEvents
  public let blocking: Blocking

  /// Runs for each message that the server took, from the bar or a conversation.
  @ObservationIgnored public var onMessageSent: (() -> Void)?
  /// Runs when something may have happened that nobody told of.
  @ObservationIgnored public var onLookAgain: (() -> Void)?
  /// Runs when a clip has another number of comments.
  @ObservationIgnored public var onCommentsCounted: ((_ clip: Clip, _ count: Int) -> Void)?

  @ObservationIgnored let client: Client
  @ObservationIgnored let base: URL
  @ObservationIgnored let activity: ActivityHost
  @ObservationIgnored let viewer: any ViewerPort
  @ObservationIgnored let announcements: Announcements
  @ObservationIgnored let clock: any PauseClock
  @ObservationIgnored let commentDrafts: DraftBook
  @ObservationIgnored let conversationDrafts: DraftBook
  @ObservationIgnored let comments: Outbox<ClipComment>
  @ObservationIgnored let messages: Outbox<Message>
  @ObservationIgnored private weak var openComments: CommentsModel?
  /// Where a link leads, until those comments are opened.
  @ObservationIgnored private var wanted: (comment: String, clip: String)?
  @ObservationIgnored private weak var openConversation: ConversationModel?
  /// Of all screens that are there, below others too.
  @ObservationIgnored private var conversations: [KnownConversation] = []
  /// Whoever is about to be written to, of whom the inbox may know nothing.
  @ObservationIgnored private var met: Author?

  /// `base`: the instance. `activity`: likes go its way.
  public init(
    client: Client, base: URL, stream: any EventStream, activity: ActivityHost, library: Library,
    viewer: any ViewerPort, announcements: Announcements, clock: any PauseClock,
    makeKey: @escaping () -> String
  ) {
    self.client = client
    self.base = base
    self.activity = activity
    self.viewer = viewer
    self.announcements = announcements
    self.clock = clock
    bar = ComposerHost(
      client: client, drafts: DraftBook(library.drafts, viewer: viewer, makeKey: makeKey), viewer: viewer,
      announcements: announcements, makeKey: makeKey)
    commentDrafts = DraftBook(library.commentDrafts, viewer: viewer, makeKey: makeKey)
    conversationDrafts = DraftBook(library.conversationDrafts, viewer: viewer, makeKey: makeKey)
    comments = Outbox(drafts: commentDrafts, viewer: viewer, clock: clock) { name, text, key in
      let place = CommentPlace(name)
      return try await client.comment(
        on: place.clip, text: text, replyTo: place.answer?.to, idempotencyKey: key)
    }
    messages = Outbox(drafts: conversationDrafts, viewer: viewer, clock: clock) { peer, text, key in
      try await client.send(text, to: peer, idempotencyKey: key)
    }
    blocking = Blocking(client: client, viewer: viewer, announcements: announcements)
    let inbox = Inbox(client: client, viewer: viewer, hasWritten: WriteBehind(library.hasWritten))
    self.inbox = inbox
    live = LiveEvents(stream: stream, clock: clock, announcements: announcements) { inbox.isInUse }
    connect()
  }

  private func connect() {
    bar.onGuestWrote = { [weak self] in self?.guestWrote() }
    bar.onMessageSent = { [weak self] in self?.onMessageSent?() }
    comments.onArrived = { [weak self] place, comment, wasTried in
      guard let open = self?.openComments, open.clip.id == CommentPlace(place).clip else { return }
      open.arrived(comment, wasTried: wasTried)
    }
    comments.onRefused = { [weak self] place, failure in
      guard let open = self?.openComments, open.clip.id == CommentPlace(place).clip else { return }
      open.refused(failure)
    }
    messages.onArrived = { [weak self] peer, message, _ in
      guard let self else { return }
      if viewer.viewerID == nil { guestWrote() }
      onMessageSent?()
      if let open = openConversation, open.peer.id == peer { open.arrived([message]) }
    }
    messages.onRefused = { [weak self] peer, failure in
      guard let self, openConversation?.peer.id != peer else { return }
      announcements.post("A message was not sent. It is waiting in its conversation.")
    }
    live.onGap = { [weak self] in
      self?.lookAgain()
      self?.openComments?.resume()
    }
    live.onEvent { [weak self] in self?.take($0) ?? false }
  }

  // MARK: Screens

  /// The comments of a clip; one clip's are open at a time.
  public func comments(of clip: Clip) -> CommentsModel {
    if let openComments, openComments.clip.id == clip.id { return openComments }
    let model = CommentsModel(clip: clip, workshop: self)
    model.onCounted = { [weak self] in self?.onCommentsCounted?($0, $1) }
    if let wanted, wanted.clip == clip.id { model.show(wanted.comment) }
    wanted = nil
    openComments = model
    return model
  }

  /// The comments of that clip begin with this one, now or when they are opened.
  public func lead(to comment: String, of clip: String) {
    if let openComments, openComments.clip.id == clip { return openComments.show(comment) }
    wanted = (comment, clip)
  }

  /// The conversation with somebody; one is open at a time. `peer` is known by their id alone where a link
  /// or a push leads there.
  public func conversation(with peer: Author) -> ConversationModel {
    if let openConversation, openConversation.peer.id == peer.id { return openConversation }
    let known = inbox.peer(peer.id) ?? (met?.id == peer.id ? met : nil)
    let model = ConversationModel(peer: known ?? peer, workshop: self)
    openConversation = model
    conversations.removeAll { $0.model == nil }
    conversations.append(KnownConversation(model: model))
    return model
  }

  /// The conversation with them, when it is opened, says whose it is.
  public func meet(_ author: Author) { met = author }

  /// By the id that a route names.
  public func conversation(with id: String) -> ConversationModel {
    conversation(with: Author(id: id, handle: "", name: ""))
  }

  // MARK: What happens

  public func foregrounded() {
    live.foregrounded()
    lookAgain()
    openComments?.resume()
    comments.retry()
    messages.retry()
  }

  public func backgrounded() {
    live.backgrounded()
    openComments?.stopWatching()
    openComments?.field.store()
    openConversation?.field.store()
    commentDrafts.store()
    conversationDrafts.store()
  }

  /// Returns once nothing of this is on its way to the server or to the disk.
  public func settled() async {
    await bar.settled()
    await comments.settled()
    await messages.settled()
    await inbox.settled()
  }

  /// Forgets all that is written and not sent; what is on its way goes on.
  public func dropDrafts() {
    bar.dropDrafts()
    commentDrafts.dropAll()
    conversationDrafts.dropAll()
  }

  public func networkReturned() {
    comments.retry()
    messages.retry()
  }

  /// Somebody has signed in or out, or is another one.
  public func viewerChanged() {
    // The texts in the fields, before anything is sent.
    commentDrafts.viewerChanged()
    conversationDrafts.viewerChanged()
    bar.viewerChanged()
    inbox.viewerChanged()
    comments.viewerChanged()
    openComments?.viewerChanged()
    for known in conversations { known.model?.viewerChanged() }
    messages.viewerChanged()
    live.listenAgain()
  }

  /// There is another server: nothing of this one is heard or sent any more. What was not sent is on disk.
  public func stop() {
    backgrounded()
    comments.stop()
    messages.stop()
  }

  private func guestWrote() {
    inbox.noteWritten()
    live.listenAgain()
  }

  private func lookAgain() {
    onLookAgain?()
    Task {
      await inbox.count()
      await openConversation?.look()
    }
  }

  /// Whether it is on the screen by that.
  private func take(_ event: LiveEvent) -> Bool {
    switch event.kind {
    case LiveEvent.reaction: return bar.reacted(to: event.clipId ?? "", event.reaction ?? "")
    case LiveEvent.message:
      if let open = openConversation, open.isShown, open.peer.id == event.actor?.id {
        Task { await open.look() }
        return true
      }
      return inbox.arrived()
    case LiveEvent.comment, LiveEvent.reply, LiveEvent.mention:
      guard let open = openComments, open.isShown, open.clip.id == event.clipId else { return false }
      Task { await open.announced(event.commentId) }
      return true
    default: return false
    }
  }
}

/// One that may be gone.
private struct KnownConversation { weak var model: ConversationModel? }

extension SignInHost: ViewerPort {
  public var viewerID: String? { signedIn?.id }
}
