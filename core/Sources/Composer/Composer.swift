public import CoreTypes

/// Decides everything about the input bar over the playing clip: how tall it is, which buttons it
/// shows, when a message may go and what becomes of its text, and that the feed stands still and the
/// clip is held while somebody writes.
///
/// It refuses to know text: the host keeps one text per clip and reports counts. It refuses to know
/// players too: holding the clip is one reason not to play among others, so that after the last
/// letter the clip is as it was, paused by the person or not.
///
/// Invariants:
/// - `lockFeed` and `holdClip` alternate and always agree: both hold exactly while the field is
///   focused, which needs a current clip whose creator can be written to and a person who is signed in.
/// - Reactions show while nobody writes, `send` while somebody does and there is something to send.
/// - At most one message is on its way, and it is one that was neither blank nor too long. The field is
///   empty from the tap on; what fails is in it again, in front of what was typed since.
/// - A text is dropped only when exactly that text was sent, the person emptied it, its clip is gone,
///   or `draftLimit` newer ones exist.
/// - The bar has 1…5 lines, scrolls only when its text needs more, and is shown again only if it differs.
/// - In any time t at most `reactionBurst + t / reactionInterval + 1` reactions are sent.
public struct Composer: Sendable {
  public static let lineLimit: Int32 = 5
  public static let defaultLengthLimit: Int32 = 500
  static let lengthLimits: ClosedRange<Int32> = 1...100_000
  /// With this many characters left or fewer, the bar says so.
  public static let charactersLeftShown: Int32 = 50
  /// A message without an answer is given up after this long, and can be sent again.
  public static let sendPatience = Milliseconds(20_000)
  /// A crash costs no more of a text than was typed in this time.
  public static let storeDelay = Milliseconds(1_000)
  public static let reactionBurst: Int32 = 5
  public static let reactionInterval = Milliseconds(1_000)
  /// Bounds the memory of somebody who starts a message on every clip and sends none.
  public static let draftLimit = 256

  struct Outgoing: Sendable {
    let message: MessageID
    let item: ItemID
    let characters: Int32
    let since: Instant
    /// The clip is gone: there is no field to come back to.
    var isOrphaned = false
  }

  public private(set) var current: ItemID?
  /// Somebody writes. A tap on the clip then means `fieldDismissed`, not pause.
  public private(set) var isFocused = false
  var drafts = Drafts()
  var outgoing: Outgoing?
  var lastMessage: Int32 = 0
  var reactions = RateLimit(burst: reactionBurst, interval: reactionInterval)
  private var isSignedIn = false
  private var takesMessages = true
  private var lengthLimit = defaultLengthLimit
  private var viewport: Int64 = 0
  private var keyboard: Int64 = 0
  private var lineHeight: Int64 = 0
  private var shown = Bar()

  public init() {}

  public var nextWake: Instant? {
    var wake = earlier(outgoing.map { $0.since + Self.sendPatience }, reactions.opensAt)
    if let since = drafts[current]?.unstoredSince { wake = earlier(wake, since + Self.storeDelay) }
    return wake
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .currentChanged(let item): move(to: item, emit)
    case .itemRemoved(let item): remove(item, emit)
    case .lengthLimited(let characters):
      lengthLimit = min(max(characters, Self.lengthLimits.lowerBound), Self.lengthLimits.upperBound)
    case .signedInChanged(let isSignedIn): self.isSignedIn = isSignedIn
    case .messagesChanged(let item, let areOpen): if item == current { takesMessages = areOpen }
    case .viewportResized(let height): viewport = max(0, height)
    case .keyboardMoved(let height): keyboard = max(0, height)
    case .fieldFocused: focus(emit)
    case .fieldBlurred: unfocus(emit)
    case .fieldDismissed: leave(emit)
    case .textChanged(let item, let characters, let isBlank):
      changeText(of: item, to: characters, isBlank: isBlank, at: now, emit)
    case .draftRestored(let item, let characters, let isBlank):
      restore(item, characters: characters, isBlank: isBlank, emit)
    case .textMeasured(let height, let lineHeight): measure(height, lineHeight: lineHeight)
    case .sendTapped: send(at: now, emit)
    case .reactionTapped(let reaction): react(reaction, at: now, emit)
    case .messageSent(let message): succeed(message, emit)
    case .messageFailed(let message, let reason): fail(message, reason, emit)
    case .backgrounded: store(emit)
    case .woke: wake(at: now, emit)
    }
    reactions.refill(at: now)
    if isFocused, access != .open { leave(emit) }
    let bar = bar()
    guard bar != shown else { return }
    shown = bar
    emit(.showBar(bar))
  }

  private mutating func wake(at now: Instant, _ emit: (Command) -> Void) {
    if let outgoing, now >= outgoing.since + Self.sendPatience {
      emit(.cancelMessage(outgoing.message))
      fail(outgoing.message, .network, emit)
    }
    if let since = drafts[current]?.unstoredSince, now >= since + Self.storeDelay { store(emit) }
  }

  // MARK: Which clip

  private mutating func move(to item: ItemID?, _ emit: (Command) -> Void) {
    guard item != current else { return }
    leave(emit)
    store(emit)
    current = item
    takesMessages = true
    if outgoing?.item == item { outgoing?.isOrphaned = false }
    if let item { emit(.showText(item)) }
  }

  private mutating func remove(_ item: ItemID, _ emit: (Command) -> Void) {
    if item == current {
      leave(emit)
      current = nil
    }
    if outgoing?.item == item { outgoing?.isOrphaned = true }
    if drafts[item] != nil { drop(item, emit) }
  }

  // MARK: Focus

  private mutating func focus(_ emit: (Command) -> Void) {
    guard !isFocused else { return }
    guard access == .open else {
      emit(.leaveField)
      if access == .signedOut { emit(.askSignIn) }
      return
    }
    isFocused = true
    emit(.lockFeed(true))
    emit(.holdClip(true))
  }

  private mutating func unfocus(_ emit: (Command) -> Void) {
    guard isFocused else { return }
    store(emit)
    isFocused = false
    emit(.lockFeed(false))
    emit(.holdClip(false))
  }

  mutating func leave(_ emit: (Command) -> Void) {
    guard isFocused else { return }
    emit(.leaveField)
    unfocus(emit)
  }

  // MARK: Texts

  private mutating func changeText(
    of item: ItemID, to characters: Int32, isBlank: Bool, at now: Instant, _ emit: (Command) -> Void
  ) {
    let old = drafts[item]
    guard characters > 0 else {
      if old?.mayBeStored == true { emit(.dropText(item)) }
      return drafts.remove(item)
    }
    var draft = Drafts.Draft(item: item, characters: characters, isBlank: isBlank)
    draft.lines = old?.lines ?? 1
    draft.mayBeStored = old?.mayBeStored ?? false
    draft.unstoredSince = old?.unstoredSince ?? now
    keep(draft, emit)
    // Nothing comes later that would store the text of a clip that is not current.
    if item != current { store(item, emit) }
  }

  private mutating func restore(
    _ item: ItemID, characters: Int32, isBlank: Bool, _ emit: (Command) -> Void
  ) {
    guard drafts[item] == nil, characters > 0 else { return }
    var draft = Drafts.Draft(item: item, characters: characters, isBlank: isBlank)
    draft.mayBeStored = true
    keep(draft, emit)
    if item == current { emit(.showText(item)) }
  }

  mutating func keep(_ draft: Drafts.Draft, _ emit: (Command) -> Void) {
    let current = current
    let sending = outgoing?.item
    let givenUp = drafts.touch(draft, limit: Self.draftLimit) {
      $0 == draft.item || $0 == current || $0 == sending
    }
    if let givenUp { emit(.dropText(givenUp)) }
  }

  mutating func drop(_ item: ItemID, _ emit: (Command) -> Void) {
    drafts.remove(item)
    emit(.dropText(item))
  }

  mutating func store(_ emit: (Command) -> Void) {
    if let current { store(current, emit) }
  }

  private mutating func store(_ item: ItemID, _ emit: (Command) -> Void) {
    guard drafts[item]?.unstoredSince != nil else { return }
    drafts.update(item) {
      $0.unstoredSince = nil
      $0.mayBeStored = true
    }
    emit(.storeText(item))
  }

  private mutating func measure(_ height: Int64, lineHeight: Int64) {
    guard lineHeight > 0, height >= 0 else { return }
    self.lineHeight = lineHeight
    // Rounded: hosts report 79.6 px for four lines of 20.
    let lines = saturatingSum(height, lineHeight / 2) / lineHeight
    drafts.update(current) { $0.lines = max(1, Int32(clamping: lines)) }
  }

  // MARK: The bar

  var access: Access {
    if current == nil { return .noClip }
    if !takesMessages { return .off }
    return isSignedIn ? .open : .signedOut
  }

  /// Whether the text of the current clip may go now.
  var canSend: Bool {
    guard access == .open, outgoing == nil, let draft = drafts[current] else { return false }
    return !draft.isBlank && draft.characters <= lengthLimit && draft.delivery != .refused
  }

  private func bar() -> Bar {
    var bar = Bar()
    bar.access = access
    bar.isFocused = isFocused
    guard access != .noClip else { return bar }
    let draft = drafts[current]
    let isSending = current != nil && outgoing?.item == current
    bar.lift = isFocused ? (viewport > 0 ? min(keyboard, viewport) : keyboard) : 0
    let room = lineRoom(above: bar.lift)
    // One line while nobody writes: the clip is what is looked at then.
    let lines = isFocused ? draft?.lines ?? 1 : 1
    bar.lines = min(lines, room)
    bar.scrolls = lines > room
    bar.isEditable = access == .open
    bar.delivery = isSending ? .sending : draft?.delivery ?? .idle
    bar.charactersLeft = lengthLimit - (draft?.characters ?? 0)
    bar.showsCharactersLeft = bar.charactersLeft <= min(Self.charactersLeftShown, lengthLimit - 1)
    bar.showsText = isFocused || bar.delivery == .failed || bar.delivery == .refused
    guard access == .open || access == .off else { return bar }
    let hasText = draft.map { !$0.isBlank } ?? false
    bar.buttons = isFocused ? (hasText ? .send : .none) : .reactions
    bar.areEnabled = bar.buttons == .send ? canSend : reactions.isOpen
    return bar
  }

  /// The field never takes more than half of what the keyboard leaves.
  private func lineRoom(above lift: Int64) -> Int32 {
    guard viewport > 0, lineHeight > 0 else { return Self.lineLimit }
    let lines = (viewport - lift) / 2 / lineHeight
    return min(max(1, Int32(clamping: lines)), Self.lineLimit)
  }
}
