import CoreTypes
import Testing

@testable import AppModel

@Suite struct ServerSentEventsTests {
  private func read(_ text: String, pieces: Int = 1) throws -> ([ServerSentEvent], ServerSentEvents) {
    var parser = ServerSentEvents()
    var events: [ServerSentEvent] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      events += try parser.take(bytes[start..<min(start + pieces, bytes.count)])
    }
    return (events, parser)
  }

  @Test(arguments: [1, 2, 3, 1000]) func readsAStreamHoweverItIsCut(pieces: Int) throws {
    let text = """
      \u{FEFF}retry: 2310
      id: mc7z3k1s
      event: ready
      data: {}

      : a comment
      id: x.1
      event:like
      data: {"a":
      data:  1}
      unknown: field
      nothing

      id: mc7zc9pc


      """
    for ending in ["\n", "\r\n", "\r"] {
      let (events, parser) = try read(
        String(text.map { $0 == "\n" ? "\n" : $0 }).replacing("\n", with: ending), pieces: pieces)
      #expect(
        events == [
          ServerSentEvent(name: "ready", data: "{}"), ServerSentEvent(name: "like", data: "{\"a\":\n 1}"),
        ])
      #expect(parser.lastEventID == "mc7zc9pc" && parser.retry == 2310)
    }
  }

  @Test func anIdCountsOnlyOnceItsEventIsWhole() throws {
    let (events, parser) = try read("id: 1\ndata: a\n\nid: 2\ndata: b\n")
    #expect(events.count == 1 && parser.lastEventID == "1")
  }

  @Test func aRetryThatMakesNoSenseIsPassedOver() throws {
    #expect(try read("retry: 99999999999999999999\n").1.retry == nil)
    #expect(try read("retry: -1\nretry: 1e3\nretry:\n").1.retry == nil)
    #expect(try read("retry: 0\n").1.retry == 500)
    #expect(try read("retry: 999999999\n").1.retry == 600_000)
  }

  @Test func anEndlessLineEndsTheStream() {
    var parser = ServerSentEvents()
    #expect(throws: ServerSentEvents.Failure.lineTooLong) {
      for _ in 0..<1_000 { _ = try parser.take([UInt8](repeating: 120, count: 1_000)) }
    }
  }

  @Test func anEndlessEventEndsTheStream() {
    var parser = ServerSentEvents()
    #expect(throws: ServerSentEvents.Failure.eventTooLong) {
      for _ in 0..<1_000 { _ = try parser.take("data: \(String(repeating: "x", count: 1_000))\n".utf8) }
    }
  }

  @Test func anIdThatIsTooLongOrHasAZeroIsNone() throws {
    let long = String(repeating: "i", count: 2_000)
    let (_, parser) = try read("id: good\n\nid: \(long)\n\nid: a\0b\n\n")
    #expect(parser.lastEventID == "good")
  }

  @Test func anyBytesAreReadWithoutHarm() throws {
    var random = SeededGenerator(seed: 13)
    for _ in 0..<200 {
      var parser = ServerSentEvents()
      let bytes = (0..<300).map { _ in
        [10, 13, 58, 0xFF, 0xC3, 100, 32][Int.random(in: 0..<7, using: &random)]
      }
      _ = try parser.take(bytes.map { UInt8($0) })
    }
  }
}
