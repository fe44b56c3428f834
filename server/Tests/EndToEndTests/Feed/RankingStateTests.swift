import Accounts
import Contract
import Foundation
import Measuring
import Platform
import Social
import Synchronization
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// What a process has learned, over kills, and beside others.
@Suite(.everyEngine) struct RankingStateTests {
  let bench: TestInstance
  let time = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  /// A process, as far as that can be told: it has learned nothing yet.
  func process(time other: (any TimeSource)? = nil) -> RecommendationStore {
    let instance = bench.instance
    return RecommendationStore(
      database: instance.database, time: other ?? time, blocking: Blocks(),
      state: instance.askedRanking(time: other ?? time))
  }

  func like(_ clips: [String], by viewer: String, in store: RecommendationStore) async throws {
    try await bench.instance.database.write {
      for clip in clips { try store.noted(.like, on: clip, by: viewer, in: $0) }
    }
  }

  private func merge(_ guest: String, into account: String, in store: RecommendationStore) async throws {
    try await bench.instance.database.write { try store.merge(guest, into: account, in: $0) }
  }

  /// As if the event about a clip had been made at another time.
  func move(_ clip: String, to ms: Int64) async throws {
    try await bench.instance.database.write {
      _ = try $0.execute(
        "UPDATE ranking_events SET id = ? WHERE clip_id = ?",
        [.text("\(EventLog.firstID(at: ms))-7000-8000-000000000000"), .text(clip)])
    }
  }

  func publish(_ count: Int) async throws -> [String] {
    var clips: [String] = []
    for number in 0..<count { clips.append(try await bench.publishBare("clip \(number)")) }
    return clips
  }

  @Test func whatStartsAgainKnowsWhatWasAcknowledged() async throws {
    let clips = try await publish(6)
    let first = process()
    try await like([clips[0], clips[1]], by: "me", in: first)
    #expect(try await first.taste(of: "me").authors.first?.clips == 2)
    #expect(try await first.saveIfDue())
    // Behind the snapshot, and then it is killed.
    try await like([clips[2]], by: "me", in: first)
    let second = process()
    #expect(try await second.taste(of: "me").authors.first?.clips == 3)
    #expect(await second.engine.likes(of: "me") == Array(clips[0..<3]))
  }

  @Test func aSnapshotThatIsDamagedCostsNothingThatIsInTheLog() async throws {
    let clips = try await publish(4)
    let first = process()
    try await like([clips[0], clips[1]], by: "me", in: first)
    try await first.reader.follow()
    #expect(try await first.saveIfDue())
    let instance = bench.instance
    let hash = try #require(try await first.state.snapshots.inUse().first)
    let name = try #require(BlobName(hash: hash, ext: "bin"))
    let size = try #require(try await instance.sources.size(name))
    for cut in [0, 10, size / 2, size - 1] {
      let file = instance.folder.appendingPathComponent("sources/\(name.shard)/\(name)")
      let whole = try Data(contentsOf: file)
      try Data(whole.prefix(cut)).write(to: file)
      let second = process()
      // A model that cannot be read says nothing of which events are in it.
      try await second.reader.follow()
      #expect(await second.engine.likes(of: "me") == Array(clips[0..<2]), "\(cut)")
      try whole.write(to: file)
    }
  }

  @Test func everyProcessLearnsWhatAnyOfThemIsTold() async throws {
    let clips = try await publish(6)
    let (one, other) = (process(), process())
    try await one.reader.follow()
    try await like([clips[0]], by: "me", in: one)
    try await like([clips[1]], by: "me", in: other)
    for process in [one, other] {
      #expect(try await process.taste(of: "me").authors.first?.clips == 2)
    }
    // One at a time makes a snapshot.
    #expect(try await one.state.snapshots.takeTurn())
    #expect(try await !other.saveIfDue())
    time.advance(ms: SnapshotStore.leaseMs + 1)
    #expect(try await other.saveIfDue())
    #expect(try await !one.saveIfDue())
    time.advance(ms: SnapshotStore.everyMs + 1)
    #expect(try await one.saveIfDue())
    #expect(try await one.state.snapshots.inUse().count == 1)
  }

  @Test func aSnapshotThatComesTooLateIsThrownAway() async throws {
    let clips = try await publish(2)
    let (one, other) = (process(), process())
    try await like([clips[0]], by: "me", in: one)
    for process in [one, other] { try await process.reader.follow() }
    let snapshots = one.state.snapshots
    // Another process was quicker.
    var takenMs = time.nowMs
    var taken = try #require(try await one.reader.state())
    time.advance(ms: 1)
    #expect(try await other.saveIfDue())
    let kept = try await snapshots.inUse()
    #expect(try await !snapshots.save(taken, takenMs: takenMs))
    #expect(try await snapshots.inUse() == kept)
    // Somebody may have left since of whom nobody knows any more.
    time.advance(ms: 1)
    takenMs = time.nowMs
    taken = try #require(try await one.reader.state())
    time.advance(ms: SnapshotStore.trustedMs)
    #expect(try await !snapshots.save(taken, takenMs: takenMs))
    #expect(try await snapshots.save(taken, takenMs: takenMs + 1))
  }

  @Test func whatBecomesVisibleLateIsLearnedOnce() async throws {
    let clips = try await publish(6)
    let reading = process()
    try await like([clips[0]], by: "me", in: reading)
    try await reading.reader.follow()
    // Its id was made before, and its transaction ends only now.
    try await like([clips[1]], by: "me", in: reading)
    try await move(clips[1], to: time.nowMs - 5_000)
    time.advance(ms: LogReader.lookbackMs)
    for _ in 0..<2 {
      try await reading.reader.follow()
      time.advance(ms: LogReader.lookbackMs)
    }
    #expect(Set(await reading.engine.likes(of: "me")) == [clips[0], clips[1]])
    #expect(await reading.reader.learned == 2)
  }

  @Test(arguments: [0, 86_400_000])
  func noEventIsMissedBehindASnapshotOfAClockThatWasAhead(_ aheadMs: Int64) async throws {
    let clips = try await publish(6)
    // An event of another server, and then the clock of the one that makes the snapshot.
    let first = process(time: TestTime(ms: time.nowMs + aheadMs))
    try await like([clips[0]], by: "me", in: first)
    try await move(clips[0], to: time.nowMs + aheadMs + 3_600_000)
    try await first.reader.follow()
    #expect(try await first.saveIfDue())
    try await like([clips[1]], by: "me", in: first)
    try await move(clips[1], to: time.nowMs + 1_000)
    let second = process(time: TestTime(ms: time.nowMs + 300_000))
    for _ in 0..<2 { try await second.reader.follow() }
    #expect(Set(await second.engine.likes(of: "me")) == [clips[0], clips[1]])
  }

  /// A snapshot's position is a minute back.
  @Test func whatIsInASnapshotIsNotLearnedAgainHoweverLateItIsUsed() async throws {
    let clips = try await publish(2)
    let first = process()
    try await like(clips, by: "me", in: first)
    for (place, clip) in clips.enumerated() { try await move(clip, to: time.nowMs - 30_000 + Int64(place)) }
    try await first.reader.follow()
    #expect(await first.reader.learned == 2)
    #expect(try await first.saveIfDue())
    let second = process(time: TestTime(ms: time.nowMs + 300_000))
    for _ in 0..<2 { try await second.reader.follow() }
    #expect(await second.reader.learned == 0)
    #expect(Set(await second.engine.likes(of: "me")) == Set(clips))
  }

  @Test func whoIsDeletedIsInNothingAnyMore() async throws {
    let clips = try await publish(4)
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let store = process()
    try await like([clips[0], clips[1]], by: ada, in: store)
    try await store.reader.follow()
    #expect(await store.engine.likes(of: ada).count == 2)
    _ = try await store.saveIfDue()
    try await accounts.delete(handle: "ada")
    time.advance(ms: LogReader.lookbackMs)
    try await store.reader.follow()
    #expect(await store.engine.likes(of: ada).isEmpty)
    // Neither in one that starts from the snapshot of before.
    let next = process()
    try await next.reader.follow()
    #expect(await next.engine.likes(of: ada).isEmpty)
    #expect(try await bench.count("ranking_events") == 0)
  }

  /// Longer than a look goes back over what came late.
  @Test func whoIsDeletedWhileAProcessIsHeldUpIsInNothingAnyMore() async throws {
    let clips = try await publish(2)
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let (following, saving) = (process(), process())
    try await like(clips, by: ada, in: following)
    for each in [following, saving] {
      try await each.reader.follow()
      #expect(await each.engine.likes(of: ada).count == 2)
    }
    try await accounts.delete(handle: "ada")
    time.advance(ms: 10 * LogReader.lateMs)
    try await following.reader.follow()
    #expect(await following.engine.likes(of: ada).isEmpty)
    // Nor is anything of it kept, whichever comes first.
    #expect(try await saving.saveIfDue())
    #expect(await saving.engine.likes(of: ada).isEmpty)
    // When nobody knows any more who left.
    try await bench.instance.database.write { _ = try $0.execute("DELETE FROM departures") }
    let next = process()
    try await next.reader.follow()
    #expect(await next.engine.likes(of: ada).isEmpty)
  }

  @Test func aClipThatComesBackWhileAProcessIsHeldUpIsFollowed() async throws {
    let clips = try await publish(2)
    let store = process()
    try await store.reader.follow()
    for visibility in [Visibility.private, .public] {
      try await show(clips[0], visibility)
      if visibility == .private { try await store.reader.refresh() }
    }
    #expect(await store.engine.clipCount == 1)
    time.advance(ms: 10 * LogReader.lateMs)
    try await store.reader.follow()
    #expect(await store.engine.clipCount == 2)
  }

  @Test func clipsThatComeGoAndComeBackAreFollowed() async throws {
    let clips = try await publish(3)
    let store = process()
    try await store.reader.follow()
    #expect(await store.engine.clipCount == 3)
    let another = try await bench.publishBare("another")
    try await store.reader.follow()
    #expect(await store.engine.clipCount == 4)
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        clips[0], caption: nil, tags: nil, visibility: .private, coverMs: nil, in: $0)
      try $0.execute("DELETE FROM clips WHERE id = ?", [.text(another)])
    }
    try await store.reader.refresh()
    #expect(await store.engine.clipCount == 2)
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        clips[0], caption: nil, tags: nil, visibility: .public, coverMs: nil, in: $0)
    }
    time.advance(ms: LogReader.lookbackMs)
    try await store.reader.follow()
    #expect(await store.engine.clipCount == 3)
  }

  func show(_ clip: String, _ visibility: Visibility) async throws {
    try await bench.instance.database.write { [bench] in
      _ = try bench.instance.clips.describe(
        clip, caption: nil, tags: nil, visibility: visibility, coverMs: nil, in: $0)
    }
  }

  /// Of a clip that is known already.
  @Test func anotherLanguageOrSoundOfAClipIsFollowed() async throws {
    let clips = try await publish(3)
    let store = process()
    try await like([clips[0]], by: "other", in: store)
    _ = await store.order(1, of: [], for: nil)
    #expect(!store.hasFront(in: "de"))
    try await bench.instance.database.write { [bench] in
      try bench.instance.clips.setLanguage("de-AT", of: clips[0], in: $0)
      try bench.instance.clips.setSound("a tune", of: clips[1], in: $0)
    }
    _ = try await store.dismiss(Dismissal(.sound, "a tune"), by: "me")
    time.advance(ms: LogReader.lookbackMs)
    _ = await store.order(1, of: [], for: nil)
    #expect(store.hasFront(in: "de"))
    let page = try #require(await store.order(3, of: [], for: "me"))
    #expect(Set(page.map(\.id)) == [clips[0], clips[2]])
    // What was learned of it is there as before.
    #expect(await store.engine.likes(of: "other") == [clips[0]])
  }

  /// Nobody has read the clip before: its first events count as well.
  @Test func aClipIsKnownBeforeWhatIsDoneWithIt() async throws {
    let store = process()
    try await store.reader.follow()
    let clip = try await bench.publishBare("new")
    try await like([clip], by: "me", in: store)
    try await store.reader.follow()
    #expect(await store.engine.likes(of: "me") == [clip])
  }

  @Test func aLikeThatIsTakenBackIsForgotten() async throws {
    let clips = try await publish(3)
    let social = try await bench.instance.social(.open)
    for clip in clips { _ = try await social.like(clip, by: "me") }
    _ = try await social.unlike(clips[1], by: "me")
    let store = process()
    #expect(try await store.taste(of: "me").authors.first?.clips == 2)
    #expect(await store.engine.likes(of: "me") == [clips[0], clips[2]])
  }

  @Test func whatOneViewerWasShownIsBounded() async throws {
    let clip = try await publish(1)[0]
    let store = process()
    let page = await store.order(1, of: [], for: "me") ?? []
    try await bench.instance.database.write { [time] transaction in
      for start in stride(from: 0, to: RecommendationStore.mostShown + 100, by: 100) {
        let rows = (start..<start + 100).map {
          "('walk \($0)', 'x', 'me', 0, \(time.nowMs - 1 - Int64($0)), '', 0, 0, 0)"
        }
        try transaction.execute(
          """
          INSERT INTO shown_clips (walk, clip_id, viewer_id, place, at_ms, reason, sources, propensity, score)
          VALUES \(rows.joined(separator: ", "))
          """)
      }
    }
    try await store.write(page.map { ($0, true) }, in: "one more", behind: 0, for: "me")
    #expect(try await bench.count("shown_clips") == Int64(RecommendationStore.mostShown + 2))
    #expect(try await store.shown(in: ["one more"]) == [clip])
  }

  @Test func whatIsTooOldIsSwept() async throws {
    let clips = try await publish(2)
    let oldMs = time.nowMs - RecommendationStore.retentionMs - 1
    let before = process(time: TestTime(ms: oldMs))
    try await like([clips[0]], by: "me", in: before)
    try await move(clips[0], to: oldMs)
    let page = await before.order(2, of: [], for: "me") ?? []
    try await before.write(page.map { ($0, true) }, in: "walk", behind: 0, for: "me")
    let yesterday = process(time: TestTime(ms: time.nowMs - RecommendationStore.frontRetentionMs - 1))
    try await yesterday.write(page.map { ($0, true) }, in: "front", behind: 0, for: nil)
    let store = process()
    try await like([clips[1]], by: "me", in: store)
    try await store.sweep()
    #expect(try await bench.count("ranking_events") == 1)
    #expect(try await bench.count("shown_clips") == 0)
  }

  // MARK: Guests who sign in

  @Test func whatAGuestTaughtIsForgottenWhereTheAccountWantsNothingLearned() async throws {
    let clips = try await publish(3)
    let store = process()
    try await like([clips[0], clips[1]], by: "guest", in: store)
    let page = await store.order(1, of: [], for: "guest") ?? []
    try await store.write(page.map { ($0, true) }, in: "walk", behind: 0, for: "guest")
    #expect(await store.engine.likes(of: "guest").count == 2)
    #expect(try await bench.count("shown_clips") == 1)
    _ = try await store.personalise(false, "account")
    try await merge("guest", into: "account", in: store)
    for each in [store, process()] {
      try await each.reader.follow()
      for viewer in ["guest", "account"] { #expect(await each.engine.likes(of: viewer).isEmpty) }
    }
    // What is left says only that it is to be forgotten.
    let kinds = try await bench.instance.database.read {
      try $0.query("SELECT DISTINCT kind FROM ranking_events").map { try $0.text("kind") }
    }
    #expect(kinds == ["forget"])
    #expect(try await bench.count("shown_clips") == 0)
  }

  @Test func whatAnAccountTaughtIsForgottenWhereItsGuestWantedNothingLearned() async throws {
    let clips = try await publish(2)
    let store = process()
    try await like(clips, by: "account", in: store)
    try await store.reader.follow()
    #expect(await store.engine.likes(of: "account").count == 2)
    _ = try await store.personalise(false, "guest")
    try await merge("guest", into: "account", in: store)
    #expect(try await !store.isPersonalised("account"))
    for each in [store, process()] {
      try await each.reader.follow()
      #expect(await each.engine.likes(of: "account").isEmpty)
    }
  }

  /// However late a process hears that the guest took it back.
  @Test func whatAGuestTookBackIsNotTakenFromTheAccount() async throws {
    let clips = try await publish(3)
    let store = process()
    try await like([clips[0]], by: "account", in: store)
    try await like([clips[1]], by: "guest", in: store)
    try await store.reader.follow()
    try await store.forgetTaste(of: "guest")
    try await like([clips[2]], by: "guest", in: store)
    try await merge("guest", into: "account", in: store)
    for each in [store, process()] {
      try await each.reader.follow()
      #expect(Set(await each.engine.likes(of: "account")) == [clips[0], clips[2]])
      #expect(await each.engine.likes(of: "guest").isEmpty)
    }
  }

  // MARK: Pages that nobody waits for

  private struct NotedScoring: CandidateScoring {
    let asked: Shared<Bool>

    func scores(of candidates: CandidateFeatures) async throws -> [Float] {
      asked.with { $0 = true }
      return candidates.clips.map { _ in 0 }
    }
  }

  /// A process in which something happens before each statement about what a viewer has seen.
  func processWithModel(
    beforeSeen: @escaping @Sendable () throws -> Void
  ) -> (store: RecommendationStore, asked: Shared<Bool>) {
    let state = process().state
    let asked = Shared(false)
    state.score(by: NotedScoring(asked: asked), within: .seconds(60))
    let hooked = HookedDatabase(database: bench.instance.database) { sql, _ in
      if sql.contains("FROM seen") { try beforeSeen() }
    }
    return (RecommendationStore(database: hooked, time: time, blocking: Blocks(), state: state), asked)
  }

  @Test func aPageStopsWhenNobodyWaitsForIt() async throws {
    _ = try await publish(3)
    let (store, asked) = processWithModel {}
    let isCancelled = Latch()
    let page = Task {
      await isCancelled.opened()
      return try await store.page(2, of: [], for: nil)
    }
    page.cancel()
    isCancelled.open()
    await #expect(throws: CancellationError.self) { try await page.value }
    // What was read for it is read.
    #expect(await store.engine.clipCount == 3)
    #expect(!asked.with { $0 })
    #expect(try await store.page(2, of: [], for: nil)?.count == 2)
    #expect(asked.with { $0 })
  }

  @Test func aPageThatIsCancelledWhileItReadsIsNotRanked() async throws {
    _ = try await publish(3)
    let running = Shared<Task<[RecommendedClip]?, any Error>?>(nil)
    let (store, asked) = processWithModel { running.with { $0?.cancel() } }
    // NB: the hook waits until it is told of the task.
    let page = running.with { running in
      let page = Task { try await store.page(2, of: [], for: "me") }
      running = page
      return page
    }
    await #expect(throws: CancellationError.self) { try await page.value }
    #expect(!asked.with { $0 })
  }

  @Test func aPageThatIsCancelledIsNoFailure() async throws {
    let (store, _) = processWithModel { throw CancellationError() }
    let registry = MetricRegistry()
    store.state.measure(by: registry)
    #expect(await store.order(2, of: [], for: "me") == nil)
    let text = registry.text()
    #expect(text.contains(#"clipfeed_ranking_pages_total{outcome="slow"} 1"#))
    #expect(!text.contains(#"clipfeed_ranking_pages_total{outcome="failed"} 1"#))
  }
}
