import Contract
import Foundation
import Logging
import Measuring
import Synchronization
import Testing

@testable import Composition
@testable import Gateway
@testable import Live
@testable import Platform
@testable import PlatformTesting
@testable import Redis
@testable import ServerTesting

/// A client of live events on a connection of its own: what EventSource does, by hand.
private final class Listener {
  struct Event: Equatable {
    var name = ""
    var data = ""
    var id = ""
  }

  private let socket: OpenSocket
  private(set) var lastID = ""

  init(_ port: Int, token: String, after: String? = nil) async throws {
    socket = try OpenSocket(port: port)
    let resumed = after.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    try socket.send(
      "GET /api/v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\(resumed)\r\n")
    let head = try #require(try await socket.read(through: "\r\n\r\n"))
    try #require(head.hasPrefix("HTTP/1.1 200 "), "\(head)")
    #expect(head.contains("text/event-stream"))
  }

  /// The next event, past heartbeats; nil if the stream has ended.
  func next() async throws -> Event? {
    while let block = try await piece() {
      var event = Event()
      for line in block.split(separator: "\n") {
        if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { event.data += line.dropFirst(6) }
      }
      if !event.id.isEmpty { lastID = event.id }
      if !event.data.isEmpty { return event }
    }
    return nil
  }

  func clipID() async throws -> String? {
    try await next().flatMap { try WireCoding.decode(LiveEvent.self, from: Data($0.data.utf8)).clipId }
  }

  private var blocks: [String] = []
  private var text = ""

  /// A block of the stream, out of the chunks of the transfer.
  private func piece() async throws -> String? {
    while blocks.isEmpty {
      guard let size = try await socket.read(through: "\r\n"), let count = Int(size.dropLast(), radix: 16),
        count > 0
      else {
        return nil
      }
      // Chunks of the server end where blocks do.
      guard let chunk = try await socket.read(through: "\r\n") else { return nil }
      // One character, as Swift sees it: CR and LF.
      text += chunk.dropLast()
      while let end = text.range(of: "\n\n") {
        blocks.append(String(text[..<end.lowerBound]))
        text = String(text[end.upperBound...])
      }
    }
    return blocks.removeFirst()
  }
}

/// A clock that a test sets.
private final class HandClock: TimeSource {
  private let now = Mutex<Int64>(SystemTime().nowMs)
  var nowMs: Int64 { now.withLock { $0 } }
  func advance(_ ms: Int64) { now.withLock { $0 += ms } }
}

@Suite(.everyEngine) struct LiveTests: Sendable {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func like(_ clip: String, by actor: String = "somebody") -> LiveNotice {
    LiveNotice(kind: LiveEvent.like, actorID: actor, clipID: clip)
  }

  private func append(_ hub: LiveHub, _ account: String, _ clips: [String]) async throws {
    let notices = clips.map { like($0) }
    try await bench.instance.database.write { transaction in
      for notice in notices { try hub.append(to: account, notice, in: transaction) }
    }
  }

  private func guest() async throws -> (id: String, token: String) {
    return GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys()).make(at: SystemTime())
  }

  /// The same for every reading test: events of the log as a stream tells them, without a socket.
  private func tell(
    _ hub: LiveHub, _ account: String, after: String?, until: @escaping @Sendable (String) -> Bool
  ) async throws -> String {
    let stream = try hub.open(account, after: after)
    let said = Mutex("")
    try await stream.run { text in
      let all = said.withLock { said in
        said += text
        return said
      }
      if until(all) { stream.close() }
    }
    return said.withLock { $0 }
  }

  private func lastID(_ text: String) -> String {
    text.split(separator: "\n").last { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) } ?? ""
  }

  private func clips(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.compactMap {
      try? WireCoding.decode(LiveEvent.self, from: Data($0.dropFirst(6).utf8)).clipId
    }
  }

  @Test func whatHappensIsHeardAtOnceByWhomItConcernsAndNobodyElse() async throws {
    let live = bench.instance.live(bus: nil)
    let (ann, bob) = (try await guest(), try await guest())
    try await bench.instance.serving(live: live) { [self] transport in
      let (first, second) = (
        try await Listener(transport.port, token: ann.token),
        try await Listener(transport.port, token: ann.token)
      )
      let other = try await Listener(transport.port, token: bob.token)
      for listener in [first, second, other] { #expect(try await listener.next()?.name == "ready") }
      try await append(live, ann.id, ["one"])
      try await append(live, bob.id, ["two"])
      let event = try #require(try await first.next())
      #expect(event.name == "like")
      let heard = try WireCoding.decode(LiveEvent.self, from: Data(event.data.utf8))
      #expect(heard.clipId == "one" && heard.actor == nil && heard.id.count == 36)
      #expect(try await second.clipID() == "one")
      #expect(try await other.clipID() == "two")
    }
  }

  @Test func aLikeAndAFollowAreHeardByTheAuthor() async throws {
    let clip = try await bench.publishBare("one")
    let author = try await bench.instance.database.read {
      try $0.query("SELECT id FROM authors")[0].text("id")
    }
    let token = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys()).token(of: author)
    try await bench.serving { transport async throws in
      let listener = try await Listener(transport.port, token: token)
      #expect(try await listener.next()?.name == "ready")
      for target in [Route.like.path(clip), Route.follow.path(author)] {
        #expect(try await transport.send(WireRequest("PUT", target)).status == 200)
      }
      #expect(try await listener.next()?.name == "like")
      #expect(try await listener.next()?.name == "follow")
    }
  }

  @Test func theOneWhoDidItIsNamedIfThereIsAName() async throws {
    let live = bench.instance.live(bus: nil)
    try await bench.publishBare("one")
    let author = try await bench.instance.database.read {
      try $0.query("SELECT id FROM authors")[0].text("id")
    }
    try await bench.instance.database.write { [self] transaction in
      try live.append(to: "ann", like("one", by: author), in: transaction)
    }
    let events = try await bench.instance.liveLog.events(of: "ann", from: .at(0), limit: 10)
    #expect(events.map(\.actor?.handle) == ["me"])
  }

  @Test func aNoticeThatComesAgainIsKeptOnceAndWhatOneDoesOneselfNotAtAll() async throws {
    let live = bench.instance.live(bus: nil)
    try await append(live, "ann", ["one", "one", "two"])
    try await append(live, "ann", ["one"])
    try await append(live, "somebody", ["three"])
    #expect(
      try await bench.instance.liveLog.events(of: "ann", from: .at(0), limit: 10).map(\.clipId) == [
        "one", "two",
      ])
    #expect(try await bench.instance.liveLog.events(of: "somebody", from: .at(0), limit: 10).isEmpty)
  }

  @Test func whatWasRolledBackIsNeverHeard() async throws {
    struct Broken: Error {}
    let live = bench.instance.live(bus: nil)
    let stream = try live.open("ann", after: nil)
    await #expect(throws: Broken.self) {
      try await bench.instance.database.write { [self] transaction in
        try live.append(to: "ann", like("one"), in: transaction)
        throw Broken()
      }
    }
    #expect(try await bench.instance.liveLog.events(of: "ann", from: .at(0), limit: 10).isEmpty)
    stream.signals.raise(.heartbeat)
    #expect(await stream.signals.wait() == .heartbeat)
  }

  @Test func aClientThatComesBackHasMissedNothingAndHearsNothingTwice() async throws {
    let live = bench.instance.live(bus: nil)
    let ann = try await guest()
    try await bench.instance.serving(live: live) { [self] transport in
      var after: String?
      var heard: [String] = []
      for round in 0..<6 {
        let listener = try await Listener(transport.port, token: ann.token, after: after)
        #expect(try await listener.next()?.name == "ready")
        try await append(live, ann.id, (0..<5).map { "\(round)-\($0)" })
        // It is cut somewhere in the middle, and things happen while it is away.
        while heard.count < round * 10 + (round % 5), let clip = try await listener.clipID() {
          heard.append(clip)
        }
        after = listener.lastID
        try await append(live, ann.id, (5..<10).map { "\(round)-\($0)" })
      }
      let last = try await Listener(transport.port, token: ann.token, after: after)
      _ = try await last.next()
      while heard.count < 60, let clip = try await last.clipID() { heard.append(clip) }
      #expect(heard == (0..<6).flatMap { round in (0..<10).map { "\(round)-\($0)" } })
    }
  }

  @Test func whatBecomesVisibleLateIsHeardAllTheSame() async throws {
    let live = bench.instance.live(bus: nil)
    let text = try await tell(live, "ann", after: nil) { [database = bench.instance.database] said in
      // An id of before the stream began, by a transaction that ends only now.
      if said.contains("ready"), !said.contains("data: {\"") {
        let id = LiveStart.firstID(at: SystemTime().nowMs - 3000) + "-7000-8000-00000000abcd"
        // NB: it holds nothing that is to go with the test.
        Task {
          try await database.write {
            try $0.execute(
              """
              INSERT INTO live_events (account, id, about, kind, actor_id, clip_id, created_at_ms)
              VALUES ('ann', ?, 'x', 'like', 'somebody', 'late', 0)
              """, [.text(id)])
          }
          await live.poll(beating: false)
        }
      }
      return said.contains("late")
    }
    #expect(clips(text) == ["late"])
  }

  /// However long a transaction takes, and whoever came or came back meanwhile.
  @Test(.enabled(if: PostgresServer.isThere, "SQLite has one writer, for whom everybody waits"))
  func whatATransactionOfMinutesWritesIsHeardByEverybodyItConcerns() async throws {
    guard OnEveryDatabase.current == .postgreSQL else { return }
    let clock = HandClock()
    let log = LiveLog(database: bench.instance.database, time: clock)
    let never = Duration.seconds(100_000)
    let hubs = (0..<3).map { _ in LiveHub(log: log, bus: MemoryCache(), time: clock, pollEvery: never) }
    let isThere = Shared(false)
    let stays = Task {
      try await tell(hubs[1], "ann", after: nil) { said in
        isThere.with { $0 = true }
        return said.contains("slow")
      }
    }
    try await eventually("nobody listens") { isThere.with { $0 } }
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let end = DispatchSemaphore(value: 0)
    let writing = Task {
      // On a thread of its own, as every transaction of PostgreSQL is.
      try await bench.instance.database.write { [self] transaction in
        try hubs[0].append(to: "ann", like("slow"), in: transaction)
        begin.yield()
        // A transaction that is idle for long is ended by the server, and this one may be in a busy machine.
        while end.wait(timeout: .now() + 5) == .timedOut { _ = try transaction.query("SELECT 1 AS one", []) }
      }
    }
    for await _ in begun { break }
    var places: [String] = []
    for minute in 0..<3 {
      clock.advance(60_000)
      await hubs[1].poll(beating: true)
      // One who came new, and one who came back, to another server.
      let text = try await tell(hubs[2], "ann", after: places.last) { $0.contains("ready") }
      places.append(lastID(text))
      try await append(hubs[2], "bob", ["quick \(minute)"])
    }
    end.signal()
    try await writing.value
    await hubs[1].poll(beating: false)
    #expect(clips(try await stays.value) == ["slow"])
    for place in places {
      #expect(clips(try await tell(hubs[2], "ann", after: place) { $0.contains("slow") }) == ["slow"])
    }
    #expect(try await log.settledMs() == clock.nowMs - LiveLog.clocksMs)
  }

  @Test func whoWasAwayForTooLongIsToldSo() async throws {
    let clock = HandClock()
    let log = LiveLog(database: bench.instance.database, time: clock)
    let live = LiveHub(log: log, bus: MemoryCache(), time: clock)
    let first = try await tell(live, "ann", after: nil) { $0.contains("ready") }
    try await append(live, "ann", ["one"])
    clock.advance(LiveLog.retentionMs + 60_000)
    #expect(try await log.sweep() == 1)
    let text = try await tell(live, "ann", after: lastID(first)) { $0.contains("reset") }
    #expect(text.contains("event: reset\n") && !text.contains("event: ready"))
    // From there on it goes as ever.
    try await append(live, "ann", ["two"])
    let later = try await tell(live, "ann", after: lastID(text)) { $0.contains("two") }
    #expect(clips(later) == ["two"])
  }

  @Test func whoHasMissedMoreThanAnybodyReadsIsToldSo() async throws {
    let live = bench.instance.live(bus: nil)
    let first = try await tell(live, "ann", after: nil) { $0.contains("ready") }
    try await append(live, "ann", (0..<LiveStream.missedAtMost + 1).map { "\($0)" })
    let text = try await tell(live, "ann", after: lastID(first)) { $0.contains("reset") }
    #expect(text.contains("event: reset\n"))
  }

  @Test(arguments: [
    "", "x", "zzzzzzzzzzzzzzzzzzzzzzzzz", "-1", "1.2", "0.DEADBEEF", "0", String(repeating: "a", count: 5000),
    "é", "1 OR 1=1",
  ])
  func aPlaceThatIsNoneStartsAnew(_ after: String) async throws {
    let live = bench.instance.live(bus: nil)
    #expect(try await tell(live, "ann", after: after) { $0.contains("event") }.contains("event: reset\n"))
  }

  @Test func strangersHearNothing() async throws {
    try await bench.serving { transport async throws in
      let answer = try await transport.send(WireRequest("GET", "/api/v1/live"))
      #expect(answer.status == 401)
      #expect(try WireCoding.decode(Problem.self, from: answer.body).status == 401)
    }
  }

  @Test func aStreamThatNobodyHearsAnyMoreIsGone() async throws {
    let registry = MetricRegistryProbe()
    let live = bench.instance.live(bus: nil, metrics: registry.registry)
    let ann = try await guest()
    try await bench.instance.serving(live: live) { transport in
      do {
        let listener = try await Listener(transport.port, token: ann.token)
        #expect(try await listener.next()?.name == "ready")
        #expect(registry.connections == 1)
      }
      try await eventually("the stream is kept") { registry.connections == 0 }
    }
  }

  @Test func theOldestOfTooManyStreamsGivesWay() async throws {
    let live = bench.instance.live(bus: nil)
    let ann = try await guest()
    try await bench.instance.serving(live: live) { [self] transport in
      var listeners: [Listener] = []
      for _ in 0...LiveHub.streamsOfAnAccount {
        let listener = try await Listener(transport.port, token: ann.token)
        #expect(try await listener.next()?.name == "ready")
        listeners.append(listener)
      }
      #expect(try await listeners[0].next() == nil)
      try await append(live, ann.id, ["one"])
      #expect(try await listeners[1].clipID() == "one")
    }
  }

  @Test func anAccountIsErasedAndAGuestBecomesOne() async throws {
    let live = bench.instance.live(bus: nil)
    let log = bench.instance.liveLog
    try await append(live, "guest", ["one"])
    try await append(live, "ann", ["one", "two"])
    try await bench.instance.database.write { [self] transaction in
      try live.append(to: "guest", like("own", by: "ann"), in: transaction)
      try live.append(to: "ann", like("own", by: "guest"), in: transaction)
      try live.append(to: "bob", like("three", by: "guest"), in: transaction)
      try log.merge("guest", into: "ann", in: transaction)
    }
    #expect(try await log.events(of: "guest", from: .at(0), limit: 10).isEmpty)
    #expect(try await log.events(of: "ann", from: .at(0), limit: 10).map(\.clipId) == ["one", "two"])
    #expect(try await log.events(of: "bob", from: .at(0), limit: 10).map(\.clipId) == ["three"])
    try await bench.instance.database.write { try log.erase("ann", in: $0) }
    for account in ["ann", "bob"] {
      #expect(try await log.events(of: account, from: .at(0), limit: 10).isEmpty)
    }
  }

  @Test func aServerThatStopsEndsItsStreamsWellAndTheNextOneGoesOn() async throws {
    let ann = try await guest()
    let first = try bench.program(["serve", "--port", "0", "--workers", "0"])
    let listener = try await Listener(try first.port(), token: ann.token)
    #expect(try await listener.next()?.name == "ready")
    kill(first.process.processIdentifier, SIGTERM)
    #expect(try await listener.next() == nil)
    let (status, output) = first.end()
    #expect(status == 0 && output.contains("Clipfeed has stopped."), "\(output)")
    try await append(bench.instance.live(bus: nil), ann.id, ["one"])
    let second = try bench.program(["serve", "--port", "0", "--workers", "0"])
    let again = try await Listener(try second.port(), token: ann.token, after: listener.lastID)
    #expect(try await again.next()?.name == "ready")
    #expect(try await again.clipID() == "one")
    kill(second.process.processIdentifier, SIGTERM)
    _ = second.end()
  }

  @Test func withoutASharedCacheNewsOfOtherProcessesComeByLooking() async throws {
    let live = LiveHub(
      log: bench.instance.liveLog, bus: MemoryCache(), time: SystemTime(), pollEvery: .milliseconds(20))
    let other = bench.instance.live(bus: nil)
    let ann = try await guest()
    try await bench.instance.serving(live: live) { [self] transport in
      let listener = try await Listener(transport.port, token: ann.token)
      #expect(try await listener.next()?.name == "ready")
      try await append(other, ann.id, ["one"])
      #expect(try await listener.clipID() == "one")
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/redis-server"), "needs redis-server"))
  func throughARedisNewsReachOtherProcessesAndAfterItWasAwayNothingIsMissing() async throws {
    let redis = try RedisProcess()
    try redis.start()
    func cache() async throws -> RedisCache {
      let cache = try RedisCache(
        RedisAddress(redis.address), prefix: "x:",
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        patience: .quick)
      await cache.start()
      return cache
    }
    let caches = (try await cache(), try await cache())
    // They never look by themselves: what comes, comes by the cache.
    let hubs = [caches.0, caches.1].map {
      LiveHub(log: bench.instance.liveLog, bus: $0, time: SystemTime(), pollEvery: .seconds(100_000))
    }
    let ann = try await guest()
    try await bench.instance.serving(live: hubs[0]) { [self] transport in
      let listener = try await Listener(transport.port, token: ann.token)
      #expect(try await listener.next()?.name == "ready")
      try await append(hubs[1], ann.id, ["one"])
      #expect(try await listener.clipID() == "one")
      redis.stop()
      try await eventually("it is still there") { (try? await caches.1.check()) == nil }
      try await append(hubs[1], ann.id, ["two"])
      try redis.start()
      #expect(try await listener.clipID() == "two")
    }
  }
}

/// Reads what a registry would tell.
private struct MetricRegistryProbe: Sendable {
  let registry = MetricRegistry()

  var connections: Double? { MetricsPageReader(registry.text()).samples["clipfeed_live_connections"] }
}
