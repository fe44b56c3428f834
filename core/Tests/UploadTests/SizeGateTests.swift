import CoreTypes
import Testing
import Upload

@Suite struct SizeGateTests {
  private static let megabyte = UploadHarness.megabyte

  @Test func aSmallFileGoesAsItIs() {
    var harness = UploadHarness(canCompress: true, canTrim: true)
    harness.choose(size: 10 * Self.megabyte - 1, duration: 60_500)
    #expect(harness.takeDeeds() == [.hash(CallID(1), FileID(1))])
  }

  @Test func aMiddlingFileIsCompressedWhereTheHostCan() {
    var harness = UploadHarness(canCompress: true)
    harness.choose(size: 10 * Self.megabyte)
    #expect(harness.takeDeeds() == [.compress(CallID(1), FileID(1), target: Bytes(10 * Self.megabyte))])
    harness.send(.workProgressed(CallID(1), permille: 300))
    #expect(harness.screen.phase == .compressing && harness.screen.permille == 300)
    harness.send(.prepared(CallID(1), UploadHarness.source(size: 20, file: 2)))
    #expect(harness.takeDeeds() == [.hash(CallID(2), FileID(2))])

    var plain = UploadHarness()
    plain.choose(size: 50 * Self.megabyte)
    #expect(plain.takeDeeds() == [.hash(CallID(1), FileID(1))])
  }

  @Test func compressingThatTakesLongerThanItSparesIsGivenUp() {
    var harness = UploadHarness(canCompress: true)
    // 20 MiB are spared in 56 s.
    harness.send(.uplinkMeasured(BitsPerSecond(3_000_000)))
    harness.choose(size: 30 * Self.megabyte)
    harness.send(.workProgressed(CallID(1), permille: 10))
    harness.now = Instant(3_000)
    harness.send(.workProgressed(CallID(1), permille: 70))
    #expect(harness.screen.phase == .compressing && harness.screen.remaining == Milliseconds(46_500))
    harness.now = Instant(20_000)
    harness.commands = []
    harness.send(.workProgressed(CallID(1), permille: 210))
    #expect(harness.takeDeeds() == [.stopWork(CallID(1)), .hash(CallID(2), FileID(1))])
    // What comes too late is not taken.
    harness.send(.prepared(CallID(1), UploadHarness.source(size: Self.megabyte, file: 2)))
    #expect(harness.takeDeeds().isEmpty)
  }

  @Test func howLongItMayTakeIsGuessedWhereTheLinkIsNotKnownAndUnlimitedWhereNobodySays() {
    for (uplink, isGivenUp) in [(BitsPerSecond.zero, true), (nil, false)] {
      var harness = UploadHarness(canCompress: true)
      if let uplink { harness.send(.uplinkMeasured(uplink)) }
      harness.choose(size: 30 * Self.megabyte)
      harness.send(.workProgressed(CallID(1), permille: 0))
      harness.now = Instant(5_000)
      harness.send(.workProgressed(CallID(1), permille: 100))
      #expect((harness.screen.phase == .hashing) == isGivenUp)
    }
  }

  @Test func aFileIsCompressedOnceAtMost() {
    var harness = UploadHarness(canCompress: true)
    harness.choose(size: 40 * Self.megabyte)
    harness.send(.prepared(CallID(1), UploadHarness.source(size: 30 * Self.megabyte, file: 2)))
    #expect(harness.takeDeeds().last == .hash(CallID(2), FileID(2)))
  }

  @Test func aResultThatIsNoSmallerIsThrownAway() {
    for result in [
      UploadHarness.source(size: 12 * Self.megabyte, file: 2), UploadHarness.source(size: 0, file: 2),
      UploadHarness.source(size: 5, duration: 70_000, file: 2),
      UploadHarness.source(size: 5, kind: .unknown, file: 2),
    ] {
      var harness = UploadHarness(canCompress: true, canTrim: true)
      harness.choose(size: 12 * Self.megabyte)
      harness.commands = []
      harness.send(.prepared(CallID(1), result))
      #expect(harness.takeDeeds() == [.dropFile(FileID(2)), .hash(CallID(2), FileID(1))])
    }
  }

  @Test func whatCannotBeCompressedGoesAsItIs() {
    var harness = UploadHarness(canCompress: true)
    harness.choose(size: 12 * Self.megabyte)
    harness.send(.prepareFailed(CallID(1)))
    #expect(harness.takeDeeds().last == .hash(CallID(2), FileID(1)))
  }

  @Test func whatIsTooMuchIsTrimmedWhereTheHostCan() {
    for (size, duration) in [(Self.megabyte, 60_501), (50 * Self.megabyte + 1, 1_000)] as [(Int64, Int64)] {
      var harness = UploadHarness(canCompress: true, canTrim: true)
      harness.choose(size: size, duration: duration)
      #expect(
        harness.takeDeeds() == [
          .offerTrim(CallID(1), FileID(1), longest: Milliseconds(60_000), largest: Bytes(50 * Self.megabyte))
        ])
      #expect(harness.screen.phase == .trimOffered)
      // The result goes through the gate again, and what was made on the way is not kept.
      harness.send(.prepared(CallID(1), UploadHarness.source(size: 20 * Self.megabyte, file: 2)))
      #expect(harness.takeDeeds() == [.compress(CallID(2), FileID(2), target: Bytes(10 * Self.megabyte))])
      harness.send(.prepared(CallID(2), UploadHarness.source(size: 9, file: 3)))
      #expect(harness.takeDeeds() == [.dropFile(FileID(2)), .hash(CallID(3), FileID(3))])
    }
  }

  @Test func trimmingIsNotOfferedForEver() {
    var harness = UploadHarness(canTrim: true)
    harness.choose(size: 9, duration: 90_000)
    for file: Int32 in 2...4 {
      harness.send(.prepared(harness.call, UploadHarness.source(size: 9, duration: 80_000, file: file)))
    }
    #expect(harness.screen.phase == .refused && harness.screen.reason == .tooLong)
    #expect(harness.takeDeeds().suffix(2) == [.dropFile(FileID(3)), .dropFile(FileID(4))])
  }

  @Test func theRestIsRefusedWithItsReason() {
    let cases: [(SourceFile, Upload.Reason)] = [
      (UploadHarness.source(size: 0), .empty), (UploadHarness.source(size: -5), .empty),
      (UploadHarness.source(size: 9, duration: 99), .tooShort),
      (UploadHarness.source(size: 9, duration: -7), .tooShort),
      (UploadHarness.source(size: 9, kind: .unknown), .unknownKind),
      (UploadHarness.source(size: 9, duration: 60_501), .tooLong),
      (UploadHarness.source(size: 50 * Self.megabyte + 1), .tooLarge),
      (UploadHarness.source(size: .max), .tooLarge),
    ]
    for (source, reason) in cases {
      var harness = UploadHarness(canCompress: true)
      harness.send(.fileChosen(source))
      #expect(harness.screen.phase == .refused && harness.screen.reason == reason)
      #expect(harness.takeDeeds() == [])
      harness.send(.fileChosen(UploadHarness.source(size: 9)))
      #expect(harness.commands == [])
    }
  }

  @Test func aLengthThatNobodyKnowsIsLeftToTheServer() {
    var harness = UploadHarness()
    harness.choose(size: 9, duration: -1)
    #expect(harness.takeDeeds() == [.hash(CallID(1), FileID(1))])
  }

  @Test func aTrimThatNobodyWantsRefusesTheFile() {
    var harness = UploadHarness(canTrim: true)
    harness.choose(size: 9, duration: 90_000)
    harness.send(.prepareFailed(CallID(1)))
    #expect(harness.screen.phase == .refused && harness.screen.reason == .tooLong)
  }
}
