import CoreTypes
import Testing
import Upload

@Suite struct TroubleTests {
  private static let megabyte = UploadHarness.megabyte

  private static func bytes(_ call: Int32, _ offset: Int64, _ size: Int64) -> Upload.Command {
    .sendBytes(CallID(call), FileID(1), offset: Bytes(offset), size: Bytes(size))
  }

  @Test func afterACutTheServerIsAskedAndThePartIsHalved() {
    var harness = UploadHarness.sending()
    harness.fail(.network)
    #expect(harness.screen.phase == .waiting && harness.screen.attempt == 1)
    #expect(harness.takeDeeds() == [])
    harness.wait(1_000)
    #expect(harness.takeDeeds() == [.ask(CallID(4))])
    harness.receive(123)
    #expect(harness.takeDeeds() == [Self.bytes(5, 123, Self.megabyte / 2)])
    #expect(harness.screen.attempt == 0)
  }

  @Test func aRequestThatSaysNothingIsGivenUp() {
    var harness = UploadHarness.sending()
    harness.wait(29_999)
    harness.send(.bytesSent(CallID(3), Bytes(1)))
    harness.wait(29_999)
    #expect(harness.takeDeeds() == [])
    harness.wait(1)
    #expect(harness.takeDeeds() == [.abandon(CallID(3))])
    // Its answer comes too late, and the server's word counts anyway.
    harness.take(Self.megabyte)
    #expect(harness.screen.acknowledged == .zero)
  }

  @Test func waitsGrowAndTheServersWishIsHonoured() {
    var harness = UploadHarness.sending()
    harness.fail(.serverBusy, retryAfter: 90_000)
    harness.wait(89_999)
    #expect(harness.takeDeeds() == [])
    harness.wait(1)
    #expect(harness.takeDeeds() == [.ask(CallID(4))])
    harness.fail(.storageFull)
    harness.wait(9_999)
    #expect(harness.takeDeeds() == [])
    // Not even impatience shortens what the server asked for.
    harness.send(
      .pauseTapped, .resumeTapped, .networkChanged(isOnline: false), .networkChanged(isOnline: true))
    #expect(harness.takeDeeds() == [])
  }

  @Test func itIsGivenUpInTheEndAndCanBeTriedAgain() {
    var harness = UploadHarness.sending()
    for attempt: Int32 in 1...10 {
      harness.fail(.network)
      #expect(harness.screen.attempt == attempt)
      // At most a minute, whatever chance says.
      harness.wait(60_000 - 30_000)
      if harness.screen.phase == .waiting { harness.wait(30_000) }
    }
    #expect(harness.screen.phase == .failed && harness.screen.reason == .network && harness.screen.canRetry)
    #expect(harness.upload.nextWake == nil)
    harness.commands = []
    harness.send(.networkChanged(isOnline: false), .networkChanged(isOnline: true), .woke)
    #expect(harness.takeDeeds() == [])
    harness.send(.retryTapped)
    #expect(harness.screen.phase == .sending)
    guard case .ask? = harness.takeOnlyDeed() else {
      Issue.record("the server is not asked")
      return
    }
  }

  @Test func anOffsetThatTheServerCorrectsIsTakenAtOnce() {
    var harness = UploadHarness.sending()
    harness.fail(.offsetMismatch, detail: 4_096)
    #expect(harness.takeDeeds() == [Self.bytes(4, 4_096, Self.megabyte)])
    // Twice without progress in between is more than a misunderstanding.
    harness.fail(.offsetMismatch, detail: -1)
    #expect(harness.screen.phase == .waiting)
    harness.wait(2_000)
    #expect(harness.takeDeeds() == [.ask(CallID(5))])
  }

  @Test func whatIsGoneIsBegunAnewUnderAnotherKey() {
    var harness = UploadHarness.creating()
    var keys: [UploadKey] = []
    for round in 0...3 {
      guard case .create(let call, let key, _) = harness.takeDeeds().last else {
        Issue.record("nothing is created")
        return
      }
      #expect(!keys.contains(key))
      keys.append(key)
      if round == 3 { break }
      harness.send(.receiving(call, Upload.Offer(offset: .zero, smallest: .zero, largest: .zero)))
      harness.fail(.gone)
    }
    harness.fail(.gone)
    #expect(harness.screen.phase == .failed && harness.screen.reason == .gone)
    harness.commands = []
    harness.send(.retryTapped)
    guard case .create(_, let key, _) = harness.takeDeeds().last else {
      Issue.record("nothing is created")
      return
    }
    #expect(!keys.contains(key))
  }

  @Test func aWholeUploadThatIsGoneIsSentOnceMoreOnly() {
    var harness = UploadHarness.creating(size: 9)
    harness.send(.publishRequested)
    for _ in 0..<2 {
      harness.receive(9)
      guard case .commit = harness.takeDeeds().last else {
        Issue.record("no commit")
        return
      }
      harness.fail(.gone)
    }
    #expect(harness.screen.phase == .failed && harness.screen.reason == .gone)
  }

  @Test func otherBytesThanAnnouncedAreSentOnceMoreFromTheStart() {
    var harness = UploadHarness.creating(size: 9)
    harness.send(.publishRequested)
    harness.receive(9)
    harness.commands = []
    harness.fail(.hashMismatch)
    guard case .hash(let hashing, FileID(1))? = harness.takeOnlyDeed() else {
      Issue.record("not hashed again")
      return
    }
    harness.send(.hashed(hashing, FileHash(5, 6, 7, 8)))
    guard case .create(_, _, let facts)? = harness.takeOnlyDeed() else {
      Issue.record("not created again")
      return
    }
    #expect(facts.hash == FileHash(5, 6, 7, 8))
    harness.receive(9)
    harness.fail(.hashMismatch)
    #expect(harness.screen.phase == .failed && harness.screen.reason == .fileChanged)
  }

  @Test func aRefusalIsShownWithTheServersCode() {
    var harness = UploadHarness.creating()
    harness.fail(.rejected, detail: 413)
    #expect(
      harness.screen.phase == .failed && harness.screen.reason == .rejected && harness.screen.code == 413)
  }

  @Test func whoIsSignedOutIsAskedAndNoAttemptIsBurned() {
    var harness = UploadHarness.sending()
    harness.fail(.signInNeeded)
    #expect(harness.takeDeeds() == [.askSignIn])
    #expect(harness.screen.phase == .signInNeeded && harness.screen.attempt == 0)
    harness.wait(600_000)
    #expect(harness.takeDeeds() == [])
    harness.send(.signedIn)
    #expect(harness.takeDeeds() == [.ask(CallID(4))])
  }

  @Test func offlineNothingIsSentAndNoAttemptIsBurned() {
    var harness = UploadHarness.sending()
    harness.send(.networkChanged(isOnline: false))
    #expect(harness.takeDeeds() == [.abandon(CallID(3))])
    #expect(harness.screen.phase == .offline)
    harness.fail(.network)
    harness.wait(600_000)
    #expect(harness.takeDeeds() == [] && harness.screen.attempt == 0)
    harness.send(.networkChanged(isOnline: true))
    #expect(harness.takeDeeds() == [.ask(CallID(4))])
  }

  @Test func theNetworkThatComesBackEndsAWait() {
    var harness = UploadHarness.sending()
    for _ in 0..<5 {
      harness.fail(.network)
      harness.send(.networkChanged(isOnline: false), .networkChanged(isOnline: true))
      #expect(harness.screen.phase == .sending)
    }
    #expect(harness.screen.attempt == 5)
  }

  @Test func aCutPartIsOneInterruptionHoweverManyFall() {
    var harness = UploadHarness.sendingParts(5)
    harness.send(
      .failed(CallID(3), Upload.Failure(.network)), .failed(CallID(4), Upload.Failure(.network)),
      .failed(CallID(5), Upload.Failure(.network)))
    #expect(harness.screen.attempt == 1)
    harness.commands = []
    harness.wait(1_000)
    harness.receiveParts([2])
    let parts = harness.takeDeeds().compactMap { command -> Int32? in
      if case .sendPart(_, _, let part, _, _) = command { part } else { nil }
    }
    #expect(parts == [1, 3, 4])
  }

  @Test func aFileThatCannotBeReadIsLookedForAgain() {
    var harness = UploadHarness.sending()
    harness.send(.fileUnreadable(CallID(3)))
    #expect(harness.screen.phase == .failed && harness.screen.reason == .unreadable)
    harness.commands = []
    harness.send(.retryTapped)
    #expect(harness.takeDeeds() == [.findFile(size: Bytes(3 * Self.megabyte), isProduct: false)])
    harness.choose(size: 3 * Self.megabyte, file: 8)
    #expect(harness.takeDeeds() == [.hash(CallID(4), FileID(8))])
    harness.send(.hashed(CallID(4), UploadHarness.hash))
    #expect(harness.takeDeeds() == [.ask(CallID(5))])
  }
}
