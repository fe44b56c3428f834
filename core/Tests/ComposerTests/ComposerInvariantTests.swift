import Composer
import CoreTesting
import CoreTypes
import Testing

@Suite struct ComposerInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    forEachSeed(10_000) { seed, generator in
      var harness = ComposerHarness(isSignedIn: generator.next(below: 5) > 0)
      var watch = Watch()
      for _ in 0..<40 {
        harness.now = harness.now + Milliseconds(generator.next(below: 700))
        if generator.next(below: 30) == 0 { harness.now = harness.now + Milliseconds(30_000) }
        let event = randomEvent(&generator, harness.composer, watch)
        watch.note(event)
        harness.send(event)
        watch.check(harness.take(), harness.composer, harness.now)
        if case .woke = event { watch.checkWake(harness.composer.nextWake, harness.now) }
      }
      #expect(watch.broken == nil, "\(watch.broken ?? ""), seed \(seed)")
    }
  }

  private func randomEvent(
    _ generator: inout SeededGenerator, _ composer: Composer, _ watch: Watch
  ) -> Composer.Event {
    let item = ItemID(Int32(generator.next(below: 4)))
    let near = generator.next(below: 4) > 0 ? composer.current ?? item : item
    let message = MessageID(watch.lastMessage - Int32(generator.next(below: 3)))
    switch generator.next(below: 24) {
    case 0, 1: return .currentChanged(generator.next(below: 6) == 0 ? nil : item)
    case 2: return generator.next(below: 4) == 0 ? .itemRemoved(item) : .fieldFocused
    case 3: return .signedInChanged(generator.next(below: 5) > 0)
    case 4: return .messagesChanged(near, areOpen: generator.next(below: 4) > 0)
    case 5, 6: return .fieldFocused
    case 7: return generator.next(below: 2) == 0 ? .fieldBlurred : .fieldDismissed
    case 8, 9, 10, 11:
      let characters = Int32(clamping: generator.hostileInteger(around: 600))
      return .textChanged(near, characters: characters, isBlank: generator.next(below: 5) == 0)
    case 12:
      return .textMeasured(
        height: generator.hostileInteger(around: 200), lineHeight: generator.hostileInteger(around: 20))
    case 13: return .keyboardMoved(height: generator.hostileInteger(around: 400))
    case 14: return .viewportResized(height: generator.hostileInteger(around: 900))
    case 15, 16: return .sendTapped
    case 17, 18: return .reactionTapped(reaction: Int32(generator.next(below: 6)))
    case 19: return .messageSent(message)
    case 20:
      return .messageFailed(message, [.network, .refused, .server][Int(generator.next(below: 3))])
    case 21: return generator.next(below: 3) == 0 ? .backgrounded : .woke
    case 22:
      return generator.next(below: 2) == 0
        ? .lengthLimited(characters: Int32(clamping: generator.hostileInteger(around: 400)))
        : .draftRestored(item, characters: 3, isBlank: false)
    default: return .woke
    }
  }
}

/// Keeps texts as a host would and holds the commands against the composer's invariants.
private struct Watch {
  private struct Text: Equatable {
    var version: Int
    var isBlank: Bool
    var characters: Int32
  }

  private(set) var broken: String?
  private(set) var lastMessage: Int32 = 0
  private var texts: [Int32: Text] = [:]
  private var versions = 0
  private var limit = Composer.defaultLengthLimit
  /// Clips that were removed; their texts may go, at once or after the message on its way.
  private var gone: Set<Int32> = []
  private var answered: MessageID?
  private var outgoing: MessageID?
  /// It failed, so its text must come back, or its clip is gone.
  private var failed: MessageID?
  /// The text that each message carried.
  private var carried: [Int32: Text] = [:]
  private var feedLocked = false
  private var clipHeld = false
  private var bar: Composer.Bar?
  private var reactions: [Instant] = []

  mutating func note(_ event: Composer.Event) {
    answered = nil
    switch event {
    case .textChanged(let item, let characters, let isBlank):
      versions += 1
      texts[item.rawValue] =
        characters > 0 ? Text(version: versions, isBlank: isBlank, characters: characters) : nil
    case .draftRestored(let item, let characters, let isBlank):
      guard texts[item.rawValue] == nil else { break }
      versions += 1
      texts[item.rawValue] = Text(version: versions, isBlank: isBlank, characters: characters)
    case .itemRemoved(let item): gone.insert(item.rawValue)
    case .currentChanged(let item): if let item { gone.remove(item.rawValue) }
    case .lengthLimited(let characters): limit = min(max(characters, 1), 100_000)
    case .messageSent(let message): answered = message
    case .messageFailed(let message, _): answered = message
    default: break
    }
    if let answered, answered == outgoing {
      outgoing = nil
      if case .messageFailed = event { failed = answered }
    }
  }

  mutating func check(_ commands: [Composer.Command], _ composer: Composer, _ now: Instant) {
    for command in commands { follow(command, composer, now) }
    require(failed == nil, "a text that was not sent is lost")
    require(feedLocked == composer.isFocused && clipHeld == feedLocked, "lock, hold and focus disagree")
    if let bar {
      require((1...5).contains(bar.lines), "\(bar.lines) lines")
      require(!bar.isFocused || (bar.access == .open && composer.current != nil), "focus without a field")
      require(bar.isFocused == composer.isFocused, "the bar shows another focus")
      require(bar.lift >= 0, "the bar sinks")
      require(bar.buttons != (bar.isFocused ? .reactions : .send), "the buttons of another state")
    }
  }

  /// A deadline that outlives its `woke` would wake the host again and again.
  mutating func checkWake(_ wake: Instant?, _ now: Instant) {
    require(wake.map { $0 > now } ?? true, "a deadline outlives its woke")
  }

  private mutating func follow(_ command: Composer.Command, _ composer: Composer, _ now: Instant) {
    switch command {
    case .lockFeed(let isLocked):
      require(isLocked != feedLocked, "lockFeed twice")
      feedLocked = isLocked
    case .holdClip(let isHeld):
      require(isHeld != clipHeld, "holdClip twice")
      clipHeld = isHeld
    case .showBar(let bar):
      require(bar != self.bar, "the same bar again")
      self.bar = bar
    case .sendMessage(let message, let item): send(message, item, composer)
    case .cancelMessage(let message):
      require(message == outgoing, "cancels what is not on its way")
      outgoing = nil
      failed = message
    case .dropText(let item): drop(item.rawValue)
    case .sendReaction(let message, let item, _):
      require(item == composer.current && !composer.isFocused, "a reaction while somebody writes")
      lastMessage = message.rawValue
      reactions.append(now)
      let window = reactions.filter { now - $0 < Milliseconds(5_000) }.count
      require(window <= Int(Composer.reactionBurst) + 6, "\(window) reactions in 5 s")
    case .returnText(let message, let item): giveBack(message, item.rawValue)
    case .noticeUnsent(let item):
      require(gone.contains(item.rawValue), "gives a text up whose clip is there")
      failed = nil
    case .noticeReturned(let item): require(item != composer.current, "speaks of what everybody sees")
    case .leaveField, .showText, .askSignIn: break
    case .storeText(let item): require(texts[item.rawValue] != nil, "stores a text that is not there")
    }
  }

  private mutating func send(_ message: MessageID, _ item: ItemID, _ composer: Composer) {
    require(outgoing == nil, "two messages on their way")
    outgoing = message
    lastMessage = max(lastMessage, message.rawValue)
    guard let text = texts[item.rawValue] else { return require(false, "sends nothing") }
    require(!text.isBlank && text.characters <= limit, "sends a blank or too long text")
    let before = carried[message.rawValue]
    require(before == nil || before == text, "one message carries two texts")
    carried[message.rawValue] = text
    texts[item.rawValue] = nil
  }

  private mutating func giveBack(_ message: MessageID, _ item: Int32) {
    require(message == failed, "gives back what did not fail")
    failed = nil
    guard let text = carried[message.rawValue] else { return require(false, "gives nothing back") }
    guard let typed = texts[item] else { return texts[item] = text }
    versions += 1
    let characters = Int64(text.characters) + Int64(typed.characters) + 1
    texts[item] = Text(version: versions, isBlank: false, characters: Int32(clamping: characters))
  }

  private mutating func drop(_ item: Int32) {
    let text = texts.removeValue(forKey: item)
    guard let text, !gone.contains(item) else { return }
    require(answered.map { carried[$0.rawValue] == text } ?? false, "drops a text that was not sent")
  }

  private mutating func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds, broken == nil { broken = rule() }
  }
}
