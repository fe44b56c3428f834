import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Generation
@testable import PlatformTesting
@testable import ServerTesting

/// Whatever is done in whatever order: entries sum to zero, nobody owes anything, and everything is settled
/// once.
@Suite(.everyEngine) struct GenerationLedgerTests {
  private struct Model {
    var available: [String: Int64] = [:]
    var held: [String: Int64] = [:]
    var spent: Int64 = 0
    var open: [String: (viewer: String, price: Int64, day: Int64)] = [:]
    var over: [String: (viewer: String, price: Int64, day: Int64)] = [:]
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomSequencesAddUp(_ seed: UInt64) async throws {
    let bench = try await TestInstance()
    let clock = TestTime(ms: 100 * CreditLedger.dayMs)
    let ledger = CreditLedger(time: clock)
    var random = SplitMix(state: seed)
    var model = Model()
    var number = 0
    let allowance: Int64 = 30
    for _ in 0..<250 {
      let viewer = "viewer-\(random.next() % 4)"
      switch random.next() % 12 {
      case 0:
        clock.advance(ms: CreditLedger.dayMs)
        model.available = [:]
      case 1...5:
        number += 1
        let (id, price) = ("generation-\(number)", Int64(clamping: random.next() % 20))
        let code = await refusal {
          try await bench.instance.database.write { transaction in
            try ledger.lock(viewer, in: transaction)
            try ledger.open(viewer, allowance: allowance, in: transaction)
            try ledger.reserve(price, for: id, by: viewer, in: transaction)
          }
        }
        let had = model.available[viewer] ?? allowance
        #expect((code == nil) == (price <= had), "\(price) of \(had)")
        guard code == nil else { continue }
        model.available[viewer] = had - price
        model.held[viewer, default: 0] += price
        model.open[id] = (viewer, price, ledger.today)
      default:
        // Also what was settled before, in the other way.
        let isOpen = random.next() % 3 > 0
        let pool = isOpen ? model.open : model.over
        guard let id = pool.keys.sorted().randomElement(using: &random), let one = pool[id] else { continue }
        let isSpent = random.next() % 2 == 0
        try await bench.instance.database.write {
          try ledger.settle(
            one.price, of: id, by: one.viewer, day: one.day, isSpent: isSpent, in: $0)
        }
        guard isOpen else { continue }
        model.open[id] = nil
        model.over[id] = one
        model.held[one.viewer, default: 0] -= one.price
        if isSpent { model.spent += one.price }
        // NB: what comes back after its day is there until the next one begins.
        if !isSpent, one.price > 0 { try await giveBack(one.price, to: one.viewer, &model, bench, ledger) }
      }
      try await check(model, bench, ledger, allowance)
    }
  }

  /// The row has what it had of whatever day, and as much more.
  private func giveBack(
    _ price: Int64, to viewer: String, _ model: inout Model, _ bench: TestInstance, _ ledger: CreditLedger
  ) async throws {
    // Before its day has begun anew the row is not looked at.
    guard let known = model.available[viewer] else { return }
    model.available[viewer] = known + price
  }

  private func check(
    _ model: Model, _ bench: TestInstance, _ ledger: CreditLedger, _ allowance: Int64
  ) async throws {
    try await bench.instance.database.read { transaction in
      let wrong = try transaction.query(
        "SELECT entry FROM credit_entries GROUP BY entry HAVING SUM(amount) <> 0")
      #expect(wrong.isEmpty)
      for row in try transaction.query("SELECT * FROM generation_people") {
        let viewer = try row.text("viewer_id")
        let (available, held) = (try row.integer("available"), try row.integer("held"))
        #expect(available >= 0 && held == model.held[viewer] ?? 0)
        if try row.integer("day") == ledger.today { #expect(available == model.available[viewer]) }
        // The balances are what the entries say.
        for (place, amount) in [("available", available), ("held", held)] {
          let sum = try transaction.query(
            """
            SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS n FROM credit_entries WHERE viewer_id = ? AND place = ?
            """, [.text(viewer), .text(place)])[0].integer("n")
          #expect(sum == amount, "\(viewer) \(place)")
        }
        let seen = try ledger.balance(of: viewer, allowance: allowance, in: transaction)
        #expect(seen.available == model.available[viewer] ?? allowance)
      }
      let spent = try transaction.query(
        "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) AS n FROM credit_entries WHERE place = 'spent'")
      #expect(try spent[0].integer("n") == model.spent)
      let committed = try ledger.committed(on: ledger.today, in: transaction)
      #expect(committed >= 0)
    }
  }

  @Test func ofManyAtOnceAsManyGetCreditsAsThereAre() async throws {
    var rules = GenerationRules()
    (rules.creditsPerDay, rules.mostUnderWay) = (20, 100)
    let bench = try await GenerationBench([ScriptedVideos()], rules)
    let codes = await withTaskGroup(of: ErrorCode?.self) { group in
      for number in 0..<8 {
        group.addTask { await refusal { try await bench.ask(key: "key-number-\(number)") } }
      }
      return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
    }
    #expect(codes.count { $0 == nil } == 4 && codes.count { $0 == .insufficientCredits } == 4)
    #expect(try await bench.left() == 0)
    #expect(try await bench.sums() == ["available": 0, "held": 20, "issued": -20])
  }

  @Test func allPeopleTogetherHaveALimitOfADay() async throws {
    var rules = GenerationRules()
    rules.creditsPerDayOfAll = 12
    let bench = try await GenerationBench([ScriptedVideos { _, _ in .never }], rules)
    let paul = try await bench.accounts.join("paul").id
    let first = try await bench.ask()
    _ = try await bench.ask(by: paul)
    #expect(await refusal { try await bench.ask(by: paul) } == .insufficientCredits)
    // What is given back can be had by others.
    try await bench.generations.end(first.id, by: bench.mara)
    _ = try await bench.ask(by: paul)
    bench.clock.advance(ms: CreditLedger.dayMs)
    _ = try await bench.ask()
  }
}
