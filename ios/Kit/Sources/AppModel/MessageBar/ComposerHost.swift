public import Composer
public import Contract
internal import CoreTypes
public import Observation

/// Hosts the message bar over the clips: it keeps the texts, carries out the commands of the core's
/// `Composer` and reports what is typed, measured, tapped and answered.
///
/// It refuses to know when a message may go, what the bar shows and when the feed is locked: the core says
/// so.
@MainActor @Observable public final class ComposerHost {
  /// The quick reactions in the order in which the core counts them. None is a heart, which is the like.
  public nonisolated static let reactions: [Reaction] = [.laugh, .wow, .cry, .clap, .fire]

  public private(set) var bar = Composer.Bar()
  /// Of the clip on the screen.
  public private(set) var text = ""
  public private(set) var clip: Clip?
  /// How often the clip got each reaction.
  public private(set) var counts: [String: Int] = [:]

  @ObservationIgnored private weak var feed: (any ComposerFeed)?
  @ObservationIgnored public weak var display: (any MessageBarDisplay)?
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let drafts: DraftBook
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private let announcements: Announcements
  @ObservationIgnored private let makeKey: () -> String
  /// Runs when the person has to sign in first.
  @ObservationIgnored public var onSignInNeeded: (() -> Void)?
  /// Runs when somebody without an account has written: answers may come.
  @ObservationIgnored public var onGuestWrote: (() -> Void)?
  /// Runs for each message that the server took.
  @ObservationIgnored public var onMessageSent: (() -> Void)?

  @ObservationIgnored private var current: ItemID?
  /// By item: clips that were on the screen. The core forgets clips that still have a message on its way.
  @ObservationIgnored private var clips: [Int32: Clip] = [:]
  /// Items whose text of an earlier run the core knows of.
  @ObservationIgnored private var restored: Set<Int32> = []
  /// By clip: what the server said of the last try.
  @ObservationIgnored private var failures: [String: RequestFailure] = [:]
  /// Clips whose creator takes no messages, as the server has said.
  @ObservationIgnored private var closed: Set<String> = []
  /// By clip: as this app counts on, until a clip comes anew.
  @ObservationIgnored private var counted: [String: [String: Int]] = [:]
  @ObservationIgnored private var sending: [Int32: Task<Void, Never>] = [:]
  @ObservationIgnored private var reacting: [Int32: Task<Void, Never>] = [:]

  public init(
    client: Client, drafts: DraftBook, viewer: any ViewerPort, announcements: Announcements,
    makeKey: @escaping () -> String
  ) {
    self.client = client
    self.drafts = drafts
    self.viewer = viewer
    self.announcements = announcements
    self.makeKey = makeKey
    drafts.recallAway()
  }

  /// From now on this feed is under the bar.
  public func attach(to feed: any ComposerFeed) {
    self.feed = feed
    feed.report(.lengthLimited(characters: Int32(Limits.messageLength)))
    tellReceiver()
  }

  // MARK: What the core commands

  public func carryOut(_ command: Composer.Command) {
    switch command {
    // The session itself obeys these.
    case .lockFeed, .holdClip: break
    case .showBar(let bar):
      self.bar = bar
      display?.barChanged()
    case .leaveField: display?.leaveField()
    case .showText(let item): show(item)
    case .storeText: drafts.store()
    case .dropText(let item): if feed?.isChanging == true { rest(item) } else { drop(item) }
    case .sendMessage(let message, let item): send(message, from: item)
    case .returnText(let message, let item): giveBack(message, to: item)
    case .cancelMessage(let message): sending.removeValue(forKey: message.rawValue)?.cancel()
    case .sendReaction(let message, let item, let reaction): react(message, to: item, reaction)
    case .askSignIn: onSignInNeeded?()
    // Gone from the core's list, but not from all of them.
    case .noticeUnsent(let item) where waits(item): carryOut(.noticeReturned(item))
    case .noticeUnsent(let item) where isAnothers(item): break
    case .noticeReturned(let item) where isAnothers(item): break
    case .noticeUnsent: announcements.post("Your message could not be sent: its clip is gone.")
    case .noticeReturned(let item):
      let name = clips[item.rawValue].flatMap { $0.author.name.isEmpty ? nil : $0.author.name }
      announcements.post(
        name.map { Sentence("Your message to %@ was not sent. It is waiting at their clip.", $0) }
          ?? "Your message was not sent. It is waiting at its clip.")
    }
  }

  private func show(_ item: ItemID) {
    guard let clip = feed?.clip(of: item) ?? clips[item.rawValue] else { return }
    current = item
    remember(clip, item)
    self.clip = clip
    counts = counted[clip.id] ?? clip.counts.reactions
    redraw(item)
    display?.barChanged()
    tellReceiver()
    guard !text.isEmpty, restored.insert(item.rawValue).inserted else { return }
    let count = TextCount(text)
    feed?.report(.draftRestored(item, characters: count.characters, isBlank: count.isBlank))
  }

  /// Clips without a text are forgotten after so many.
  static let mostRemembered = 100
  var remembered: Int { clips.count }

  /// What is needed of it here: thousands may pass in an evening, and their media are the feed's.
  private func remember(_ clip: Clip, _ item: ItemID) {
    var clip = clip
    clip.playback = Playback(durationMs: clip.playback.durationMs, hlsUrl: "", renditions: [])
    clips[item.rawValue] = clip
    guard clips.count > Self.mostRemembered else { return }
    clips = clips.filter { number, clip in
      number == item.rawValue || !drafts.text(of: clip.id).isEmpty || !drafts.away(from: clip.id).isEmpty
    }
    let ids = Set(clips.values.map(\.id))
    counted = counted.filter { ids.contains($0.key) }
    failures = failures.filter { ids.contains($0.key) }
  }

  private func redraw(_ item: ItemID) {
    guard item == current, let clip else { return }
    text = drafts.text(of: clip.id)
    display?.textChanged()
  }

  private func drop(_ item: ItemID) {
    guard let id = clips[item.rawValue]?.id else { return }
    failures[id] = nil
    drafts.drop(id)
    redraw(item)
  }

  /// Whether a text that came back waits at its clip.
  private func waits(_ item: ItemID) -> Bool {
    guard let id = clips[item.rawValue]?.id, feed?.item(of: id) != nil, drafts.giveBackAway(id) else {
      return false
    }
    redraw(item)
    return true
  }

  /// What was sent from there has a writer who is not here: nobody else hears of it.
  private func isAnothers(_ item: ItemID) -> Bool {
    clips[item.rawValue].map { !drafts.hasUnsent(from: $0.id) } ?? false
  }

  /// To the core its clip is gone: it hears of the text anew once the clip comes back.
  private func rest(_ item: ItemID) {
    restored.remove(item.rawValue)
    drafts.store()
  }

  /// Forgets what is written under all clips, not what is on its way.
  public func dropDrafts() {
    drafts.dropAll()
    if let current { redraw(current) }
  }

  private func giveBack(_ message: MessageID, to item: ItemID) {
    guard let id = clips[item.rawValue]?.id else { return }
    let isHere = drafts.giveBack(id, from: message.rawValue)
    restored.insert(item.rawValue)
    redraw(item)
    // To the core it is in the field.
    if !isHere { tellText(of: item) }
  }

  /// The text of a clip is another one than the core knows of.
  private func tellText(of item: ItemID) {
    guard let id = clips[item.rawValue]?.id else { return }
    let count = TextCount(drafts.text(of: id))
    if count.characters > 0 { restored.insert(item.rawValue) } else { restored.remove(item.rawValue) }
    feed?.report(.textChanged(item, characters: count.characters, isBlank: count.isBlank))
  }

  private func send(_ message: MessageID, from item: ItemID) {
    guard let clip = clips[item.rawValue] else { return }
    let writer = viewer.viewerID
    let parts = drafts.send(clip.id, as: message.rawValue)
    failures[clip.id] = nil
    redraw(item)
    sending[message.rawValue] = Task {
      // Whatever ends the app from here on: the text and its key are on disk.
      await drafts.stored()
      do {
        for part in parts {
          try Task.checkCancellation()
          guard viewer.viewerID == writer else { throw WriterLeft() }
          _ = try await client.send(part.text, to: clip.author.id, clip: clip.id, idempotencyKey: part.key)
        }
        succeed(message, item, clip, by: writer)
      } catch {
        guard !Task.isCancelled else { return }
        fail(message, item, clip, RequestFailure(error), by: writer)
      }
      sending[message.rawValue] = nil
    }
  }

  /// It goes by nobody but its writer.
  private struct WriterLeft: Error {}

  private func succeed(_ message: MessageID, _ item: ItemID, _ clip: Clip, by writer: String?) {
    drafts.settle(clip.id, from: message.rawValue)
    if writer == nil { onGuestWrote?() }
    onMessageSent?()
    feed?.report(.messageSent(message))
    if item == current, writer == viewer.viewerID { display?.confirmSent() }
  }

  private func fail(
    _ message: MessageID, _ item: ItemID, _ clip: Clip, _ failure: RequestFailure, by writer: String?
  ) {
    let isHere = writer == viewer.viewerID
    if isHere { failures[clip.id] = failure }
    let reason: Composer.FailureReason =
      switch failure.reason {
      case .network: .network
      case .refused: .refused
      case .server: .server
      }
    feed?.report(.messageFailed(message, reason))
    guard isHere, failure.isOne(of: .messagesOff, .authorNotFound, .authorBlocked) else { return }
    closed.insert(clip.id)
    announcements.post(failure.sentence)
    tellReceiver()
  }

  // MARK: What people do

  public func fieldFocused() { feed?.report(.fieldFocused) }
  public func fieldBlurred() { feed?.report(.fieldBlurred) }
  public func fieldDismissed() { feed?.report(.fieldDismissed) }
  public func sendTapped() { feed?.report(.sendTapped) }

  /// Points; what is no number is none.
  public func keyboardMoved(height: Double) { feed?.report(.keyboardMoved(height: Self.points(height))) }

  public func textMeasured(height: Double, lineHeight: Double) {
    feed?.report(
      .textMeasured(height: Self.points(height), lineHeight: Self.points(lineHeight)))
  }

  public func reactionTapped(_ reaction: Reaction) {
    guard let index = Self.reactions.firstIndex(of: reaction) else { return }
    feed?.report(.reactionTapped(reaction: Int32(index)))
  }

  public func textTyped(_ typed: String) {
    guard let current, let clip else { return }
    let kept = TextCount.cut(typed)
    text = kept
    failures[clip.id] = nil
    drafts.change(clip.id, to: kept)
    restored.insert(current.rawValue)
    let count = TextCount(kept)
    feed?.report(.textChanged(current, characters: count.characters, isBlank: count.isBlank))
    if kept.unicodeScalars.count != typed.unicodeScalars.count { display?.textChanged() }
  }

  /// Somebody has signed in or out, or is another one, and has texts of their own.
  public func viewerChanged() {
    drafts.viewerChanged()
    failures = [:]
    let known = restored
    restored = []
    for number in known.sorted() { tellText(of: ItemID(number)) }
    if let current { show(current) }
  }

  /// Returns once nothing of this is on its way to the server or to the disk.
  public func settled() async {
    while let task = sending.values.first ?? reacting.values.first { await task.value }
    await drafts.stored()
  }

  private static func points(_ value: Double) -> Int64 {
    value.isFinite ? Int64(min(max(value.rounded(), 0), 1_000_000)) : 0
  }

  // MARK: Whom the field is for

  /// The line above the field; `nil`: nothing is to be said.
  public var state: Sentence? {
    switch bar.delivery {
    case .idle: nil
    case .sending: "Sending…"
    case .failed: "Not sent. Try again."
    case .refused: clip.flatMap { failures[$0.id]?.sentence } ?? "This message was not accepted."
    }
  }

  /// Why there is no field.
  public var closedReason: Sentence {
    isOwn ? "This is your clip." : "This person takes no messages."
  }

  private var isOwn: Bool {
    guard let clip, let viewerID = viewer.viewerID else { return false }
    return clip.author.id == viewerID
  }

  /// Who can be written to depends on who asks. A guest writes where guests may comment.
  private func tellReceiver() {
    guard let current, let clip, let feed else { return }
    let author = clip.author
    let isReachable =
      !author.id.isEmpty && author.handle != Author.guestHandle && !closed.contains(clip.id)
    feed.report(.signedInChanged(viewer.viewerID != nil || clip.comments == .open))
    feed.report(.messagesChanged(current, areOpen: isReachable && !isOwn))
    display?.barChanged()
  }

  // MARK: Reactions

  private func react(_ message: MessageID, to item: ItemID, _ index: Int32) {
    guard let clip = clips[item.rawValue], Self.reactions.indices.contains(Int(index)) else { return }
    let reaction = Self.reactions[Int(index)]
    if item == current { display?.float(reaction) }
    count(reaction, by: 1, of: clip)
    let key = makeKey()
    reacting[message.rawValue] = Task {
      do {
        let answer = try await client.react(to: clip.id, reaction, idempotencyKey: key)
        let shown = counted[clip.id]?[reaction.rawValue] ?? 0
        count(reaction, by: min(max(0, answer.count), Self.mostCounted) - shown, of: clip)
      } catch {
        count(reaction, by: -1, of: clip)
        announcements.post(
          Sentence("Your reaction was not sent. %@", [.sentence(RequestFailure(error).sentence)]))
      }
      reacting[message.rawValue] = nil
    }
  }

  /// Somebody reacts to a clip. True if it is on the screen, where its creator sees it by that.
  public func reacted(to id: String, _ name: String) -> Bool {
    guard let clip, clip.id == id, let reaction = Reaction(rawValue: name),
      Self.reactions.contains(reaction)
    else { return false }
    count(reaction, by: 1, of: clip)
    display?.float(reaction)
    return true
  }

  private static let mostCounted = 1_000_000_000_000

  private func count(_ reaction: Reaction, by change: Int, of clip: Clip) {
    var all = counted[clip.id] ?? clip.counts.reactions
    let before = min(max(0, all[reaction.rawValue] ?? 0), Self.mostCounted)
    all[reaction.rawValue] = min(max(0, before + change), Self.mostCounted)
    counted[clip.id] = all
    guard clip.id == self.clip?.id else { return }
    counts = all
    display?.barChanged()
  }
}
