import CoreTypes
import Testing

@Suite struct QuantityTests {
  @Test func arithmeticSaturatesInsteadOfTrapping() {
    #expect(Bytes(.max) + Bytes(1) == Bytes(.max))
    #expect(Bytes(.min) - Bytes(1) == Bytes(.min))
    #expect(Bytes(0) - Bytes(.min) == Bytes(.max))
    #expect(Milliseconds(.max) * -2 == Milliseconds(.min))
    #expect(Instant(.min) - Instant(.max) == Milliseconds(.min))
  }

  @Test func transferTimeIsInMilliseconds() {
    #expect(Bytes(125_000).transferTime(at: BitsPerSecond(1_000_000)) == Milliseconds(1_000))
    #expect(Bytes(1).transferTime(at: .zero) == Milliseconds(.max))
  }

  @Test func theEarlierDeadlineWins() {
    #expect(earlier(nil, Instant(3)) == Instant(3))
    #expect(earlier(Instant(2), Instant(3)) == Instant(2))
    #expect(earlier(nil, nil) == nil)
  }
}

@Suite struct BackoffTests {
  @Test func waitsLongerAfterEachFailureUpToTheLimit() {
    var backoff = Backoff(first: Milliseconds(100), limit: Milliseconds(1_000))
    var generator = SeededGenerator(seed: 1)
    for failure in 0..<40 {
      backoff.failed(at: Instant(0), generator: &generator)
      let most: Int64 = min(1_000, Int64(100) << Int64(min(failure, 10)))
      let wait = backoff.until!.rawValue
      #expect(wait >= most / 2 && wait <= most)
    }
    #expect(!backoff.allows(at: Instant(0)))
    backoff.skipWait()
    #expect(backoff.allows(at: Instant(0)) && backoff.failures == 40)
    backoff.succeeded()
    #expect(backoff.failures == 0)
  }
}

@Suite struct ItemTableTests {
  @Test func findsWhatWasPutInAnyOrder() {
    var table = ItemTable<Int>()
    for raw: Int32 in [5, 1, 9, -3, 7] { table.set(Int(raw), for: ItemID(raw)) }
    table.set(50, for: ItemID(5))
    table.update(ItemID(9)) { $0 += 1 }
    table.remove(ItemID(1))
    #expect(table.count == 4)
    #expect(table[ItemID(5)] == 50 && table[ItemID(9)] == 10 && table[ItemID(-3)] == -3)
    #expect(table[ItemID(1)] == nil)
  }
}
