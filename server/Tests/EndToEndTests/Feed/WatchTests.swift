import Contract
import Foundation
import Platform
import SQLite
import Testing
import Videos
import Watching

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// An event with an id of its own.
func event(
  _ number: Int, _ kind: WatchEvent.Kind, _ clip: String, atMs: Int64, tookMs: Int64? = nil,
  watchedMs: Int64? = nil
) -> WatchEvent {
  WatchEvent(
    id: "event-of-a-test-\(number)", clipID: clip, kind: kind, atMs: atMs, tookMs: tookMs,
    watchedMs: watchedMs)
}

@Suite(.everyEngine) struct WatchStoreTests {
  private let bench: TestInstance
  private let time = TestTime(ms: 1_800_000_000_000)
  private let watching: WatchStore

  init() async throws {
    bench = try await TestInstance()
    watching = bench.instance.watching(time: time)
  }

  private func views(of clip: String) async throws -> Int {
    try await bench.instance.database.read { try Counters.clips.count(.views, of: clip, in: $0) }
  }

  private func events() async throws -> [String] {
    try await bench.instance.database.read {
      try $0.query("SELECT viewer_id, id FROM watch_events ORDER BY viewer_id, id").map {
        "\(try $0.text("viewer_id")) \(try $0.text("id").split(separator: "-").last ?? "")"
      }
    }
  }

  private func seen(_ viewer: String, _ clips: [String]) async throws -> Set<String> {
    try await bench.instance.database.read { try watching.seen(among: clips, by: viewer, in: $0) }
  }

  @Test func aBatchThatComesAgainCountsOnce() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    let now = time.nowMs
    let batch = WatchEvents([
      event(1, .impression, clip, atMs: now), event(2, .firstFrame, clip, atMs: now, tookMs: 80),
      event(3, .completion, clip, atMs: now), event(4, .impression, other, atMs: now),
      event(4, .completion, other, atMs: now),
    ])
    for _ in 0..<3 {
      #expect(try await watching.take(batch, of: "a") == WatchEventsTaken(accepted: 5))
      time.advance(ms: Limits.viewAgainMs / 2)
    }
    #expect(try await events() == ["a 1", "a 2", "a 3", "a 4"])
    #expect(try await views(of: clip) == 1)
    #expect(try await views(of: other) == 0)
    #expect(try await seen("a", [clip, other]) == [clip, other])
    #expect(try await seen("b", [clip, other]) == [])
    // An id is the viewer's own.
    _ = try await watching.take(
      WatchEvents([event(1, .completion, clip, atMs: time.nowMs)]), of: "b")
    #expect(try await views(of: clip) == 2)
  }

  @Test func aViewIsTwoSecondsOrTheEndAndOnceInHalfAnHour() async throws {
    let clip = try await bench.publishBare("clip")
    var number = 0
    func take(_ kind: WatchEvent.Kind, _ watchedMs: Int64? = nil) async throws -> Int {
      number += 1
      let event = event(number, kind, clip, atMs: time.nowMs, watchedMs: watchedMs)
      _ = try await watching.take(WatchEvents([event]), of: "a")
      return try await views(of: clip)
    }
    #expect(try await take(.impression) == 0)
    #expect(try await take(.skip, 1999) == 0)
    #expect(try await take(.progress, 2000) == 1)
    #expect(try await take(.completion) == 1)
    time.advance(ms: Limits.viewAgainMs - 1)
    #expect(try await take(.loop) == 1)
    time.advance(ms: 1)
    #expect(try await take(.completion) == 2)
    try await bench.instance.foldCounts()
    #expect(try await views(of: clip) == 2)
  }

  @Test func viewsOfABatchAreToldApartByClipAndTime() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    var number = 0
    func take(_ views: [(clip: String, minutesAgo: Int64)]) async throws {
      let events = views.map { view in
        number += 1
        return event(number, .completion, view.clip, atMs: time.nowMs - view.minutesAgo * 60_000)
      }
      _ = try await watching.take(WatchEvents(events), of: "a")
    }
    // Half an hour after the first, and after that again.
    try await take([(clip, 15), (other, 3), (clip, 70), (clip, 40), (other, 2), (clip, 50)])
    #expect(try await views(of: clip) == 2)
    #expect(try await views(of: other) == 1)
    try await take([(clip, 20), (clip, 5), (other, 0)])
    #expect(try await views(of: clip) == 3)
    #expect(try await views(of: other) == 1)
    let viewers = try await bench.instance.database.read {
      try Counters.reach.count(.viewers, of: clip, in: $0)
    }
    #expect(viewers == 1)
  }

  @Test func manyBatchesOfOneViewerAtOnceAreOneView() async throws {
    let clip = try await bench.publishBare("clip")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { [watching, time] in
          let events = [event(number, .completion, clip, atMs: time.nowMs)]
          _ = try await watching.take(WatchEvents(events), of: "a")
        }
      }
      try await group.waitForAll()
    }
    #expect(try await views(of: clip) == 1)
    #expect(try await events().count == 16)
  }

  @Test func whatIsTooOldOrFromTheFutureOrOfNoClipIsLeftOut() async throws {
    let (clip, hidden) = (try await bench.publishBare("clip"), try await bench.publishBare("hidden"))
    try await bench.instance.clips.setVisibility(of: hidden, to: .private)
    let now = time.nowMs
    let times = [
      now - Limits.eventAgeMs - 1, now - Limits.eventAgeMs, now + Limits.eventAheadMs,
      now + Limits.eventAheadMs + 1, 0,
    ]
    var batch = times.enumerated().map { event($0, .impression, clip, atMs: $1) }
    batch += [event(8, .impression, "none", atMs: now), event(9, .impression, hidden, atMs: now)]
    #expect(try await watching.take(WatchEvents(batch), of: "a").accepted == 2)
    #expect(try await events() == ["a 1", "a 2"])
    #expect(try await seen("a", [clip, hidden, "none"]) == [clip])
  }

  @Test func aClockThatIsWrongByYearsIsCorrected() async throws {
    let clip = try await bench.publishBare("clip")
    let theirs: Int64 = 1_000_000
    let batch = WatchEvents([event(1, .impression, clip, atMs: theirs - 500)], sentAtMs: theirs)
    #expect(try await watching.take(batch, of: "a").accepted == 1)
    let at = try await bench.instance.database.read {
      try $0.query("SELECT at_ms FROM watch_events")[0].integer("at_ms")
    }
    #expect(at == time.nowMs - 500)
  }

  @Test func rawEventsGoAfterAMonthAndWhatWasSeenStays() async throws {
    let clip = try await bench.publishBare("clip")
    _ = try await watching.take(
      WatchEvents([event(1, .completion, clip, atMs: time.nowMs)]), of: "a")
    time.advance(ms: WatchStore.retentionMs)
    _ = try await watching.take(WatchEvents([event(2, .completion, clip, atMs: time.nowMs)]), of: "a")
    #expect(try await watching.sweep() == 0)
    time.advance(ms: 1)
    #expect(try await watching.sweep() == 1)
    #expect(try await events() == ["a 2"])
    #expect(try await seen("a", [clip]) == [clip])
    #expect(try await views(of: clip) == 2)
  }

  @Test func whatAGuestWatchedIsTheAccountsAfterwardsAndGoneWithIt() async throws {
    let (clip, other) = (try await bench.publishBare("clip"), try await bench.publishBare("other"))
    let now = time.nowMs
    for (viewer, clips) in [("guest", [clip, other]), ("account", [clip])] {
      let batch = clips.enumerated().map { event($0, .completion, $1, atMs: now) }
      _ = try await watching.take(WatchEvents(batch), of: viewer)
    }
    try await bench.instance.database.write { [watching] in
      try watching.merge("guest", into: "account", in: $0)
    }
    #expect(try await seen("account", [clip, other]) == [clip, other])
    #expect(try await seen("guest", [clip, other]) == [])
    #expect(try await events() == ["account 0", "account 1"])
    // It is known when the guest's view was.
    _ = try await watching.take(
      WatchEvents([event(7, .completion, other, atMs: now + 1)]), of: "account")
    #expect(try await views(of: other) == 1)
    try await bench.instance.database.write { [watching] in try watching.erase("account", in: $0) }
    #expect(try await events() == [])
    #expect(try await seen("account", [clip, other]) == [])
    #expect(try await views(of: other) == 1)
  }
}

@Suite(.everyEngine) struct EventRequestTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private static let path = Route.events.path()

  /// A batch of one event, of which one field says something else.
  private static func body(_ name: String = "", _ value: String = "") -> String {
    var fields = ["id": #""event-01""#, "clip_id": #""none""#, "kind": #""impression""#, "at_ms": "5"]
    if !name.isEmpty { fields[name] = value }
    return #"{"events": [{"# + fields.map { #""\#($0)": \#($1)"# }.sorted().joined(separator: ", ") + "}]}"
  }

  @Test func aGuestsBatchIsTakenAndTheFeedKnowsIt() async throws {
    let (old, new) = (try await bench.publishBare("old"), try await bench.publishBare("new"))
    try await bench.serving { transport async throws in
      let (me, stranger) = (Browser(transport), Browser(transport))
      #expect(try await me.client.feed().items.map(\.id) == [new, old])
      #expect(!me.isKnown)
      let batch = WatchEvents([event(1, .impression, new, atMs: SystemTime().nowMs)])
      #expect(try await me.client.send(batch).accepted == 1)
      #expect(me.isKnown)
      let feed = try await me.client.feed()
      #expect(feed.items.map(\.id) == [old, new])
      #expect(feed.items.map(\.viewer) == [nil, ClipViewer(seen: true)])
      #expect(feed.nextCursor == nil)
      #expect(try await stranger.client.feed().items.map(\.id) == [new, old])
    }
  }

  @Test func aPageThatClosesSendsPlainText() async throws {
    let clip = try await bench.publishBare("clip")
    try await bench.serving { transport async throws in
      let batch = WatchEvents([event(1, .impression, clip, atMs: SystemTime().nowMs)])
      let body = try WireCoding.encode(batch)
      for (site, type, status) in [
        ("same-origin", "text/plain;charset=UTF-8", 202), ("cross-site", "text/plain;charset=UTF-8", 403),
        ("same-origin", "application/x-www-form-urlencoded", 415),
      ] {
        let answer = try await transport.send(
          WireRequest(
            "POST", Self.path, headers: ["content-type": type, "sec-fetch-site": site], body: body))
        #expect(answer.status == status, "\(site) \(type)")
      }
    }
  }

  @Test(arguments: [
    ("{}", "request_refused", "events"), (#"{"events": 1}"#, "request_refused", "events"),
    (#"{"events": []}"#, "invalid_parameter", "events"), ("[[[", "request_refused", ""),
    ("", "request_refused", ""),
    (#"{"events": [{"id": "event-01", "clip_id": "x", "at_ms": 1}]}"#, "request_refused", "events[0].kind"),
    (body("kind", #""dance""#), "request_refused", "events[0].kind"),
    (body("took_ms", #""1""#), "request_refused", "events[0].took_ms"),
    (body("took_ms", "1.5"), "request_refused", ""),
    (body("took_ms", "-1"), "invalid_parameter", "events[0].took_ms"),
    (body("watched_ms", "9223372036854775807"), "invalid_parameter", "events[0].watched_ms"),
    (body("watched_ms", "9223372036854775808"), "request_refused", ""),
    (body("at_ms", "-9223372036854775808"), "invalid_parameter", "events[0].at_ms"),
    (body("at_ms", "9223372036854775807"), "invalid_parameter", "events[0].at_ms"),
    (body("position", "1000001"), "invalid_parameter", "events[0].position"),
    (body("source", #""dream""#), "request_refused", "events[0].source"),
    (body("id", #""short""#), "invalid_parameter", "events[0].id"),
    (body("id", #""with a space""#), "invalid_parameter", "events[0].id"),
    (body("id", #""null\u0000null""#), "invalid_parameter", "events[0].id"),
    (body("clip_id", #""""#), "invalid_parameter", "events[0].clip_id"),
    (body("clip_id", #""null\u0000null""#), "invalid_parameter", "events[0].clip_id"),
    (body("kind", #""stall""#), "invalid_parameter", "events[0].took_ms"),
    (body("kind", #""skip""#), "invalid_parameter", "events[0].watched_ms"),
    (#"{"sent_at_ms": -1, "# + body().dropFirst(), "invalid_parameter", "sent_at_ms"),
  ])
  func aFieldThatIsWrongIsNamed(_ body: String, _ code: String, _ field: String) async throws {
    let answer = try await bench.serving { try await Browser($0).status("POST", Self.path, body) }
    #expect(answer.status == 400)
    #expect(answer.code == code)
    #expect(field.isEmpty || answer.detail.contains(field), "\(answer.detail)")
  }

  @Test func aBatchIsNotLongerThanItsLimit() async throws {
    try await bench.serving { transport async throws in
      let me = Browser(transport)
      let events = (0...Limits.eventsInBatch.upperBound).map {
        event($0, .impression, "none", atMs: SystemTime().nowMs)
      }
      await #expect(throws: Problem.self) { try await me.client.send(WatchEvents(events)) }
      #expect(!me.isKnown)
      #expect(try await me.client.send(WatchEvents(Array(events.dropLast()))).accepted == 0)
    }
  }

  @Test(arguments: [String(repeating: "[", count: 60_000), String(repeating: #"{"events":"#, count: 6000)])
  func aDeeplyNestedBodyIsRefused(_ body: String) async throws {
    let answer = try await bench.serving { try await Browser($0).status("POST", Self.path, body) }
    #expect(answer.status == 400)
    #expect(answer.code == "request_refused")
  }
}
