import CoreTypes
import Testing

@testable import Simulation

@Suite struct PersonTests {
  @Test func plansAreTheSameForTheSameSeed() {
    let library = ClipLibrary(seed: 1)
    func visits() -> [String] {
      Person(seed: 8).plan(library, visits: 60, device: Device()).visits.map { "\($0)" }
    }
    #expect(visits() == visits())
  }

  /// KuaiRand-Pure: 25 % below 2 s, 36 % below 3 s, half below 6 s, 26 % to the end.
  @Test func peopleStayAsLongAsTheyWereSeenToStay() {
    var chance = SeededGenerator(seed: 1)
    let library = ClipLibrary(seed: 2)
    var watched: [(time: Int64, whole: Bool)] = []
    for index in 0..<4_000 {
      let time = library.retention(index % 400).draw(&chance)
      watched.append((time.rawValue, time >= library.clip(index % 400).duration))
    }
    func share(_ matches: ((time: Int64, whole: Bool)) -> Bool) -> Double {
      Double(watched.filter(matches).count) / Double(watched.count)
    }
    #expect((0.2...0.3).contains(share { $0.time < 2_000 }))
    #expect((0.32...0.44).contains(share { $0.time < 3_000 }))
    #expect((0.45...0.57).contains(share { $0.time < 6_000 }))
    #expect((0.21...0.31).contains(share { $0.whole }))
  }

  @Test func survivalFallsFromOneAndAgreesWithTheDraws() {
    let retention = ClipLibrary(seed: 4).retention(3)
    var chance = SeededGenerator(seed: 6)
    let draws = (0..<4_000).map { _ in retention.draw(&chance) }
    var last = 1.0
    for second in 0...20 {
      let time = Milliseconds(Int64(second) * 1_000)
      let survival = retention.survival(at: time)
      #expect(survival <= last + 1e-9)
      last = survival
      let share = Double(draws.filter { $0 >= time }.count) / Double(draws.count)
      #expect(abs(share - survival) < 0.06, "at \(second) s")
    }
  }

  @Test func visitsLeadFromPageToPage() {
    let plan = Person(seed: 5).plan(
      ClipLibrary(seed: 5), watching: Milliseconds(300_000), device: Device())
    #expect(plan.watch >= Milliseconds(300_000))
    for (visit, next) in zip(plan.visits, plan.visits.dropFirst()) {
      #expect(abs(next.page - visit.page) == 1)
      #expect(visit.page >= 0)
    }
  }
}
