import Platform
import Testing

@testable import PlatformTesting

@Suite struct ShortMemoryTests {
  @Test func whatWasFoundCountsForItsLifeAndNoLonger() async throws {
    let time = TestTime()
    let memory = TTLCache<Int, Int64>(lifeMs: 10, limit: 4, time: time)
    let find = { @Sendable in time.nowMs }
    let first = try await memory.value(1, orFind: find)
    time.advance(ms: 9)
    #expect(try await memory.value(1, orFind: find) == first)
    time.advance(ms: 1)
    #expect(try await memory.value(1, orFind: find) == first + 10)
    // A clock that was set back must not keep it alive.
    time.advance(ms: -1000)
    #expect(try await memory.value(1, orFind: find) == first - 990)
    memory.forget()
    time.advance(ms: 1)
    #expect(try await memory.value(1, orFind: find) == first - 989)
  }

  @Test func whatIsForgottenWhileItIsLookedUpIsNotKept() async throws {
    let memory = TTLCache<Int, String>(lifeMs: 1000, limit: 4, time: TestTime())
    let stale = try await memory.value(1) {
      memory.forget()
      return "before"
    }
    #expect(stale == "before")
    #expect(try await memory.value(1) { "after" } == "after")
  }

  @Test func itHoldsNoMoreThanItsLimit() async throws {
    let memory = TTLCache<Int, Int>(lifeMs: 1000, limit: 64, time: TestTime())
    for key in 0..<1000 { _ = try await memory.value(key) { 0 } }
    var kept = 0
    // NB: from the last on, since what is looked up anew takes the place of others.
    for key in (0..<1000).reversed() where try await memory.value(key, orFind: { 1 }) == 0 { kept += 1 }
    #expect((1...64).contains(kept))
  }
}
