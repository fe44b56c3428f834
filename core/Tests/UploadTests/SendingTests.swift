import CoreTypes
import Testing
import Upload

@Suite struct SendingTests {
  private static let megabyte = UploadHarness.megabyte

  private static func bytes(_ call: Int32, _ offset: Int64, _ size: Int64) -> Upload.Command {
    .sendBytes(CallID(call), FileID(1), offset: Bytes(offset), size: Bytes(size))
  }

  @Test func oneRequestAtATimeUntilAllBytesAreThere() {
    var harness = UploadHarness.creating(size: 2 * Self.megabyte + 5)
    guard case .create(CallID(2), _, let facts) = harness.takeDeeds().last else {
      Issue.record("nothing is created")
      return
    }
    #expect(facts.size == Bytes(2 * Self.megabyte + 5) && facts.hash == UploadHarness.hash)
    harness.receive(0)
    #expect(harness.takeDeeds() == [Self.bytes(3, 0, Self.megabyte)])
    harness.wait(3_000)
    harness.send(.bytesSent(CallID(3), Bytes(700_000)))
    #expect(harness.screen.inFlight == Bytes(700_000) && harness.screen.acknowledged == .zero)
    harness.take(Self.megabyte)
    #expect(harness.screen.inFlight == .zero && harness.screen.acknowledged == Bytes(Self.megabyte))
    #expect(harness.takeDeeds() == [Self.bytes(4, Self.megabyte, Self.megabyte)])
    harness.wait(3_000)
    harness.take(2 * Self.megabyte)
    #expect(harness.takeDeeds() == [Self.bytes(5, 2 * Self.megabyte, 5)])
    harness.take(2 * Self.megabyte + 5)
    #expect(harness.takeDeeds() == [])
    #expect(harness.screen.phase == .complete)
  }

  @Test func whatTheServerHasAlreadyIsNotSentAgain() {
    var harness = UploadHarness.creating()
    harness.commands = []
    harness.receive(2 * Self.megabyte + 7)
    #expect(harness.takeDeeds() == [Self.bytes(3, 2 * Self.megabyte + 7, Self.megabyte - 7)])
  }

  @Test func theServersBoundsHold() {
    for (smallest, largest, expected) in [
      (0, 300_000, 300_000), (2_000_000, 0, 2_000_000), (2_000_000, 500, 500),
      (9_000_000, -4, 3 * Self.megabyte),
    ] as [(Int64, Int64, Int64)] {
      var harness = UploadHarness.creating()
      harness.commands = []
      harness.send(
        .receiving(
          harness.call, Upload.Offer(offset: .zero, smallest: Bytes(smallest), largest: Bytes(largest))))
      #expect(harness.takeDeeds() == [Self.bytes(3, 0, expected)])
    }
  }

  /// Each takes about four seconds; a step at a time, within bounds.
  @Test func partsGrowAndShrinkWithTheLink() {
    func sizes(rate: Int64) -> [Int64] {
      var harness = UploadHarness.sending(size: 50 * Self.megabyte)
      var sizes: [Int64] = []
      var offset: Int64 = 0
      while offset < 20 * Self.megabyte {
        harness.commands = harness.commands.filter { if case .sendBytes = $0 { true } else { false } }
        guard let last = sizes.isEmpty ? Self.bytes(3, 0, Self.megabyte) : harness.commands.last,
          case .sendBytes(let call, _, _, let size) = last
        else { break }
        sizes.append(size.rawValue)
        for step in 1...8 as ClosedRange<Int64> {
          harness.wait(size.rawValue / 8 * 8_000 / rate)
          harness.send(.bytesSent(call, Bytes(size.rawValue / 8 * step)))
        }
        offset += size.rawValue
        harness.take(offset)
      }
      return sizes.map { $0 >> 10 }
    }
    #expect(sizes(rate: 100_000_000).prefix(5) == [1_024, 2_048, 4_096, 8_192, 8_192])
    #expect(sizes(rate: 4_000_000).prefix(3) == [1_024, 2_048, 2_048])
    #expect(sizes(rate: 600_000).prefix(4) == [1_024, 512, 256, 256])
    #expect(sizes(rate: 50_000).allSatisfy { $0 >= 256 })
  }

  @Test func remainingTimeIsUnknownForTwoSeconds() {
    var harness = UploadHarness.sending()
    for second: Int64 in 1...3 {
      harness.wait(1_000)
      harness.send(.bytesSent(harness.call, Bytes(second * 125_000)))
      #expect(harness.screen.remaining == nil || second >= 2)
    }
    #expect((999_000...1_001_000).contains(harness.screen.speed.rawValue))
    let left = (3 * Self.megabyte - 375_000) * 8 / 1_000
    #expect(((left - 30)...(left + 30)).contains(harness.screen.remaining?.rawValue ?? -1))
  }

  @Test func threePartsAtATimeInAnyOrder() {
    var harness = UploadHarness.sendingParts(5)
    func part(_ call: Int32, _ part: Int32) -> Upload.Command {
      .sendPart(
        CallID(call), FileID(1), part: part, offset: Bytes(Int64(part - 1) * Self.megabyte),
        size: Bytes(Self.megabyte))
    }
    #expect(harness.takeDeeds() == [part(3, 1), part(4, 2), part(5, 3)])
    harness.send(.partTaken(CallID(4)))
    harness.send(.partTaken(CallID(4)))
    #expect(harness.takeDeeds() == [part(6, 4)])
    harness.send(.partTaken(CallID(6)), .partTaken(CallID(3)))
    #expect(harness.takeDeeds() == [part(7, 5)])
    harness.send(.publishRequested, .partTaken(CallID(7)))
    #expect(harness.takeDeeds() == [])
    harness.send(.partTaken(CallID(5)))
    #expect(harness.takeDeeds() == [.commit(CallID(8))])
  }

  @Test func partsThatAreStoredAreLeftOutAndTheLastMayBeSmaller() {
    var harness = UploadHarness.creating(size: 2 * Self.megabyte + 3)
    harness.commands = []
    harness.receiveParts([1, 2, 2, 9, -1])
    #expect(
      harness.takeDeeds() == [
        .sendPart(CallID(3), FileID(1), part: 3, offset: Bytes(2 * Self.megabyte), size: Bytes(3))
      ])
  }

  @Test func addressesThatAreTooOldAreAskedForAnew() {
    var harness = UploadHarness.sendingParts(4, validFor: 5_000)
    harness.commands = []
    harness.wait(5_000)
    harness.send(.partTaken(CallID(3)))
    #expect(harness.takeDeeds() == [.ask(CallID(6))])
    // Acknowledged while the list was on its way.
    harness.send(.partTaken(CallID(4)))
    harness.send(
      .receivingParts(
        CallID(6), Upload.PartOffer(size: Bytes(Self.megabyte), validFor: Milliseconds(5_000), stored: [1])))
    guard case .sendPart(_, _, part: 4, _, _)? = harness.takeOnlyDeed() else {
      Issue.record("not the fourth part")
      return
    }
    harness.send(
      .failed(CallID(7), Upload.Failure(.addressExpired)))
    #expect(harness.takeDeeds() == [.ask(CallID(8))])
    #expect(harness.screen.attempt == 1)
  }

  @Test func layoutsThatMakeNoSenseAreFailures() {
    for size: Int64 in [0, -1, 100] {
      var harness = UploadHarness.creating()
      harness.send(
        .receivingParts(harness.call, Upload.PartOffer(size: Bytes(size), validFor: .zero, stored: [])))
      #expect(harness.screen.attempt == 1)
    }
    var harness = UploadHarness.creating()
    harness.receive(3 * Self.megabyte + 1)
    #expect(harness.screen.attempt == 1)
  }
}
