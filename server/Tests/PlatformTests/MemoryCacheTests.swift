import Platform
import Testing

@Suite struct MemoryCacheTests {
  @Test func itStaysWithinItsBounds() throws {
    let cache = MemoryCache(capacityBytes: 10_000)
    for number in 0..<5000 { cache.set("key \(number)", to: [UInt8](repeating: 0, count: 90), forMs: 60_000) }
    let kept = (0..<5000).filter { cache.get("key \($0)") != nil }
    #expect((50...110).contains(kept.count))
    #expect(kept.last == 4999)
    // One key that is set for ever takes the room of one.
    for _ in 0..<100_000 { cache.set("same", to: [1], forMs: 60_000) }
    #expect(cache.get("key 4999") != nil)
  }
}
