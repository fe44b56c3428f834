public import Contract
internal import Foundation

/// A clock that can be waited for.
///
/// `pause` returns after that time, or throws once the task that waits is cancelled.
public protocol PauseClock: Sendable {
  func pause(_ duration: Duration) async throws
}

/// The system's.
public struct SystemPauseClock: PauseClock {
  public init() {}
  public func pause(_ duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// Hears what others do with somebody's clips and what they write while it happens, and says it in notices.
/// One connection, and only while the app is in front: what happens else is for pushes to say.
///
/// It refuses to know how events come to be, and who shows one by itself.
@MainActor public final class LiveEvents {
  /// Events that come together are one notice.
  static let gathering = Duration.milliseconds(800)
  /// By how many ids the same event is known when it comes again after a cut.
  static let remembered = 200
  /// After an answer that is no stream, in milliseconds.
  static let afterRefusal: Int64 = 60_000
  static let firstRetry: Int64 = 2_000
  static let mostRetry: Int64 = 60_000

  private let stream: any EventStream
  private let clock: any PauseClock
  private let announcements: Announcements
  private let isWanted: () -> Bool
  /// 0…1, another one for each.
  private let random: () -> Double
  private var listeners: [(LiveEvent) -> Bool] = []
  /// Runs when events may be missing: what they told of is to be asked for.
  public var onGap: (() -> Void)?

  /// The stream is there: what happens from here on is heard.
  public private(set) var hasBegun = false
  private var isInFront = false
  private var listening: Task<Void, Never>?
  private var telling: Task<Void, Never>?
  private var gathered: [LiveEvent] = []
  private var known: [String] = []

  /// `isWanted`: whether there is anything to hear, of an account or of a guest who has written.
  public init(
    stream: any EventStream, clock: any PauseClock, announcements: Announcements,
    random: @escaping () -> Double = { Double.random(in: 0...1) }, isWanted: @escaping () -> Bool
  ) {
    self.stream = stream
    self.clock = clock
    self.announcements = announcements
    self.random = random
    self.isWanted = isWanted
  }

  /// `listener` hears of each event, and answers whether it shows it by itself: then it is no notice.
  public func onEvent(_ listener: @escaping (LiveEvent) -> Bool) { listeners.append(listener) }

  public func foregrounded() {
    isInFront = true
    begin()
  }

  public func backgrounded() {
    isInFront = false
    end()
  }

  /// Somebody else uses the app, or a guest has written: there may be something to hear now, or nothing
  /// more.
  public func listenAgain() {
    end()
    begin()
  }

  private func begin() {
    guard isInFront, listening == nil, isWanted() else { return }
    listening = Task { await listen() }
  }

  private func end() {
    listening?.cancel()
    listening = nil
    hasBegun = false
    telling?.cancel()
    telling = nil
    gathered = []
  }

  /// Comes back after each cut, with the last id, later and later while nothing comes.
  private func listen() async {
    var lastEventID: String?
    var failures = 0
    var asked: Int64?
    while !Task.isCancelled {
      var events = ServerSentEvents(lastEventID: lastEventID)
      var wasRefused = false
      do {
        for try await bytes in stream.bytes(after: lastEventID) {
          let complete = try events.take(bytes)
          guard !Task.isCancelled else { return }
          lastEventID = events.lastEventID
          for event in complete {
            failures = 0
            take(event)
          }
        }
      } catch is EventStreamRefusal {
        wasRefused = true
      } catch is ServerSentEvents.Failure {
        // Whoever sends such things is asked seldom, and not from where they began.
        wasRefused = true
        lastEventID = nil
      } catch {}
      guard !Task.isCancelled else { return }
      hasBegun = false
      asked = events.retry ?? asked
      let wait = wasRefused ? Self.afterRefusal : Self.wait(asked, failures, random())
      failures += 1
      guard (try? await clock.pause(.milliseconds(wait))) != nil else { return }
    }
  }

  /// In milliseconds. Half of it is chance, so that all phones do not come at once after a server's
  /// restart.
  static func wait(_ asked: Int64?, _ failures: Int, _ random: Double) -> Int64 {
    let doublings = min(max(failures, 0), 6)
    let whole = min((asked ?? firstRetry) << doublings, max(mostRetry, asked ?? 0))
    let share = random.isFinite ? min(max(random, 0), 1) : 1
    return whole / 2 + Int64(Double(whole / 2) * share)
  }

  private func take(_ event: ServerSentEvent) {
    hasBegun = true
    if event.name == LiveEvent.reset { onGap?() }
    // Of a change of a list there is nothing to say.
    let isQuiet = event.name == LiveEvent.notification
    guard isQuiet || LiveEvent.kinds.contains(event.name),
      let event = try? WireCoding.decode(LiveEvent.self, from: Data(event.data.utf8)),
      !known.contains(event.id)
    else { return }
    known.append(event.id)
    if known.count > Self.remembered { known.removeFirst() }
    // NB: all hear of it, also behind one that shows it.
    let isShown = listeners.map { $0(event) }.contains(true)
    guard !isShown, !isQuiet else { return }
    gathered.append(event)
    guard telling == nil else { return }
    telling = Task {
      guard (try? await clock.pause(Self.gathering)) != nil else { return }
      telling = nil
      let events = gathered
      gathered = []
      for sentence in LiveNotice.sentences(of: events) { announcements.post(sentence) }
    }
  }
}

/// What is said of events of one moment.
public enum LiveNotice {
  public static func sentences(of events: [LiveEvent]) -> [Sentence] {
    let kinds: [(String, Words)] = [
      (LiveEvent.like, likes), (LiveEvent.follow, follows), (LiveEvent.reaction, reactions),
      (LiveEvent.message, messages), (LiveEvent.comment, comments), (LiveEvent.reply, replies),
      (LiveEvent.mention, mentions),
    ]
    return kinds.compactMap { kind, words in sentence(of: events.filter { $0.kind == kind }, words) }
  }

  /// One did it once; one did it often; two did; one and so many others did.
  private typealias Words = (one: String, often: String, two: String, many: String)

  private static let likes: Words = (
    "%@ likes your clip.", "%@ likes your clips.", "%1$@ and %2$@ like your clips.",
    "%1$@ and %2$@ others like your clips."
  )
  private static let follows: Words = (
    "%@ follows you.", "%@ follows you.", "%1$@ and %2$@ follow you.", "%1$@ and %2$@ others follow you."
  )
  private static let reactions: Words = (
    "%@ reacted to your clip.", "%@ reacted to your clips.", "%1$@ and %2$@ reacted to your clips.",
    "%1$@ and %2$@ others reacted to your clips."
  )
  private static let messages: Words = (
    "%@ sent you a message.", "%@ sent you messages.", "%1$@ and %2$@ sent you messages.",
    "%1$@ and %2$@ others sent you messages."
  )
  private static let comments: Words = (
    "%@ commented on your clip.", "%@ commented on your clips.", "%1$@ and %2$@ commented on your clips.",
    "%1$@ and %2$@ others commented on your clips."
  )
  private static let replies: Words = (
    "%@ replied to your comment.", "%@ replied to your comments.",
    "%1$@ and %2$@ replied to your comments.", "%1$@ and %2$@ others replied to your comments."
  )
  private static let mentions: Words = (
    "%@ mentioned you in a comment.", "%@ mentioned you in comments.",
    "%1$@ and %2$@ mentioned you in comments.", "%1$@ and %2$@ others mentioned you in comments."
  )

  private static func sentence(of events: [LiveEvent], _ words: Words) -> Sentence? {
    guard let first = events.first else { return nil }
    let one = name(of: first)
    // Whoever has no account may be somebody else each time.
    var others: [LiveEvent] = []
    var names: Set<Sentence.Argument> = [one]
    for event in events.dropFirst() where event.actor == nil || names.insert(name(of: event)).inserted {
      others.append(event)
    }
    switch others.count {
    case 0: return Sentence(events.count == 1 ? words.one : words.often, [one])
    case 1: return Sentence(words.two, [one, name(of: others[0])])
    default: return Sentence(words.many, [one, .verbatim("\(others.count)")])
    }
  }

  private static func name(of event: LiveEvent) -> Sentence.Argument {
    guard let name = event.actor?.name, !name.isEmpty else { return .key("Somebody") }
    return .verbatim(name)
  }
}
