import Activity
import ActivityWire
import Contract
import CoreTypes
import Foundation
import Persistence
import PlaybackTesting
import Synchronization
import Testing

@testable import AppModel

/// The recorded sessions of fixtures/activity, which the web client's host plays too, and the host's own part.
@MainActor @Suite struct ActivityHostTests {
  private nonisolated static let traces = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../fixtures/activity").standardizedFileURL

  private static func numbers(_ text: Substring) -> [Int64] {
    text.split(separator: " ").compactMap { word in
      if word.hasSuffix(")") { return word.split(separator: "(").last.flatMap { Int64($0.dropLast()) } }
      return word.split(separator: "=").last.flatMap { Int64($0) }
    }
  }

  private func host(
    _ transport: ScriptedTransport = ScriptedTransport(), _ clock: ManualClock = ManualClock(),
    file: StoredFile<[PendingEvent]>? = nil, toggles: StoredFile<PendingToggles>? = nil,
    date: @escaping () -> Date = { Date(timeIntervalSince1970: 1_000) }
  ) -> ActivityHost {
    var count = 0
    let host = ActivityHost(
      client: Client(transport: transport), clock: clock, file: file, toggles: toggles, date: date,
      makeID: {
        count += 1
        return "event-\(count)"
      })
    host.describe = { ("clip \($0.rawValue)", .feed) }
    return host
  }

  @Test(arguments: ["watching", "toggles", "hostile"])
  func givesTheCommandsOfTheWebsHost(name: String) throws {
    let clock = ManualClock()
    let host = host(ScriptedTransport(), clock)
    var rows: [[Int64]] = []
    host.observer = { _, commands, wake in
      for command in commands {
        var words: [Int64] = []
        command.append(to: &words)
        rows.append([words[0]] + words.dropFirst(2))
      }
      if let wake { rows.append([34, wake.rawValue]) }
    }
    var expected: [[Int64]] = []
    var latest: Int64 = .min
    for line in try String(contentsOf: Self.traces.appending(path: "\(name).trace"), encoding: .utf8)
      .split(separator: "\n") where line != "malformed"
    {
      guard !line.hasPrefix("  ") else {
        expected.append(Self.numbers(line))
        continue
      }
      let words = Self.numbers(line)
      guard
        let event = Array(words.dropFirst()).withUnsafeBufferPointer({ Activity.Event(words: $0) })
      else { continue }
      latest = max(latest, words[0])
      clock.now = Instant(latest)
      host.report(event)
    }
    #expect(rows == expected)
  }

  private func taken(_ request: WireRequest) throws -> WatchEvents {
    try WireCoding.decode(from: try #require(request.body))
  }

  @Test func sendsWhatWasWatchedAgainUnderItsIdsUntilItIsAnswered() async throws {
    let clock = ManualClock()
    let answers = Mutex(0)
    let transport = ScriptedTransport { _ in
      let isFirst = answers.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { return WireResponse(status: 503, headers: [:], body: Data()) }
      return try ScriptedTransport.json(WatchEventsTaken(accepted: 2))
    }
    let host = host(transport, clock)
    host.report(.clipShown(ItemID(3), duration: Milliseconds(5_000), watched: nil))
    clock.advance(by: 80)
    host.report(.playing)
    clock.advance(by: 10_000)
    await host.settled()
    for _ in 0..<10 { clock.advance(by: 10_000) }
    await host.settled()
    #expect(transport.requests.count == 2)
    let first = try taken(transport.requests[0])
    #expect(first.events.map(\.kind) == [.impression, .firstFrame])
    #expect(first.events.map(\.clipId) == ["clip 3", "clip 3"])
    #expect(first.events[1].tookMs == 80)
    #expect(try taken(transport.requests[1]).events.prefix(2).map(\.id) == first.events.map(\.id))
  }

  @Test func losesNothingOfARunThatIsKilled() async throws {
    let folder = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = StoredFile<[PendingEvent]>(folder.appending(path: "events"))
    let clock = ManualClock()
    let killed = host(ScriptedTransport { _ in throw URLError(.notConnectedToInternet) }, clock, file: file)
    killed.report(.clipShown(ItemID(3), duration: Milliseconds(5_000), watched: nil))
    clock.advance(by: 90)
    killed.report(.playing)
    killed.report(.pageHidden)
    await killed.settled()
    #expect(file.load()?.count == 2)

    let transport = ScriptedTransport { _ in try ScriptedTransport.json(WatchEventsTaken(accepted: 2)) }
    let next = host(transport, ManualClock(), file: file)
    next.start()
    await next.settled()
    #expect(try taken(transport.requests[0]).events.map(\.id) == ["event-1", "event-2"])
    #expect(file.load() == nil)
  }

  private func pending(_ id: String, by viewer: String?) -> PendingEvent {
    PendingEvent(viewer: viewer, event: WatchEvent(id: id, clipID: "a", kind: .impression, atMs: 1_000))
  }

  private nonisolated static let changes: [(String?, String?, Bool)] = [
    ("ada", nil, false), ("ada", "bob", false), (nil, "ada", true),
  ]

  @Test(arguments: changes)
  func whatOneAccountWatchedIsNotSentAsTheNext(before: String?, after: String?, isSent: Bool) async throws {
    let clock = ManualClock()
    let transport = ScriptedTransport { _ in throw URLError(.notConnectedToInternet) }
    let host = host(transport, clock)
    var viewer = before
    host.viewerID = { viewer }
    host.report(.clipShown(ItemID(3), duration: Milliseconds(5_000), watched: nil))
    clock.advance(by: 10_000)
    await host.settled()
    let first = try taken(transport.requests[0]).events.map(\.id)
    viewer = after
    host.viewerChanged()
    for _ in 0..<5 {
      clock.advance(by: 10_000)
      await host.settled()
    }
    #expect(first == ["event-1"])
    let since = try transport.requests.dropFirst().map { try taken($0).events.map(\.id) }
    #expect(since == (isSent ? [first] : []))
    // What they watch themselves is sent.
    host.report(.clipShown(ItemID(4), duration: Milliseconds(5_000), watched: nil))
    for _ in 0..<10 {
      clock.advance(by: 10_000)
      await host.settled()
    }
    let last = try taken(try #require(transport.requests.last)).events.map(\.id)
    #expect(last == (isSent ? first : []) + ["event-2", "event-3"])
  }

  @Test func whatAnAccountWatchedGoesFromTheDiskWithIt() async {
    let folder = TemporaryFolder()
    let file = StoredFile<[PendingEvent]>(folder.url.appending(path: "events"))
    let host = host(ScriptedTransport { _ in throw URLError(.notConnectedToInternet) }, file: file)
    var viewer: String? = "ada"
    host.viewerID = { viewer }
    host.report(.clipShown(ItemID(3), duration: Milliseconds(5_000), watched: nil))
    host.report(.pageHidden)
    await host.settled()
    #expect(file.load()?.map(\.viewer) == ["ada"])
    viewer = nil
    host.viewerChanged()
    #expect(file.load() == nil)
  }

  @Test(arguments: [["theirs", "guests"], ["theirs"]])
  func whatSomebodyElseLeftIsNotSent(ids: [String]) async throws {
    let folder = TemporaryFolder()
    let file = StoredFile<[PendingEvent]>(folder.url.appending(path: "events"))
    file.save(ids.map { pending($0, by: $0 == "theirs" ? "ada" : nil) })
    let transport = ScriptedTransport { _ in try ScriptedTransport.json(WatchEventsTaken(accepted: 1)) }
    let host = host(transport, file: file)
    host.viewerID = { "bob" }
    host.start()
    await host.settled()
    #expect(
      try transport.requests.map { try taken($0).events.map(\.id) } == (ids.count > 1 ? [["guests"]] : []))
    #expect(file.load() == nil)
  }

  @Test func whatAnEarlierRunLeftIsNotSentOnOnceItsViewerHasLeft() async throws {
    let folder = TemporaryFolder()
    let file = StoredFile<[PendingEvent]>(folder.url.appending(path: "events"))
    file.save((0..<150).map { pending("event \($0)", by: "ada") })
    let gate = Gate()
    let transport = ScriptedTransport { _ in
      await gate.pass()
      return try ScriptedTransport.json(WatchEventsTaken(accepted: 100))
    }
    let host = host(transport, file: file)
    var viewer: String? = "ada"
    host.viewerID = { viewer }
    host.start()
    #expect(await eventually { transport.requests.count == 1 })
    viewer = nil
    host.viewerChanged()
    gate.open()
    await host.settled()
    #expect(transport.requests.count == 1)
    #expect(file.load() == nil)
  }

  /// As the app kept it before events had a viewer.
  @Test func whatNobodyKnowsWhoWatchedIsNotSent() async {
    let folder = TemporaryFolder()
    let old = StoredFile<[WatchEvent]>(folder.url.appending(path: "watch-events"))
    old.save([pending("old-event", by: nil).event])
    let transport = ScriptedTransport()
    let host = host(transport, file: FeedFiles(root: folder.url, caches: folder.url).events)
    host.start()
    await host.settled()
    #expect(old.load() != nil && transport.calls.isEmpty)
  }

  /// What later runs of the app ask the server for, by what the last one left.
  private func askedAgain(
    _ toggles: StoredFile<PendingToggles>, by viewer: String?, error: (any Error)? = nil
  ) async -> [String] {
    let next = host(toggles: toggles)
    var asked: [String] = []
    next.viewerID = { viewer }
    next.askAgain = { name, isOn in
      asked.append("\(name) \(isOn)")
      if let error { throw error }
    }
    next.start()
    await next.settled()
    return asked
  }

  @Test func aLikeOfARunThatIsEndedIsAskedForByTheNextUntilItIsAnswered() async {
    let folder = TemporaryFolder()
    let toggles = StoredFile<PendingToggles>(folder.url.appending(path: "toggles"))
    let killed = host(toggles: toggles)
    killed.viewerID = { "ada" }
    let toggle = ActivityHost.Toggle(
      send: { _ in
        try await Task.sleep(for: .seconds(600))
        return ActivityHost.Answer()
      }, confirm: { _, _ in }, revert: { _, _ in })
    killed.turn("like a", true, known: false, toggle)
    #expect(toggles.load() == nil)
    killed.report(.pageHidden)
    killed.stop()
    #expect(await askedAgain(toggles, by: "ada", error: Unreachable()) == ["like a true"])
    #expect(await askedAgain(toggles, by: "ada") == ["like a true"])
    #expect(await askedAgain(toggles, by: "ada").isEmpty)
    #expect(toggles.load() == nil)
  }

  @Test func whatSomebodyElseLikedIsNotAskedFor() async {
    let folder = TemporaryFolder()
    let toggles = StoredFile<PendingToggles>(folder.url.appending(path: "toggles"))
    toggles.save(PendingToggles(viewer: "ada", states: ["like a": true]))
    #expect(await askedAgain(toggles, by: "bob").isEmpty)
    #expect(toggles.load() == nil)
  }

  @Test func aNewerWishTakesThePlaceOfTheOneThatWasLeft() async {
    let folder = TemporaryFolder()
    let toggles = StoredFile<PendingToggles>(folder.url.appending(path: "toggles"))
    toggles.save(PendingToggles(viewer: nil, states: ["like a": true, "follow b": true]))
    let host = host(toggles: toggles)
    host.askAgain = { _, _ in throw Unreachable() }
    host.start()
    let toggle = ActivityHost.Toggle(
      send: { _ in ActivityHost.Answer() }, confirm: { _, _ in }, revert: { _, _ in })
    host.turn("like a", false, known: true, toggle)
    await host.settled()
    #expect(toggles.load()?.states == ["follow b": true])
  }

  @Test func keepsNothingThatTheServerWouldNotCount() async throws {
    let folder = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = StoredFile<[PendingEvent]>(folder.appending(path: "events"))
    file.save([pending("old-event", by: nil)])
    let transport = ScriptedTransport()
    let host = host(transport, file: file, date: { Date(timeIntervalSince1970: 1_000_000) })
    host.start()
    await host.settled()
    #expect(transport.calls.isEmpty)
  }
}
