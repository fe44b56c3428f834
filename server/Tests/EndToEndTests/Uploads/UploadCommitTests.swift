import Contract
import Foundation
import LocalUploads
import Platform
import Synchronization
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Uploads

/// What becomes of an upload whose bytes are all here, whatever happens to the request that was to make a
/// clip of it.
@Suite(.everyEngine) struct UploadCommitTests {
  private let bench: TestInstance
  private let size = 200_000

  init() async throws { bench = try await TestInstance() }

  private func pieces(_ bytes: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { continuation in
      if !bytes.isEmpty { continuation.yield(bytes) }
      continuation.finish()
    }
  }

  /// An upload of which so many bytes are here, all unless it is said, and no commit came. It publishes
  /// itself, as those of tus and of the IETF's draft.
  private func left(
    _ uploads: Uploads, seed: Int = 0, bytes: Int? = nil, publishesItself: Bool = true
  ) async throws -> String {
    let file = [UInt8](UploadRequests.file(size, seed: seed))
    let id = try await uploads.create(
      NewUpload(sizeBytes: size, sha256: nil, type: "video/mp4"), key: nil, publishesItself: publishesItself,
      by: .guest(address: "somebody")
    ).id
    _ = try await uploads.append(pieces(Array(file.prefix(bytes ?? size))), to: id, at: 0, announced: size)
    return id
  }

  private func state(_ id: String, _ transport: SocketTransport) async throws -> UploadStatus.State {
    let answer = try await transport.send(WireRequest("GET", Route.upload.path(id)))
    return try WireCoding.decode(UploadStatus.self, from: answer.body).state
  }

  // MARK: While it is committed

  @Test func nobodyEndsACommitByAskingAndTheNextOneWaitsForIt() async throws {
    let sources = SlowSources(bench.instance.sources)
    var slow = bench.instance.uploads(UploadRules())
    slow.sources = sources
    let uploads = slow
    let id = try await left(uploads, publishesItself: false)
    let impatient = Task { try await uploads.commit(id) }
    await sources.hasBegun()
    // As clients do that have lost their connection.
    #expect(try await uploads.settledOffset(id).offset == size)
    await #expect(throws: AppError(.uploadBusy)) {
      try await uploads.append(pieces([]), to: id, at: size, announced: nil)
    }
    // Whoever leaves does not wait for it, and ends nothing.
    impatient.cancel()
    await #expect(throws: CancellationError.self) { try await impatient.value }
    let patient = Task { try await uploads.commit(id) }
    sources.goOn()
    #expect(try await patient.value.state == .processing)
    #expect(sources.puts == 1)
  }

  @Test func whatIsEndedWhileItIsCommittedBecomesNoClip() async throws {
    let sources = SlowSources(bench.instance.sources)
    var slow = bench.instance.uploads(UploadRules())
    slow.sources = sources
    let uploads = slow
    let id = try await left(uploads)
    let commit = Task { try await uploads.commit(id) }
    await sources.hasBegun()
    try await uploads.terminate(id)
    sources.goOn()
    await #expect(throws: AppError(.uploadNotFound)) { try await commit.value }
    #expect(try await bench.instance.clips.count() == 0)
    #expect(try await bench.instance.receiving.count(id) == 0)
  }

  // MARK: Where nobody will ask for it

  /// To a client an offset at the end means that the clip will come.
  @Test(arguments: [
    (["tus-resumable": "1.0.0"], 423), (["upload-draft-interop-version": "6"], 503), ([:], 503),
  ])
  func theOffsetAtTheEndIsToldOnceTheClipIsSure(_ words: [String: String], _ refusal: Int) async throws {
    let id = try await left(bench.instance.uploads(UploadRules()))
    let place = bench.instance.folder.appendingPathComponent("sources/incoming")
    let aside = bench.folder.appendingPathComponent("incoming")
    try await bench.serving { transport async throws in
      let head = WireRequest("HEAD", Route.upload.path(id), headers: words)
      try FileManager.default.moveItem(at: place, to: aside)
      let early = try await transport.send(head)
      #expect(early.status == refusal && early.headers["upload-offset"] == nil)
      #expect(early.headers["retry-after"] != nil)
      #expect(try await state(id, transport) == .receiving)
      try FileManager.default.moveItem(at: aside, to: place)
      for _ in 0..<2 {
        let end = try await transport.send(head)
        #expect(end.status == 204 && end.headers["upload-offset"] == "\(size)")
        #expect(end.headers["upload-length"] == "\(size)")
        #expect(try await state(id, transport) == .processing)
      }
    }
    #expect(try await bench.instance.queue.open().count == 1)
  }

  @Test func aQuestionPublishesNothingThatWillBeAskedFor() async throws {
    let id = try await left(bench.instance.uploads(UploadRules()), publishesItself: false)
    try await bench.serving { transport async throws in
      let head = try await transport.send(WireRequest("HEAD", Route.upload.path(id)))
      #expect(head.status == 204 && head.headers["upload-offset"] == "\(size)")
      #expect(try await state(id, transport) == .receiving)
    }
  }

  @Test func theSweepCommitsWhatIsWholeAndNobodyAsksFor() async throws {
    let time = TestTime(ms: 1_800_000_000_000)
    let rules = UploadRules()
    let uploads = bench.instance.uploads(rules, time: time)
    let receiving = bench.instance.receiving
    let whole = try await left(uploads, seed: 1)
    let busy = try await left(uploads, seed: 2)
    let half = try await left(uploads, seed: 3, bytes: 50_000)
    let own = try await left(uploads, seed: 4, publishesItself: false)
    // Another server's, which took all bytes of it.
    let elsewhere = try await left(uploads, seed: 5)
    try await receiving.remove(elsewhere)
    // Whoever sent the last byte may be at it yet.
    try await uploads.sweep()
    #expect(try await uploads.upload(whole).state == .receiving)
    time.advance(ms: UploadRules.quietMs + 60_000)
    // One that cannot be committed keeps nobody else from it.
    let held = try await receiving.open(busy)
    try await uploads.sweep()
    #expect(try await uploads.upload(whole).state == .processing)
    for id in [busy, half, own] { #expect(try await uploads.upload(id).state == .receiving) }

    // Too late for any client, and not for the bytes that are all here.
    time.advance(ms: rules.patienceMs)
    try await uploads.sweep()
    #expect(try await receiving.count(busy) == size)
    for id in [half, own] {
      await #expect(throws: AppError(.uploadExpired)) { try await uploads.upload(id) }
      #expect(try await receiving.count(id) == 0)
    }
    await held.close()
    try await uploads.sweep()
    #expect(try await uploads.upload(busy).state == .processing)
    #expect(try await bench.instance.queue.open().count == 2)

    func isOpen(_ id: String) async throws -> Bool {
      try await bench.instance.database.read { try uploads.store.isReceiving(id, in: $0) }
    }
    #expect(try await isOpen(elsewhere))
    time.advance(ms: rules.patienceMs)
    try await uploads.sweep()
    #expect(try await !isOpen(elsewhere))
  }
}

/// A store that takes its time for a file: until it is told to go on. As the client of a bucket does, it
/// gives up with the task that it works for.
private final class SlowSources: BlobStore {
  private let real: any BlobStore
  private let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
  private let (gate, opening) = AsyncStream.makeStream(of: Void.self)
  private let count = Mutex(0)

  init(_ real: any BlobStore) { self.real = real }

  var puts: Int { count.withLock { $0 } }
  func hasBegun() async { for await _ in begun { return } }
  func goOn() { opening.finish() }

  func put(fileAt url: URL, ext: String) async throws -> BlobName {
    count.withLock { $0 += 1 }
    beginning.finish()
    for await _ in gate {}
    try Task.checkCancellation()
    return try await real.put(fileAt: url, ext: ext)
  }

  func size(_ name: BlobName) async throws -> Int? { try await real.size(name) }
  func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws { try await real.read(name, range: range, piece) }
  func remove(_ name: BlobName) async throws { try await real.remove(name) }
  func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool {
    try await real.remove(name, ifOlderThan: time)
  }
  func list(after: BlobName?, limit: Int) async throws -> [StoredBlob] {
    try await real.list(after: after, limit: limit)
  }
  func clearLeftovers(olderThan time: Date) async throws { try await real.clearLeftovers(olderThan: time) }
  func checkWritable() async throws { try await real.checkWritable() }
}
