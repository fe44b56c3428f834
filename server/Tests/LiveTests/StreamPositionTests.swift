import Testing

@testable import Live

/// The place in the stream of events at which a client goes on.
@Suite struct StreamPositionTests {
  @Test func aPlaceIsWhatItsTextSays() throws {
    var place = StreamPosition(settledMs: 1_790_000_000_000)
    let ids = (0..<72).map {
      LiveStart.firstID(at: 1_790_000_000_000 + $0) + "-7000-8000-0000" + String(0x1000_0000 + $0, radix: 16)
    }
    let first = ids.filter { place.tell($0) }
    let again = place.tell(ids[0])
    #expect(first == ids && !again)
    var back = try #require(StreamPosition(place.text))
    // It remembers the last ones; of those before a client may hear twice.
    let forgotten = ids.filter { back.tell($0) }
    #expect(forgotten == Array(ids.prefix(8)))
    place.settle(before: 1_790_000_000_071)
    #expect(place.sent == [ids[71]])
    #expect(StreamPosition(place.text)?.settledMs == 1_790_000_000_071)
  }
}
