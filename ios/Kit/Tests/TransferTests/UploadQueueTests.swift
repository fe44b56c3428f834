import Contract
import CoreTypes
import Foundation
import Synchronization
import Testing
import Upload

@testable import Transfer

@MainActor @Suite struct UploadQueueTests {
  private static let megabyte = 1 << 20

  private func published(_ bench: UploadBench, _ bytes: Data) async throws -> UploadState? {
    await bench.queue.start()
    try await bench.queue.add(try bench.file(bytes), name: "film", isPublishRequested: true)
    #expect(await bench.runs { bench.hasEnded })
    return bench.queue.ended
  }

  @Test func aFileBecomesOneClipWithItsBytes() async throws {
    let bench = UploadBench()
    let bytes = UploadBench.video(700_001)
    let state = try await published(bench, bytes)
    #expect(state?.phase == .published)
    #expect(state?.clip?.id == "clip-0")
    #expect(bench.server.committed.map(\.bytes) == [bytes])
    #expect(bench.leftovers.isEmpty)
    #expect(bench.server.state.withLock { $0.credentials.allSatisfy { $0 == "Bearer t" } })
  }

  @Test func nothingIsPublishedBeforeThePersonSaysSo() async throws {
    let bench = UploadBench()
    await bench.queue.start()
    try await bench.queue.add(try bench.file(UploadBench.video(1_000)), name: "film")
    #expect(await bench.runs { bench.phase == .complete })
    #expect(bench.server.committed.isEmpty)
    bench.queue.active?.describe(UploadForm(caption: " Dawn #pier "))
    bench.queue.active?.publish()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.details.caption) == ["Dawn #pier"])
  }

  @Test func theyGoOneBehindTheOther() async throws {
    let bench = UploadBench()
    for number in 0..<3 {
      try await bench.queue.add(
        try bench.file(UploadBench.video(1_000 + number)), name: "\(number)", isPublishRequested: true)
    }
    try await bench.queue.add(try bench.file(UploadBench.video(9)), name: "unwanted")
    #expect(bench.server.requests.isEmpty)
    await bench.queue.start()
    #expect(bench.queue.waiting.map(\.name) == ["1", "2", "unwanted"])
    bench.queue.remove(bench.queue.waiting[2].id)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.bytes.count) == [1_000, 1_001, 1_002])
    #expect(bench.server.requests.filter { $0 == "POST" }.count == 3)
    #expect(await bench.runs { bench.leftovers.isEmpty })
  }

  @Test func aCutCostsNothingThatHasArrived() async throws {
    let bench = UploadBench()
    let bytes = UploadBench.video(900_000)
    bench.server.state.withLock { $0.cuts = [100_000, 0, 7] }
    #expect(try await published(bench, bytes)?.phase == .published)
    #expect(bench.server.committed.map(\.bytes) == [bytes])
  }

  @Test func aBusyServerAndACaptivePortalAreWaitedFor() async throws {
    let bench = UploadBench()
    let portal = WireResponse(status: 200, headers: [:], body: Data("<html>Sign in</html>".utf8))
    bench.server.state.withLock {
      $0.answers = [portal, WireResponse(status: 503, headers: [:], body: Data()), nil]
    }
    #expect(try await published(bench, UploadBench.video(1_000))?.phase == .published)
    #expect(bench.server.committed.count == 1)
  }

  @Test func offlineWaitsAndGoesOn() async throws {
    let bench = UploadBench()
    bench.queue.networkChanged(isOnline: false)
    await bench.queue.start()
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "film", isPublishRequested: true)
    #expect(await bench.runs { bench.phase == .offline })
    #expect(bench.server.requests.isEmpty)
    bench.queue.networkChanged(isOnline: true)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.count == 1)
  }

  @Test func whoeverIsSignedOutIsAskedAndGoesOn() async throws {
    let bench = UploadBench()
    let refused = try MemoryServer.problem(.signInNeeded)
    bench.server.state.withLock { $0.answers = [refused] }
    await bench.queue.start()
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "film", isPublishRequested: true)
    #expect(await bench.runs { bench.phase == .signInNeeded })
    bench.queue.signedIn()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.count == 1)
  }

  /// Or what one account published would be another one's clip.
  @Test func whatOneAccountChoseWaitsWhileAnotherOneIsSignedIn() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    await bench.queue.start()
    try await bench.queue.add(try bench.file(UploadBench.video(1_000)), name: "film")
    #expect(await bench.runs { bench.phase == .complete })
    let (refused, gone) = (
      try MemoryServer.problem(.signInNeeded), try MemoryServer.problem(.uploadNotFound)
    )
    bench.server.state.withLock { $0.answers = [refused] }
    bench.queue.active?.publish()
    #expect(await bench.runs { bench.phase == .signInNeeded })
    for other in [nil, "bob"] {
      bench.account = other
      bench.server.state.withLock { $0.answers = [gone] }
      bench.queue.signedIn()
      #expect(bench.queue.active == nil)
    }
    #expect(bench.server.requests.filter { $0 == "POST" }.count == 1)
    // The app is ended, and begun by the other one.
    bench.startApp()
    await bench.queue.start()
    #expect(bench.queue.active == nil)
    #expect(bench.server.requests.filter { $0 == "POST" }.count == 1)
    bench.account = "ada"
    bench.server.state.withLock { $0.answers = [] }
    bench.queue.signedIn()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.count == 1 && bench.server.uploads.count == 1)
  }

  @Test func whatWaitsForItsAccountHoldsNobodyElseUp() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    let refused = try MemoryServer.problem(.signInNeeded)
    bench.server.state.withLock { $0.answers = [refused] }
    await bench.queue.start()
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "hers", isPublishRequested: true)
    #expect(await bench.runs { bench.phase == .signInNeeded })
    bench.account = "bob"
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000, seed: 2), "his.mp4"), name: "his", isPublishRequested: true)
    #expect(await bench.runs { bench.server.committed.count == 1 && bench.queue.active == nil })
    #expect(bench.queue.current?.name == "his")
    bench.account = "ada"
    bench.queue.signedIn()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.count == 2)
  }

  /// What it is called, says and looks like is nobody else's business, and nobody else takes it away.
  @Test func whatOneAccountChoseIsOutOfSightUntilThatAccountIsBack() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    await bench.queue.start()
    try await bench.queue.add(try bench.file(UploadBench.video(1_000)), name: "first")
    try await bench.queue.add(try bench.file(UploadBench.video(1_000, seed: 2)), name: "second")
    #expect(await bench.runs { bench.phase == .complete })
    let second = try #require(bench.queue.waiting.first).id
    for other in [nil, "bob"] {
      bench.account = other
      bench.queue.signedIn()
      #expect(bench.queue.current == nil)
      #expect(bench.queue.waiting.isEmpty)
      bench.queue.remove(second)
      // Nothing is to be done, so the app may sleep.
      await bench.queue.rested()
    }
    bench.account = "ada"
    bench.queue.signedIn()
    #expect(bench.queue.current?.name == "first")
    #expect(bench.queue.waiting.map(\.id) == [second])
    #expect(await bench.runs { bench.phase == .complete })
    bench.queue.active?.publish()
    #expect(await bench.runs { bench.queue.active?.record.id == second && bench.phase == .complete })
    bench.queue.active?.publish()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.count == 2)
  }

  /// The id by which it is known owns the clip, however private that is.
  @Test func whatOneAccountPublishedIsNotShownToTheNextOne() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    #expect(try await published(bench, UploadBench.video(1_000))?.phase == .published)
    #expect(bench.queue.current?.uploadID == "u-0")
    bench.account = "bob"
    #expect(bench.queue.current == nil)
    bench.queue.signedIn()
    #expect(bench.queue.current == nil && bench.queue.ended == nil)
  }

  @Test func whatAGuestPublishedGoesAlongIntoTheirAccountAndNoFurther() async throws {
    let bench = UploadBench()
    #expect(try await published(bench, UploadBench.video(1_000))?.phase == .published)
    bench.account = "ada"
    bench.queue.signedIn()
    #expect(bench.queue.current?.phase == .published)
    bench.account = "bob"
    bench.queue.signedIn()
    #expect(bench.queue.current == nil)
  }

  @Test func whatAnotherAccountAskedToPublishIsCancelledByWhoeverIsHere() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    await bench.queue.start()
    try await bench.queue.add(try bench.file(UploadBench.video(1_000)), name: "film")
    #expect(await bench.runs { bench.phase == .complete })
    let refused = try MemoryServer.problem(.signInNeeded)
    bench.server.state.withLock { $0.answers = [refused] }
    bench.queue.active?.publish()
    #expect(await bench.runs { bench.phase == .signInNeeded })
    bench.account = "bob"
    bench.queue.active?.cancel()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.isEmpty)
  }

  /// Where another account was asked for it, it begins anew, and still is not theirs.
  @Test func whatIsGoneBeginsAnewForItsOwnerAlone() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    let (refused, gone) = (
      try MemoryServer.problem(.signInNeeded), try MemoryServer.problem(.uploadNotFound)
    )
    bench.server.state.withLock { $0.answers = [refused] }
    await bench.queue.start()
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "film", isPublishRequested: true)
    #expect(await bench.runs { bench.phase == .signInNeeded })
    bench.account = "bob"
    bench.queue.signedIn()
    #expect(bench.queue.active == nil)
    #expect(bench.server.requests == ["POST"])
    bench.account = "ada"
    bench.server.state.withLock { $0.answers = [gone] }
    bench.queue.signedIn()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.count == 1)
  }

  @Test func aRefusalSaysWhy() async throws {
    let bench = UploadBench()
    bench.server.state.withLock { $0.refusal = UploadProblem(code: "damaged", detail: "It is damaged.") }
    let state = try await published(bench, UploadBench.video(1_000))
    #expect(state?.phase == .refused)
    #expect(state?.code == .damaged)
    #expect(bench.leftovers.isEmpty)
  }

  @Test func whatIsNoVideoIsRefusedBeforeAByteMoves() async throws {
    let bench = UploadBench()
    let state = try await published(bench, Data("%PDF-1.7 and more".utf8))
    #expect(state?.phase == .refused)
    #expect(state?.screen.reason == .unknownKind)
    #expect(bench.server.requests.isEmpty)
  }

  @Test func aLargeFileIsMadeSmallerFirst() async throws {
    let bench = UploadBench()
    let small = UploadBench.video(500_000, seed: 2)
    bench.compressor = MadeSmaller(bytes: small)
    bench.startApp()
    #expect(try await published(bench, UploadBench.video(11 * Self.megabyte))?.phase == .published)
    #expect(bench.server.committed.map(\.bytes) == [small])
    #expect(bench.server.committed.allSatisfy { $0.new.digitalSourceType == nil })
    #expect(bench.leftovers.isEmpty)
  }

  /// Or a clip that AI made would not say so, only for having been large.
  @Test func whatAFileSaysOfAIGoesWithWhatIsMadeOfIt() async throws {
    let bench = UploadBench()
    bench.compressor = MadeSmaller(bytes: UploadBench.video(500_000, seed: 2))
    bench.startApp()
    let marked = UploadBench.marked(11 * Self.megabyte)
    #expect(try await published(bench, marked)?.phase == .published)
    #expect(bench.server.committed.map(\.new.digitalSourceType) == [.trainedAlgorithmicMedia])
    #expect(bench.server.committed.allSatisfy { $0.bytes != marked })
  }

  @Test func whatCannotBeMadeSmallerGoesAsItIs() async throws {
    let bench = UploadBench()
    bench.server.state.withLock { $0.largest = 8 * Self.megabyte }
    bench.compressor = MadeSmaller(bytes: Data(), fails: true)
    bench.startApp()
    let bytes = UploadBench.video(11 * Self.megabyte)
    #expect(try await published(bench, bytes)?.phase == .published)
    #expect(bench.server.committed.map(\.bytes) == [bytes])
  }

  @Test func whatLostSomeOfItsLengthIsNotWhatGoesUp() async throws {
    let bench = UploadBench()
    bench.server.state.withLock { $0.largest = 8 * Self.megabyte }
    bench.compressor = MadeSmaller(bytes: UploadBench.video(500_000, seed: 2))
    bench.durationOfProducts = Milliseconds(4_500)
    bench.startApp()
    let bytes = UploadBench.video(11 * Self.megabyte)
    #expect(try await published(bench, bytes)?.phase == .published)
    #expect(bench.server.committed.map(\.bytes) == [bytes])
  }

  @Test func ofWhatIsTooLongAPartIsChosen() async throws {
    let bench = UploadBench()
    let part = UploadBench.video(300_000, seed: 3)
    bench.trimmer = MadeShorter(bytes: part)
    bench.duration = Milliseconds(60_400)
    bench.startApp()
    await bench.queue.start()
    try await bench.queue.add(
      try bench.file(UploadBench.video(51 * Self.megabyte)), name: "long", isPublishRequested: true)
    #expect(await bench.runs { bench.queue.active?.state.trim != nil })
    let offer = try #require(bench.queue.active?.state.trim)
    #expect(offer.fits(offer.suggestion))
    #expect(!offer.fits(.zero..<offer.duration))
    bench.queue.active?.useTrim(offer.suggestion)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.bytes) == [part])
  }

  @Test func cancellingEndsItOnTheServerToo() async throws {
    let bench = UploadBench()
    await bench.queue.start()
    try await bench.queue.add(try bench.file(UploadBench.video(1_000)), name: "film")
    #expect(await bench.runs { bench.phase == .complete })
    bench.queue.active?.cancel()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.uploads.map(\.isTerminated) == [true])
    #expect(bench.queue.ended == nil)
    #expect(bench.leftovers.isEmpty)
  }

  @Test func aSourceThatIsGoneIsAskedFor() async throws {
    let bench = UploadBench()
    let bytes = UploadBench.video(700_000)
    bench.server.state.withLock { $0.answers = [try! MemoryServer.problem(.signInNeeded)] }
    await bench.queue.start()
    let id = try await bench.queue.add(try bench.file(bytes), name: "film", isPublishRequested: true)
    #expect(await bench.runs { bench.phase == .signInNeeded })
    bench.queue.free()
    try FileManager.default.removeItem(at: bench.uploads.appending(path: "\(id)/source.mp4"))
    bench.startApp()
    await bench.queue.start()
    #expect(await bench.runs { bench.phase == .findingFile })
    try await bench.queue.chooseAgain(try bench.file(UploadBench.video(700_000, seed: 9), "other.mp4"))
    #expect(await bench.runs { bench.queue.active?.state.isOtherFile == true })
    try await bench.queue.chooseAgain(try bench.file(bytes, "same.mp4"))
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.bytes) == [bytes])
  }

  @Test func aRecordWithAFlippedBitLosesNoFile() async throws {
    let bench = UploadBench()
    let id = try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "film", isPublishRequested: true)
    let record = bench.uploads.appending(path: "\(id)/record")
    var bytes = try Data(contentsOf: record)
    bytes[bytes.count - 3] ^= 1
    try bytes.write(to: record)
    bench.startApp()
    await bench.queue.start()
    #expect(await bench.runs { bench.phase == .complete })
    #expect(bench.server.committed.isEmpty)
  }

  /// Or a recording that was handed over would be gone.
  @Test func whatIsTakenInWhileTheQueueStartsIsNotRemains() async throws {
    let bench = UploadBench()
    let bytes = UploadBench.video(1_000)
    let file = try bench.file(bytes)
    bench.queue.onTaking = { [weak queue = bench.queue] in await queue?.start() }
    try await bench.queue.add(file, name: "film", isPublishRequested: true, moves: true)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.bytes) == [bytes])
    #expect(bench.leftovers.isEmpty)
  }

  @Test func whatWasNotTakenYetIsNoUpload() async throws {
    let bench = UploadBench()
    let half = bench.uploads.appending(path: ".new-1")
    try FileManager.default.createDirectory(at: half, withIntermediateDirectories: true)
    try Data([1]).write(to: half.appending(path: "source.mp4"))
    await bench.queue.start()
    #expect(bench.hasEnded)
    #expect(bench.leftovers.isEmpty)
    await #expect(throws: UploadQueue.Problem.unreadable) {
      try await bench.queue.add(bench.folder.appending(path: "nothing.mp4"), name: "x")
    }
    #expect(bench.leftovers.isEmpty)
  }
}
