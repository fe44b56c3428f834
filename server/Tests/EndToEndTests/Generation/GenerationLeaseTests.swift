import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Generation
@testable import PlatformTesting
@testable import ServerTesting

/// Who works on what, whoever is killed when; and whose turn it is.
@Suite(.everyEngine) struct GenerationLeaseTests {
  /// Every call after the last one fails, as of a process that is gone: the last one was kept, and nobody
  /// heard of it.
  private struct DyingDatabase: Platform.Database {
    let real: any Platform.Database
    let last: Int
    let calls = Shared(0)

    var isDead: Bool { calls.with { $0 } >= last }

    private func around<Value>(_ work: () async throws -> Value) async throws -> Value {
      let number = calls.with {
        $0 += 1
        return $0
      }
      guard number <= last else { throw AppError(.unavailable) }
      let value = try await work()
      if number == last { throw AppError(.unavailable) }
      return value
    }

    func read<Value: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value { try await around { try await real.read(body) } }

    func readOnce<Value: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value { try await around { try await real.readOnce(body) } }

    func write<Value: Sendable>(
      _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value { try await around { try await real.write(body) } }
  }

  /// Rounds of both workers until nothing is under way.
  private func drain(_ bench: GenerationBench, _ generations: Generations, rounds: Int = 2000) async throws {
    for _ in 0..<rounds {
      try await bench.work(.asking, generations).run()
      try await bench.work(.storing, generations).run()
      bench.clock.advance(ms: 2000)
      let open = try await bench.bench.instance.database.read {
        try $0.query("SELECT COUNT(*) AS n FROM generations WHERE work <> ''")[0].integer("n")
      }
      if open == 0 { return }
    }
    Issue.record("something is stuck")
  }

  @Test func whereverAProcessEndsTheNextOneGoesOnAndItIsPaidOnce() async throws {
    var last = 1
    while true {
      let provider = ScriptedVideos()
      let bench = try await GenerationBench([provider])
      let drafts = NamedDrafts()
      let asked = try await bench.bare(drafts: drafts).request(
        NewGeneration(prompt: "a fox", seconds: 5), by: bench.mara, idempotencyKey: "the-only-one")
      let dying = DyingDatabase(real: bench.bench.instance.database, last: last)
      let first = bench.bare(on: dying, drafts: drafts)
      for _ in 0..<12 where !dying.isDead {
        _ = try? await bench.work(.asking, first).runNext()
        _ = try? await bench.work(.storing, first).runNext()
        bench.clock.advance(ms: 2000)
      }
      let wasCut = dying.isDead
      bench.clock.advance(ms: Generations.leaseMs + 1)
      try await drain(bench, bench.bare(drafts: drafts))
      let made = try await bench.bare().generation(asked.id, of: bench.mara)
      #expect(made.state == .ready, "cut after \(last) calls: \(made.state)")
      #expect(provider.keys == ["\(asked.id)-1"], "cut after \(last) calls")
      #expect(drafts.taken.with { $0 } == ["generation-\(asked.id)-1"])
      #expect(
        try await bench.sums() == ["available": 55, "held": 0, "issued": -60, "spent": 5],
        "cut after \(last) calls")
      guard wasCut else { break }
      last += 1
      try #require(last < 200, "it ends")
    }
    #expect(last > 10)
  }

  @Test func whoeverLostItChangesNothingAnyMore() async throws {
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }])
    let generations = bench.bare()
    _ = try await bench.ask()
    let first = try #require(try await generations.claimStart())
    #expect(first.state == .queued && first.attempts == 1)
    #expect(try await generations.claimStart() == nil)
    #expect(try await generations.claimDue(.ask) == nil)
    #expect(try await generations.renew(first))
    bench.clock.advance(ms: Generations.leaseMs + 1)
    let second = try #require(try await generations.claimDue(.ask))
    #expect(second.id == first.id && second.fencing == first.fencing + 1)
    #expect(try await !generations.renew(first))
    await #expect(throws: Generations.LostLease.self) {
      try await generations.change(first, "state = 'ready'", [])
    }
    try await generations.release(second)
    #expect(try await generations.claimDue(.ask)?.id == first.id)
  }

  @Test func whatIsCancelledGivesItsCreditsBackAndTheProviderIsTold() async throws {
    let provider = ScriptedVideos { _, _ in .never }
    let bench = try await GenerationBench([provider])
    let (waiting, begun) = (try await bench.ask("one"), try await bench.ask("two"))
    // One is cancelled before its turn, the other while it is made.
    try await bench.generations.end(waiting.id, by: bench.mara)
    try await bench.pass()
    #expect(try await bench.shown(begun).state == .queued)
    let held = try #require(try await bench.bare().claimDue(.ask))
    try await bench.generations.end(begun.id, by: bench.mara)
    await #expect(throws: Generations.LostLease.self) { try await bench.bare().finish(held) }
    #expect(try await bench.shown(begun).state == .cancelled)
    #expect(try await bench.left() == 60)
    try await bench.pass()
    #expect(provider.videos.map(\.isCancelled) == [true])
    #expect(try await bench.sums() == ["available": 60, "held": 0, "issued": -60])
    // Nobody is told of what they did themselves.
    #expect(try await bench.bench.count("notifications") == 0)
  }

  @Test func whatIsCancelledWhileItIsBegunIsNotMadeEither() async throws {
    let bench = try await GenerationBench([])
    let id = Shared("")
    let generations = bench.generations
    let mara = bench.mara
    /// Somebody cancels it while the provider is asked.
    struct Slow: VideoProvider {
      let inner = ScriptedVideos { _, _ in .never }
      let meanwhile: @Sendable () async throws -> Void
      var name: String { inner.name }
      var capabilities: VideoCapabilities { inner.capabilities }
      func create(_ request: VideoRequest, key: String) async throws -> String {
        let id = try await inner.create(request, key: key)
        try? await meanwhile()
        return id
      }
      func status(of id: String) async throws -> VideoStatus { try await inner.status(of: id) }
      func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
        try await inner.content(of: id, into: file, atMost: bytes)
      }
      func cancel(_ id: String) async throws { try await inner.cancel(id) }
    }
    let provider = Slow { try await generations.end(id.with { $0 }, by: mara) }
    bench.bench.instance.makers.take([provider])
    let asked = try await bench.ask()
    id.with { $0 = asked.id }
    try await bench.pass()
    #expect(provider.inner.videos.map(\.isCancelled) == [true])
    #expect(try await bench.shown(asked).state == .cancelled)
    #expect(try await bench.left() == 60)
  }

  @Test func aProviderThatFailsIsFollowedByTheNextAndSoLongAsThereIsPatience() async throws {
    let (first, second) = (
      ScriptedVideos("first") { _, _ in .refusing(ProviderFailure(.capacity, "full")) },
      ScriptedVideos("second") { _, number in
        number == 0 ? .failing(ProviderFailure(.providerError)) : .made(after: 1)
      }
    )
    let bench = try await GenerationBench([first, second])
    let asked = try await bench.ask()
    try await drain(bench, bench.bare())
    let made = try await bench.bare().generation(asked.id, of: bench.mara)
    #expect(made.state == .ready)
    // First, second; then, later, from the first again.
    #expect(first.videos.count == 2 && second.videos.count == 2)
    #expect(first.keys + second.keys == ["1", "3", "2", "4"].map { "\(asked.id)-\($0)" })
  }

  @Test func whatNobodyEverAnswersEndsWithItsCreditsBack() async throws {
    let provider = ScriptedVideos { _, _ in .never }
    let bench = try await GenerationBench([provider])
    let asked = try await bench.ask()
    for _ in 0..<40 {
      try await bench.work(.asking).run()
      try await bench.generations.expireLate()
      bench.clock.advance(ms: 5 * 60_000)
    }
    let over = try await bench.shown(asked)
    #expect(over.state == .failed || over.state == .expired, "\(over.state)")
    #expect(over.problem == .timeout || over.problem == .expired)
    #expect(provider.videos.allSatisfy { $0.isCancelled })
    #expect(try await bench.left() == 60)
    // Without any provider nobody works on it, and it ends all the same.
    let left = try await bench.ask("again")
    bench.bench.instance.makers.take([])
    bench.clock.advance(ms: 3 * 3_600_000)
    try await bench.generations.expireLate()
    #expect(try await bench.shown(left).state == .expired)
    #expect(try await bench.sums()?["held"] == 0)
  }

  @Test func whatIsMadeIsFetchedForLongerThanItMayTakeToMake() async throws {
    /// Done after 19 minutes, and not handed out before 22.
    struct Late: VideoProvider {
      let inner = ScriptedVideos { _, _ in .made(after: 1) }
      let clock: TestTime
      let startMs: Int64
      var name: String { inner.name }
      var capabilities: VideoCapabilities { inner.capabilities }
      var minutes: Int64 { (clock.nowMs - startMs) / 60_000 }
      func create(_ request: VideoRequest, key: String) async throws -> String {
        try await inner.create(request, key: key)
      }
      func status(of id: String) async throws -> VideoStatus {
        if minutes < 19 { return .inProgress(permille: 500, pollAfter: nil) }
        return try await inner.status(of: id)
      }
      func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
        if minutes < 22 { throw ProviderFailure(.capacity, "full") }
        try await inner.content(of: id, into: file, atMost: bytes)
      }
      func cancel(_ id: String) async throws { try await inner.cancel(id) }
    }
    let bench = try await GenerationBench([])
    let provider = Late(clock: bench.clock, startMs: bench.clock.nowMs)
    bench.bench.instance.makers.take([provider])
    let asked = try await bench.ask()
    let generations = bench.bare()
    for _ in 0..<60 {
      try await bench.work(.asking, generations).run()
      try await bench.work(.storing, generations).run()
      bench.clock.advance(ms: 30_000)
    }
    #expect(try await generations.generation(asked.id, of: bench.mara).state == .ready)
    #expect(provider.inner.keys == ["\(asked.id)-1"])
    #expect(provider.inner.videos.map(\.isCancelled) == [false])
    #expect(try await bench.sums() == ["available": 55, "held": 0, "issued": -60, "spent": 5])
  }

  @Test func turnsGoRoundAndEachPersonsOwnAreInOrder() async throws {
    let (people, each) = (20, 10)
    let provider = ScriptedVideos { _, number in
      number % 3 == 2 ? .failing(ProviderFailure(.providerError)) : .made(after: 1)
    }
    var rules = GenerationRules()
    (rules.mostUnderWay, rules.creditsPerDay, rules.creditsPerDayOfAll) = (each, 1000, 1_000_000)
    let bench = try await GenerationBench([provider], rules)
    let generations = bench.bare()
    var ids: [String: [String]] = [:]
    for person in 0..<people {
      let account = "person-\(person)"
      for number in 0..<each {
        let asked = try await generations.request(
          NewGeneration(prompt: "\(number)", seconds: 5), by: account, idempotencyKey: "key-\(number)-here")
        ids[account, default: []].append(asked.id)
      }
    }
    let last = try await generations.generation(try #require(ids["person-0"]?.last), of: "person-0")
    #expect(last.place == people * each)
    try await drain(bench, generations)
    #expect(provider.mostAtOnce <= 4)
    // Nobody has a second turn before everybody has had one.
    let starts = provider.keys.map { String($0.prefix(36)) }
    let owners = Dictionary(uniqueKeysWithValues: ids.flatMap { account, ids in ids.map { ($0, account) } })
    #expect(Set(starts.prefix(people).compactMap { owners[$0] }).count == people)
    for (account, own) in ids {
      var seen: Set<String> = []
      let order = starts.filter { owners[$0] == account && seen.insert($0).inserted }
      #expect(order == own, "\(account)")
    }
    // Totals are right: what is ready is paid for, and nothing else.
    var ready = 0
    for (account, own) in ids {
      for id in own {
        let one = try await generations.generation(id, of: account)
        #expect(one.state == .ready || one.state == .failed)
        if one.state == .ready { ready += 1 }
      }
    }
    let sums = try await bench.sums()
    #expect(sums?["held"] == 0 && sums?["spent"] == Int64(5 * ready))
    let spent = try await generations.spending(days: 2)
    #expect(spent.reduce(0) { $0 + $1.credits } == 5 * ready)
    #expect(spent.reduce(0) { $0 + $1.generations } == ready)
  }

  @Test func theOperatorStopsAllAndHasFailedOnesMadeForNothing() async throws {
    let provider = ScriptedVideos { _, number in
      number == 0 ? .failing(ProviderFailure(.invalid)) : .made(after: 1)
    }
    let bench = try await GenerationBench([provider])
    let generations = bench.bare()
    let failed = try await bench.ask("one")
    try await drain(bench, generations)
    #expect(try await generations.generation(failed.id, of: bench.mara).problem == .invalidRequest)
    #expect(await refusal { try await generations.retry("none") } == .generationNotFound)
    try await generations.retry(failed.id)
    _ = try await bench.ask("two")
    #expect(try await generations.overview(9).count == 2)
    #expect(try await generations.stopAll() == 2)
    #expect(try await bench.left() == 60)
    // What was stopped has not failed.
    #expect(await refusal { try await generations.retry(failed.id) } == .generationNotFound)
    #expect(try await bench.sums() == ["available": 60, "held": 0, "issued": -60])
  }

  @Test func whatIsMadeAgainIsAskedForUnderAKeyOfItsOwn() async throws {
    let provider = ScriptedVideos { _, number in
      number == 0 ? .failing(ProviderFailure(.invalid)) : .made(after: 1)
    }
    let bench = try await GenerationBench([provider])
    let drafts = NamedDrafts()
    let generations = bench.bare(drafts: drafts)
    let asked = try await bench.ask()
    try await drain(bench, generations)
    #expect(try await generations.generation(asked.id, of: bench.mara).state == .failed)
    bench.clock.advance(ms: 1)
    try await generations.retry(asked.id)
    try await drain(bench, generations)
    #expect(try await generations.generation(asked.id, of: bench.mara).state == .ready)
    let keys = provider.keys
    try #require(keys.count == 2)
    #expect(keys[0] == "\(asked.id)-1" && keys[1] != keys[0] && keys[1].hasPrefix(asked.id))
    #expect(drafts.taken.with { $0 } == ["generation-\(keys[1])"])
    // Once more is free.
    #expect(try await bench.left() == 60)
  }
}
