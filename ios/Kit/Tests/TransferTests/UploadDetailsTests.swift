import Contract
import Foundation
import Synchronization
import Testing
import Upload

@testable import Transfer

/// What is written while the clip is being made, and the clip becomes published meanwhile.
@MainActor @Suite struct UploadDetailsTests {
  private static let dawn = UploadForm(caption: "Dawn")
  private static let secret = UploadForm(caption: "Dawn", visibility: .private)

  /// An upload of which all is there; the server has not been asked yet what becomes of it.
  private func inTheMaking(_ bench: UploadBench) async throws -> UploadHost {
    await bench.queue.start()
    try await bench.queue.add(
      try bench.file(UploadBench.video(1_000)), name: "film", isPublishRequested: true)
    #expect(await bench.runs(rings: false) { bench.phase == .processing })
    return try #require(bench.queue.active)
  }

  /// Behind the question by which it was known to be published: each question tells as well.
  private static func changesAtTheEnd(_ bench: UploadBench) -> Int {
    let requests = bench.server.requests
    let asked = requests.lastIndex { $0.hasPrefix("GET") } ?? 0
    return requests[asked...].count { $0.hasPrefix("PATCH") }
  }

  /// A telling that takes long is under way, knows nothing of the last change, and the clip is there.
  private func publishedMeanwhile(_ bench: UploadBench) async throws {
    let host = try await inTheMaking(bench)
    bench.server.changes.close()
    host.describe(Self.dawn)
    host.settle()
    #expect(await bench.runs(rings: false) { bench.server.changes.held == 1 })
    host.describe(Self.secret)
    #expect(await bench.runs { bench.phase == .published })
  }

  /// Or a change to private would silently not be made.
  @Test func whatIsWrittenWhileAnOlderChangeIsOnItsWayIsToldBehindIt() async throws {
    let bench = UploadBench()
    try await publishedMeanwhile(bench)
    bench.server.changes.open()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.details.visibility) == [.private])
    #expect(bench.server.committed.map(\.details.caption) == ["Dawn"])
    #expect(bench.queue.ended?.known?.visibility == .private)
    #expect(bench.queue.ended?.hasUntoldDetails == false)
    #expect(bench.leftovers.isEmpty)
  }

  /// The server would tell anybody else that there is no such upload.
  @Test func whatIsNotToldWhenItsOwnerLeavesIsToldOnceTheyAreBack() async throws {
    let bench = UploadBench()
    bench.account = "ada"
    try await publishedMeanwhile(bench)
    bench.account = "bob"
    bench.queue.signedIn()
    #expect(bench.queue.active == nil && bench.queue.current == nil)
    bench.server.changes.open()
    #expect(await bench.runs { bench.server.committed.map(\.details.caption) == ["Dawn"] })
    #expect(bench.leftovers.count == 1)
    bench.account = "ada"
    bench.queue.signedIn()
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.details.visibility) == [.private])
    #expect(bench.queue.current?.phase == .published)
    #expect(bench.leftovers.isEmpty)
  }

  @Test func whatDoesNotArriveIsToldAgain() async throws {
    let bench = UploadBench()
    let host = try await inTheMaking(bench)
    let busy = WireResponse(status: 503, headers: [:], body: Data())
    bench.server.state.withLock { $0.changeAnswers = [busy, nil, busy] }
    host.describe(Self.secret)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.server.committed.map(\.details.visibility) == [.private])
    #expect(bench.queue.ended?.hasUntoldDetails == false)
  }

  @Test func whatNeverArrivesIsSaid() async throws {
    let bench = UploadBench()
    let host = try await inTheMaking(bench)
    bench.server.state.withLock { $0.changeAnswers = Array(repeating: nil, count: 99) }
    host.describe(Self.secret)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.queue.ended?.phase == .published)
    #expect(bench.queue.ended?.hasUntoldDetails == true)
    #expect(Self.changesAtTheEnd(bench) == 4)
    // What was written stays for another try, beside what the server has.
    #expect(bench.queue.ended?.form == Self.secret)
    #expect(bench.queue.ended?.known?.visibility == .public)
    bench.queue.updateEnded(Self.secret, known: Self.secret.details, upload: "u-0")
    #expect(bench.queue.ended?.hasUntoldDetails == false)
  }

  @Test func whatIsRefusedIsSaidAndNotTriedAgain() async throws {
    let bench = UploadBench()
    let host = try await inTheMaking(bench)
    let refused = try MemoryServer.problem(.invalidParameter)
    bench.server.state.withLock { $0.changeAnswers = Array(repeating: refused, count: 99) }
    host.describe(Self.secret)
    #expect(await bench.runs { bench.hasEnded })
    #expect(bench.queue.ended?.hasUntoldDetails == true)
    #expect(bench.queue.ended?.problem?.code == ErrorCode.invalidParameter.rawValue)
    #expect(Self.changesAtTheEnd(bench) == 1)
  }
}
