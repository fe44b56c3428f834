import CoreTypes
import Testing
import Upload

@Suite struct PublishingTests {
  private static let megabyte = UploadHarness.megabyte

  private static func committing() -> UploadHarness {
    var harness = UploadHarness.creating(size: 9)
    harness.send(.publishRequested)
    harness.receive(9)
    harness.commands = []
    return harness
  }

  private static func processing() -> UploadHarness {
    var harness = committing()
    harness.send(.processing(harness.call, permille: 0, renditions: 0))
    harness.commands = []
    return harness
  }

  @Test func itIsCommittedWhenAllBytesAreThereAndThePersonAskedForIt() {
    var harness = UploadHarness.creating(size: 9)
    harness.receive(9)
    #expect(harness.screen.phase == .complete)
    harness.commands = []
    harness.send(.publishRequested)
    #expect(harness.takeDeeds() == [.commit(CallID(3))])
    #expect(harness.screen.phase == .committing)
    harness.send(.publishRequested)
    #expect(harness.takeDeeds() == [])
  }

  /// A kill before the answer must not make a second clip, nor lose the first.
  @Test func thatACommitIsSentIsWrittenDownBefore() {
    var harness = UploadHarness.creating(size: 9)
    harness.receive(9)
    harness.commands = []
    harness.send(.publishRequested)
    guard case .store(let snapshot) = harness.commands.first else {
      Issue.record("nothing is stored")
      return
    }
    #expect(Snapshot(words: snapshot.words) == snapshot)
  }

  @Test func anUnansweredCommitIsRepeated() {
    var harness = Self.committing()
    harness.wait(31_000)
    #expect(harness.takeDeeds() == [.abandon(CallID(3)), .commit(CallID(4))])
    harness.send(.processing(CallID(4), permille: 0, renditions: 0))
    #expect(harness.screen.phase == .processing)
  }

  @Test func processingIsFollowedWithGrowingIntervals() {
    var harness = Self.processing()
    for interval: Int64 in [1_000, 2_000, 4_000, 8_000, 10_000, 10_000] {
      harness.wait(interval - 1)
      #expect(harness.takeDeeds() == [])
      harness.wait(1)
      guard case .poll(let call)? = harness.takeOnlyDeed() else {
        Issue.record("no poll")
        return
      }
      harness.send(.processing(call, permille: 400, renditions: 1))
    }
    #expect(harness.screen.permille == 400 && harness.screen.renditions == 1)
    harness.send(.processing(nil, permille: 900, renditions: 3))
    #expect(harness.screen.renditions == 3)
    harness.send(.published(nil))
    #expect(harness.takeDeeds() == [.forget])
    #expect(harness.screen.phase == .published)
    harness.send(.cancelTapped, .retryTapped, .woke)
    #expect(harness.commands == [] && harness.upload.nextWake == nil)
  }

  @Test func aClipThatIsRefusedEndsWithItsCode() {
    var harness = Self.processing()
    harness.send(.refused(nil, code: 17))
    #expect(harness.screen.phase == .refused && harness.screen.code == 17)
  }

  @Test func nobodyElsesReportsCount() {
    var harness = UploadHarness.sending()
    harness.send(
      .published(nil), .published(CallID(3)), .refused(CallID(99), code: 1), .terminated(CallID(3)))
    #expect(harness.screen.phase == .sending)
  }

  // MARK: Pause, cancel, restart

  @Test func aPauseAbandonsWhatIsUnderWayAndAResumeAsks() {
    var harness = UploadHarness.sendingParts(5)
    harness.commands = []
    harness.send(.pauseTapped)
    #expect(harness.takeDeeds() == [.abandon(CallID(3)), .abandon(CallID(4)), .abandon(CallID(5))])
    #expect(harness.screen.phase == .paused && harness.screen.canResume && harness.upload.nextWake == nil)
    harness.send(.partTaken(CallID(3)), .publishRequested, .networkChanged(isOnline: false))
    harness.send(.networkChanged(isOnline: true))
    #expect(harness.takeDeeds() == [])
    harness.send(.resumeTapped)
    #expect(harness.takeDeeds() == [.ask(CallID(6))])
  }

  @Test func aCancelledUploadIsTerminatedOnTheServerToo() {
    var harness = UploadHarness.sending()
    harness.send(.cancelTapped, .publishRequested)
    #expect(harness.takeDeeds() == [.abandon(CallID(3)), .terminate(CallID(4))])
    harness.fail(.network)
    harness.wait(1_000)
    #expect(harness.takeDeeds() == [.terminate(CallID(5))])
    harness.send(.terminated(CallID(5)))
    #expect(harness.takeDeeds() == [.forget])
    #expect(harness.screen.phase == .cancelled)
  }

  @Test func aCancellationDuringCreatingWaitsForTheAddress() {
    var harness = UploadHarness.creating()
    harness.commands = []
    harness.send(.cancelTapped)
    #expect(harness.takeDeeds() == [])
    harness.receive(0)
    guard case .terminate? = harness.takeOnlyDeed() else {
      Issue.record("not terminated")
      return
    }
  }

  @Test func beforeTheServerHeardOfItACancellationIsInstant() {
    var harness = UploadHarness()
    harness.choose(size: 9)
    harness.commands = []
    harness.send(.cancelTapped)
    #expect(harness.takeDeeds() == [.stopWork(CallID(1)), .forget])
    #expect(harness.screen.phase == .cancelled)
  }

  @Test func aCancellationMayComeTooLate() {
    var harness = Self.committing()
    harness.send(.cancelTapped)
    #expect(harness.takeDeeds() == [.abandon(CallID(3)), .terminate(CallID(4))])
    #expect(!harness.screen.canCancel)
    harness.send(.published(CallID(4)))
    #expect(harness.screen.phase == .published)
  }

  @Test func afterAKillTheServerIsAskedWithTheSameKey() {
    var harness = UploadHarness.creating()
    guard case .create(_, let key, let facts) = harness.takeDeeds().last else { return }
    harness.receive(0)
    harness.restart()
    #expect(harness.takeDeeds() == [.create(CallID(1), key, facts)])
    harness.receive(5)
    #expect(harness.takeDeeds() == [.findFile(size: facts.size, isProduct: false)])
    #expect(harness.screen.phase == .findingFile)
    harness.choose(size: 3 * Self.megabyte - 1, file: 5)
    #expect(harness.takeDeeds() == [.noticeOtherFile(FileID(5))])
    harness.choose(size: 3 * Self.megabyte, file: 6)
    harness.send(.hashed(harness.call, FileHash(0, 0, 0, 0)))
    #expect(harness.takeDeeds().last == .noticeOtherFile(FileID(6)))
    harness.choose(size: 3 * Self.megabyte, file: 7)
    harness.send(.hashed(harness.call, UploadHarness.hash))
    #expect(
      harness.takeDeeds().last
        == .sendBytes(harness.call, FileID(7), offset: Bytes(5), size: Bytes(Self.megabyte)))
  }

  @Test func afterAKillWhatIsWholeNeedsNoFile() {
    var harness = Self.committing()
    harness.restart()
    harness.receive(9)
    guard case .commit = harness.takeDeeds().last else {
      Issue.record("no commit")
      return
    }
    harness.send(.processing(harness.call, permille: 0, renditions: 0))
    harness.restart()
    guard case .create(let call, _, _)? = harness.takeOnlyDeed() else {
      Issue.record("not asked")
      return
    }
    harness.send(.published(call))
    #expect(harness.screen.phase == .published)
  }

  @Test func aPauseOutlivesAKill() {
    var harness = UploadHarness.sending()
    harness.send(.pauseTapped)
    harness.restart()
    #expect(harness.takeDeeds() == [] && harness.screen.phase == .paused)
  }

  @Test func aLostProductIsMadeAgainAsAnotherUpload() {
    var harness = UploadHarness(canCompress: true)
    harness.choose(size: 20 * Self.megabyte)
    harness.send(.prepared(harness.call, UploadHarness.source(size: 9, file: 2)))
    harness.send(.hashed(harness.call, UploadHarness.hash))
    guard case .create(_, let key, _) = harness.takeDeeds().last else { return }
    harness.restart()
    harness.receive(0)
    harness.commands = []
    harness.choose(size: 20 * Self.megabyte, file: 4)
    harness.send(.hashed(harness.call, FileHash(4, 4, 4, 4)))
    guard case .create(_, let other, _) = harness.takeDeeds().last else {
      Issue.record("nothing is created")
      return
    }
    #expect(other != key)
  }

  @Test func whatCannotHaveBeenStoredIsRefused() {
    let words = UploadHarness.sending().snapshot!.words
    #expect(Snapshot(words: words) != nil)
    for (index, word) in [
      (0, 2), (3, -1), (4, 1 << 8), (4, 4), (5, 0), (5, .max), (6, -2), (7, 0), (7, 9), (12, 9),
    ]
      as [(Int, Int64)]
    {
      var broken = words
      broken[index] = word
      #expect(Snapshot(words: broken) == nil, "\(index)")
    }
    #expect(Snapshot(words: words.dropLast()) == nil && Snapshot(words: words + [0]) == nil)
  }
}
