import Accounts
import Contract
import Foundation
import Platform

@testable import Composition
@testable import Generation
@testable import PlatformTesting
@testable import ServerTesting

/// An instance with clips from words, by a clock of the test.
struct GenerationBench {
  let bench: TestInstance
  let clock = TestTime(ms: SystemTime().nowMs)
  let accounts: Accounts
  let generations: Generations
  let mara: String

  init(_ providers: [any VideoProvider], _ rules: GenerationRules = GenerationRules()) async throws {
    bench = try await TestInstance()
    // What a day has of credits begins anew at its end, which is to be in no test that does not ask for it.
    let restMs = CreditLedger.dayMs - clock.nowMs % CreditLedger.dayMs
    if restMs < 600_000 { clock.advance(ms: restMs) }
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    mara = try await accounts.join("mara").id
    bench.instance.makers.take(providers, rules)
    generations = FeatureContext(bench.instance, time: clock).generations
  }

  /// As another process has it.
  func again(on database: any Platform.Database) -> Generations {
    FeatureContext(bench.instance, time: clock).generations(on: database)
  }

  func work(_ kind: GenerationWorker.Kind, _ other: Generations? = nil) -> GenerationWorker {
    GenerationWorker(generations: other ?? generations, kind: kind, workFolder: bench.instance.workFolder)
  }

  /// Everything that is due, conversions too; then time goes on.
  func pass(seconds: Int64 = 5) async throws {
    try await work(.asking).run()
    try await work(.storing).run()
    while try await bench.instance.worker(tools: bench.tools).runNext() {}
    clock.advance(ms: seconds * 1000)
  }

  func ask(
    _ prompt: String = "a fox", by account: String? = nil, seconds: Int = 5, key: String = UUID().uuidString
  ) async throws -> Generation {
    try await generations.request(
      NewGeneration(prompt: prompt, seconds: seconds), by: account ?? mara, idempotencyKey: key)
  }

  func shown(_ generation: Generation, to account: String? = nil) async throws -> Generation {
    try await generations.generation(generation.id, of: account ?? mara)
  }

  /// What is told of it at each pass, until it is over.
  func finish(_ generation: Generation, by account: String? = nil, passes: Int = 60) async throws
    -> [Generation]
  {
    var told: [Generation] = []
    for _ in 0..<passes {
      told.append(try await shown(generation, to: account))
      if told[told.count - 1].state.isOver { break }
      try await pass()
    }
    return told
  }

  func left(_ account: String? = nil) async throws -> Int {
    try await generations.offer(to: account ?? mara).creditsLeft
  }

  /// What the ledger says of each place, of all people; nil: its entries do not sum to zero.
  func sums() async throws -> [String: Int64]? {
    try await bench.instance.database.read { transaction in
      let wrong = try transaction.query(
        "SELECT entry FROM credit_entries GROUP BY entry HAVING SUM(amount) <> 0")
      guard wrong.isEmpty else { return nil }
      return try transaction.query(
        "SELECT place, CAST(SUM(amount) AS BIGINT) AS n FROM credit_entries GROUP BY place"
      ).reduce(into: [:]) { $0[try $1.text("place")] = try $1.integer("n") }
    }
  }
}

/// Drafts that are nothing but their names: where clips play no part.
struct NamedDrafts: GeneratedClips {
  let taken = Shared<Set<String>>([])
  /// That nobody can have back.
  let discarded = Shared<[String]>([])
  /// What happens while one is taken in.
  var meanwhile: @Sendable () async throws -> Void = {}

  func take(_ file: URL, key: String, for account: String) async throws -> (upload: String, clip: String) {
    taken.with { _ = $0.insert(key) }
    try await meanwhile()
    return ("upload-\(key)", "clip-\(key)")
  }

  func state(ofUpload upload: String) async throws -> GeneratedClipState { .ready }
  func publish(_ upload: String, _ details: ClipDetails) async throws {}
  func isShown(_ upload: String) async throws -> Bool { false }
  func discard(_ upload: String, forGood: Bool) async throws {
    if forGood { discarded.with { $0.append(upload) } }
  }
  func requireOwn(_ clip: String, of account: String, in transaction: any Transaction) throws {}
  func picture(of clip: String) async throws -> [UInt8] { [] }
}

extension GenerationBench {
  /// Without files and conversions.
  func bare(on database: (any Platform.Database)? = nil, drafts: NamedDrafts = NamedDrafts()) -> Generations {
    Generations(
      database: database ?? bench.instance.database, time: clock, cursorKeys: TokenKeys(secret: ""),
      makers: bench.instance.makers, clips: drafts, siteRules: bench.instance.siteRules,
      review: bench.instance.promptReview)
  }
}
