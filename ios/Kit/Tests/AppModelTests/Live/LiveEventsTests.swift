import Contract
import Foundation
import Synchronization
import Testing

@testable import AppModel

/// Connections that a test writes into.
private final class ScriptedStream: EventStream {
  private let state = Mutex<(asked: [String?], open: [AsyncThrowingStream<Data, any Error>.Continuation])>(
    ([], []))

  func bytes(after lastEventID: String?) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in
      state.withLock {
        $0.asked.append(lastEventID)
        $0.open.append(continuation)
      }
    }
  }

  var asked: [String?] { state.withLock { $0.asked } }
  func connection(_ number: Int) async -> AsyncThrowingStream<Data, any Error>.Continuation {
    while true {
      if let one = state.withLock({ $0.open.count > number ? $0.open[number] : nil }) { return one }
      await Task.yield()
    }
  }
}

/// Pauses end when a test says so.
final class ManualPause: PauseClock {
  private struct State {
    var count = 0
    var asked: [Duration] = []
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }
  private let state = Mutex(State())

  func pause(_ duration: Duration) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          // NB: a pause that nobody waits for any more was not asked for: a test that counts pauses would end
          // it in the place of one that comes later, and that one would never end.
          guard !Task.isCancelled else { return false }
          state.asked.append(duration)
          state.waiting[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
    try Task.checkCancellation()
  }

  var asked: [Duration] { state.withLock { $0.asked } }

  /// Ends all pauses, once there have been so many. Answers which there were until then: whoever goes on may
  /// ask for the next one before this returns.
  func end(after count: Int) async -> [Duration] {
    while asked.count < count { await Task.yield() }
    let (known, waiting) = state.withLock { state in
      let waiting = Array(state.waiting.values)
      state.waiting = [:]
      return (state.asked, waiting)
    }
    for one in waiting { one.resume() }
    return known
  }
}

@MainActor @Suite struct LiveEventsTests {
  private let stream = ScriptedStream()
  private let clock = ManualPause()
  private let announcements = Announcements()

  private func live(isWanted: @escaping () -> Bool = { true }) -> LiveEvents {
    LiveEvents(
      stream: stream, clock: clock, announcements: announcements, random: { 1 }, isWanted: isWanted)
  }

  private func event(_ id: String, _ kind: String, by name: String? = "Ann") throws -> Data {
    let event = LiveEvent(
      id: id, kind: kind, createdAt: Date(timeIntervalSince1970: 0),
      actor: name.map { Author(id: $0, handle: $0, name: $0) })
    return Data("id: \(id)\nevent: \(kind)\ndata: ".utf8) + (try WireCoding.encode(event)) + Data("\n\n".utf8)
  }

  @Test func eventsOfAMomentAreOneNoticeEachKind() async throws {
    let live = live()
    live.foregrounded()
    let connection = await stream.connection(0)
    for name in ["Ann", "Ben", "Cem"] { connection.yield(try event(name, "like", by: name)) }
    connection.yield(try event("f", "follow"))
    // The same once more, as after a cut.
    connection.yield(try event("f", "follow"))
    connection.yield(Data("event: like\ndata: nonsense\n\nevent: later\ndata: {}\n\n".utf8))
    var heard = 0
    live.onEvent { _ in
      heard += 1
      return false
    }
    while heard < 4 { await Task.yield() }
    _ = await clock.end(after: 1)
    while announcements.waiting.count < 2 { await Task.yield() }
    #expect(
      announcements.waiting.map(\.text) == [
        Sentence("%1$@ and %2$@ others like your clips.", [.verbatim("Ann"), .verbatim("2")]),
        Sentence("%@ follows you.", "Ann"),
      ])
    live.backgrounded()
  }

  @Test func whatSomebodyShowsIsNoNotice() async throws {
    let live = live()
    var heard: [String] = []
    live.onEvent { _ in true }
    live.onEvent {
      heard.append($0.id)
      return false
    }
    live.foregrounded()
    (await stream.connection(0)).yield(try event("a", "message"))
    while heard.isEmpty { await Task.yield() }
    #expect(clock.asked.isEmpty && announcements.waiting.isEmpty)
    live.backgrounded()
  }

  @Test func comesBackAfterACutWithTheLastIdLaterAndLater() async throws {
    let live = live()
    live.foregrounded()
    let first = await stream.connection(0)
    first.yield(Data("retry: 1000\nid: 7\nevent: ready\ndata: {}\n\n".utf8))
    first.finish(throwing: Unreachable())
    for number in 1...4 {
      _ = await clock.end(after: number)
      (await stream.connection(number)).finish()
    }
    _ = await clock.end(after: 5)
    #expect(stream.asked.prefix(2) == [nil, "7"] && stream.asked.last == "7")
    #expect(clock.asked.prefix(5) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16)])
    live.backgrounded()
  }

  @Test func aRefusalAndAHostileStreamAreAskedAgainAfterAMinute() async throws {
    let live = live()
    live.foregrounded()
    (await stream.connection(0)).finish(throwing: EventStreamRefusal(status: 401))
    _ = await clock.end(after: 1)
    let second = await stream.connection(1)
    second.yield(Data(repeating: 120, count: 20_000))
    #expect(await clock.end(after: 2) == [.seconds(60), .seconds(60)])
    live.backgrounded()
  }

  @Test func listensInFrontOnlyAndOnlyIfThereIsAnythingToHear() async throws {
    var isWanted = false
    let live = live { isWanted }
    live.foregrounded()
    #expect(stream.asked.isEmpty)
    isWanted = true
    live.backgrounded()
    live.listenAgain()
    await Task.yield()
    #expect(stream.asked.isEmpty)
    live.foregrounded()
    _ = await stream.connection(0)
    live.backgrounded()
    live.foregrounded()
    _ = await stream.connection(1)
    #expect(stream.asked == [nil, nil])
    live.backgrounded()
  }

  @Test func aResetSaysThatEventsMayBeMissing() async {
    let live = live()
    var gaps = 0
    live.onGap = { gaps += 1 }
    live.foregrounded()
    (await stream.connection(0)).yield(Data("event: reset\ndata: {}\n\n".utf8))
    while gaps == 0 { await Task.yield() }
    live.backgrounded()
  }

  @Test func waitsAreBoundedAndPartlyChance() {
    #expect(LiveEvents.wait(nil, 0, 0) == 1_000 && LiveEvents.wait(nil, 0, 1) == 2_000)
    #expect(LiveEvents.wait(600_000, .max, .nan) == 600_000)
    #expect(LiveEvents.wait(nil, 100, 1) == 60_000)
  }

  @Test func oneWhoDoesItOftenIsNamedOnce() {
    func likes(_ names: [String?], kind: String = LiveEvent.like) -> Sentence? {
      let events = names.enumerated().map { number, name in
        LiveEvent(
          id: "\(number)", kind: kind, createdAt: Date(timeIntervalSince1970: 0),
          actor: name.map { Author(id: $0, handle: $0, name: $0) })
      }
      return LiveNotice.sentences(of: events).first
    }
    #expect(likes(["Ann"]) == Sentence("%@ likes your clip.", "Ann"))
    #expect(likes(["Ann", "Ann"]) == Sentence("%@ likes your clips.", "Ann"))
    #expect(
      likes(["Ann", nil])
        == Sentence("%1$@ and %2$@ like your clips.", [.verbatim("Ann"), .key("Somebody")]))
    #expect(likes([]) == nil)
    let kinds = [LiveEvent.comment, LiveEvent.reply, LiveEvent.mention]
    #expect(
      kinds.compactMap { likes(["Ann"], kind: $0)?.key } == [
        "%@ commented on your clip.", "%@ replied to your comment.", "%@ mentioned you in a comment.",
      ])
    #expect(LiveEvent.kinds.allSatisfy { likes(["Ann"], kind: $0) != nil })
  }
}
