import AsyncHTTPClient
import Contract
import Foundation
import LocalUploads
import NIOCore
import NIOHTTP1
import Platform
import SQLite
import Synchronization
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import S3Blobs
@testable import ServerTesting
@testable import Uploads

/// Uploads whose bytes go past the server, into a real S3 server, by a client that has nothing but what it
/// was told.
@Suite(.everyEngine) struct DirectUploadRequestTests {
  private static let part = 5 << 20
  /// Three parts, each of other bytes.
  static let file: Data = {
    var file =
      Data(repeating: 1, count: part) + Data(repeating: 2, count: part) + Data(repeating: 3, count: 999)
    file.replaceSubrange(0..<12, with: Data([0, 0, 0, 24]) + Data("ftypmp42".utf8))
    return file
  }()
  private static let hash = ContentHash.of(file)

  let bench: TestInstance
  let rules: UploadRules
  let uploads: Uploads

  init() async throws {
    bench = try await TestInstance(storage: .bucket(try S3Server.bucket(), .proxy, .direct))
    var rules = UploadRules()
    rules.directFromBytes = UploadRules.directSizes
    self.rules = rules
    uploads = bench.instance.uploads(rules)
  }

  private var bucket: S3Blobs { get throws { try #require(bench.instance.sources as? S3Blobs) } }

  private static func bytes(of number: Int, in file: Data = file) -> Data {
    file[(number - 1) * part..<min(number * part, file.count)]
  }

  private func make(
    _ uploads: Uploads? = nil, _ file: Data = file, hash: String = hash, key: String? = nil
  ) async throws -> UploadStatus {
    let new = NewUpload(sizeBytes: file.count, sha256: hash, type: "video/mp4")
    return try await (uploads ?? self.uploads).create(
      new, key: key.map { IdempotencyKey($0, of: "somebody") }, publishesItself: false,
      by: .guest(address: "somebody"))
  }

  @discardableResult
  private func put(_ bytes: Data, at address: String) async throws -> Int {
    var request = HTTPClientRequest(url: address)
    request.method = .PUT
    request.body = .bytes(ByteBuffer(bytes: bytes))
    let response = try await S3Server.execute(request)
    _ = try await response.body.collect(upTo: 1 << 20)
    return Int(response.status.code)
  }

  private func send(_ numbers: [Int], _ upload: UploadStatus, _ file: Data = file) async throws {
    for number in numbers {
      let address = try #require(upload.direct?.addresses.first { $0.number == number })
      #expect(try await put(Self.bytes(of: number, in: file), at: address.url) == 200)
    }
  }

  private func complete() async throws -> UploadStatus {
    let upload = try await make()
    try await send([1, 2, 3], upload)
    return upload
  }

  /// Nothing is under way in the bucket.
  private func expectNoParts() async throws {
    let bucket = try bucket
    #expect(try await bucket.client.multiparts(under: bucket.bucket.prefix, before: .max).isEmpty)
    #expect(try await bucket.client.objects(under: bucket.incoming, after: nil, limit: 10).isEmpty)
  }

  private func parts(_ id: String) async throws -> DirectUpload {
    try #require(try await uploads.row(id).direct)
  }

  // MARK: The way of the bytes

  @Test func partsInAnyOrderBecomeOneClipAndTheServerCarriesNone() async throws {
    var upload = try await make()
    var direct = try #require(upload.direct)
    #expect(direct.partBytes == Self.part && direct.count == 3 && direct.stored == [])
    #expect(direct.addresses.map(\.number) == [1, 2, 3] && direct.validSeconds == 900)
    #expect(upload.offset == 0 && upload.expiresAt != nil)
    try await send([3, 1, 3], upload)
    upload = try await uploads.upload(upload.id)
    direct = try #require(upload.direct)
    #expect(direct.stored == [1, 3] && direct.addresses.map(\.number) == [2])
    await #expect { try await uploads.commit(upload.id) } throws: {
      ($0 as? AppError) == AppError(.uploadIncomplete, "2 of 3 parts are there.")
    }
    try await send([2], upload)
    let done = try await uploads.commit(upload.id)
    #expect(done.state == .processing && done.direct == nil && done.offset == Self.file.count)
    #expect(try await uploads.commit(upload.id).clip?.id == done.clip?.id)
    #expect(try await bench.instance.queue.open().count == 1)
    let source = try #require(BlobName(hash: Self.hash, ext: "bin"))
    #expect(try await bench.instance.sources.size(source) == Self.file.count)
    #expect(try await bench.instance.receiving.count(upload.id) == 0)
    try await expectNoParts()
  }

  @Test func aRealClipGoesThroughTheBucketToThePublishedClip() async throws {
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4"))
    let upload = try await make(nil, file, hash: ContentHash.of(file))
    #expect(upload.direct?.count == 1)
    try await send([1], upload, file)
    #expect(try await uploads.commit(upload.id).state == .processing)
    while try await bench.instance.worker(tools: bench.tools).runNext() {}
    #expect(try await uploads.upload(upload.id).state == .published)
  }

  @Test func otherBytesThanAnnouncedStartFromTheFirstByteAgain() async throws {
    let upload = try await make()
    try await send([1, 3], upload)
    let address = try #require(upload.direct?.addresses.first { $0.number == 2 })
    #expect(try await put(Data(repeating: 9, count: Self.part), at: address.url) == 200)
    await #expect(throws: AppError(.uploadHashMismatch)) { try await uploads.commit(upload.id) }
    let again = try await uploads.upload(upload.id)
    #expect(again.direct?.stored == [] && again.direct?.addresses.count == 3)
    // What was sent to the old addresses is nobody's.
    #expect(try await put(Data(repeating: 9, count: Self.part), at: address.url) == 404)
    try await send([1, 2, 3], again)
    #expect(try await uploads.commit(upload.id).state == .processing)
  }

  @Test func whatIsNoVideoIsRefusedForGood() async throws {
    let file = Data(repeating: 5, count: 3000)
    let upload = try await make(nil, file, hash: ContentHash.of(file))
    try await send([1], upload, file)
    await #expect { try await uploads.commit(upload.id) } throws: {
      ($0 as? AppError)?.code == .notAVideo
    }
    #expect(try await uploads.commit(upload.id).problem?.code == "not_a_video")
    try await uploads.sweep()
    try await expectNoParts()
  }

  @Test func anAddressEndsAndTheNextAnswerHasAnother() async throws {
    let file = Self.file.prefix(1000)
    var rules = rules
    // With what is added for the way, one second.
    rules.addressSeconds = -59
    let short = try await make(bench.instance.uploads(rules), file, hash: ContentHash.of(file))
    let address = try #require(short.direct?.addresses.first?.url)
    while try await put(file, at: address) == 200 {}
    #expect(try await put(file, at: address) == 403)
    let upload = try await uploads.upload(short.id)
    if upload.direct?.stored == [] { try await send([1], upload, file) }
    #expect(try await uploads.commit(upload.id).state == .processing)
  }

  @Test func bytesThatComeHereAfterAllAreTakenHere() async throws {
    let upload = try await make()
    try await send([2], upload)
    let parts = try await parts(upload.id)
    try await bench.serving(uploads: rules) { [bucket = try bucket] transport async throws in
      let wrong = try await transport.send(UploadRequests.piece(upload.id, Data([1]), at: Self.part))
      #expect(wrong.status == 409 && wrong.headers["upload-offset"] == "0")
      #expect(try await bucket.storedParts(parts)?.count == 1)
      let head = try await transport.send(WireRequest("HEAD", Route.upload.path(upload.id)))
      #expect(head.status == 204 && head.headers["upload-offset"] == "0")
      let half = try await transport.send(
        UploadRequests.piece(upload.id, Self.file.prefix(Self.part), at: 0))
      #expect(half.status == 204 && half.headers["upload-offset"] == "\(Self.part)")
      #expect(try await bucket.storedParts(parts) == nil)
      let state = try await transport.send(WireRequest("GET", Route.upload.path(upload.id)))
      let status = try WireCoding.decode(UploadStatus.self, from: state.body)
      #expect(status.direct == nil && status.offset == Self.part)
      _ = try await transport.send(
        UploadRequests.piece(upload.id, Self.file.suffix(from: Self.part), at: Self.part))
      let done = try await transport.send(WireRequest("POST", Route.uploadCommit.path(upload.id)))
      #expect(done.status == 200)
    }
    try await expectNoParts()
  }

  @Test func otherProtocolsAndOtherSettingsGoThroughTheServer() async throws {
    var rules = rules
    rules.directFromBytes = Self.file.count + 1
    #expect(try await make(bench.instance.uploads(rules)).direct == nil)
    rules.directFromBytes = nil
    #expect(try await make(bench.instance.uploads(rules)).direct == nil)
    try await bench.serving(uploads: self.rules) { transport async throws in
      let made = try await transport.send(
        WireRequest(
          "POST", Route.uploads.path(), headers: ["tus-resumable": "1.0.0", "upload-length": "9"]))
      let state = try await transport.send(WireRequest("GET", try #require(made.headers["location"])))
      #expect(try WireCoding.decode(UploadStatus.self, from: state.body).direct == nil)
      let own = try await transport.send(try UploadRequests.creation(Self.file))
      #expect(try WireCoding.decode(UploadStatus.self, from: own.body).direct?.count == 3)
    }
  }

  // MARK: Several at once

  @Test func twoServersThatCommitAtOnceMakeOneClip() async throws {
    let upload = try await complete()
    let other = bench.instance.uploads(rules)
    let states = await withTaskGroup(of: UploadStatus.State?.self) { group in
      for number in 0..<6 {
        group.addTask {
          try? await (number.isMultiple(of: 2) ? uploads : other).commit(upload.id).state
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(states.contains(.processing))
    #expect(try await uploads.commit(upload.id).state == .processing)
    #expect(try await bench.instance.clips.count() == 1)
    #expect(try await bench.instance.queue.open().count == 1)
    try await expectNoParts()
  }

  @Test func whoeverCommitsWaitsForTheSameWorkWhichGoesOnWithoutThem() async throws {
    let upload = try await complete()
    var uploads = uploads
    let slow = SlowStorage(storage: try bucket)
    uploads.direct = slow
    let impatient = Task { [uploads] in try await uploads.commit(upload.id) }
    await slow.hasBegun()
    impatient.cancel()
    let patient = Task { [uploads] in try await uploads.commit(upload.id) }
    slow.goOn()
    #expect(try await patient.value.state == .processing)
    #expect(slow.completions == 1)
  }

  @Test func theSameKeyTwiceAtOnceIsOneUploadWithOneSetOfParts() async throws {
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<5 { group.addTask { try await make(key: "a-key-of-mine").id } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    let bucket = try bucket
    #expect(try await bucket.client.multiparts(under: bucket.bucket.prefix, before: .max).count == 1)
  }

  @Test func whoHasNoShareLeftBeginsNothingInTheBucket() async throws {
    var rules = rules
    rules.bytesPerAccountPerDay = 0
    await #expect(throws: AppError(.uploadQuota)) { try await make(bench.instance.uploads(rules)) }
    try await expectNoParts()
  }

  // MARK: Crashes

  @Test func aCrashBetweenJoiningAndTheClipIsMendedByTheNextCommit() async throws {
    let upload = try await complete()
    let parts = try await parts(upload.id)
    let name = try #require(BlobName(hash: Self.hash, ext: "bin"))
    // As far as a process came that was killed.
    try await bench.instance.database.write { [uploads] in
      _ = try uploads.store.join(parts, of: upload.id, until: .max, in: $0)
    }
    #expect(
      try await bucket.complete(parts, as: name, sizeBytes: Self.file.count) == .stored)
    let known = try await uploads.upload(upload.id)
    #expect(known.state == .receiving && known.direct?.stored == [1, 2, 3])
    // Hours later no clip needs the source yet, and it is still there.
    _ = try await bench.instance.sweep(at: WrongTime(offsetMs: 3 * 3_600_000))
    #expect(try await uploads.commit(upload.id).state == .processing)
    #expect(try await bucket.client.size(of: bucket.key(name)) == Self.file.count)
  }

  @Test func aCrashBeforeJoiningIsMendedByTheNextCommit() async throws {
    let upload = try await complete()
    let parts = try await parts(upload.id)
    try await bench.instance.database.write { [uploads] in
      _ = try uploads.store.join(parts, of: upload.id, until: .max, in: $0)
    }
    #expect(try await uploads.commit(upload.id).state == .processing)
  }

  @Test func partsThatTheStorageForgotAreAskedForAgain() async throws {
    let upload = try await complete()
    try await bucket.abort(try await parts(upload.id))
    await #expect { try await uploads.commit(upload.id) } throws: {
      ($0 as? AppError)?.code == .uploadIncomplete
    }
    let again = try await uploads.upload(upload.id)
    #expect(again.direct?.stored == [])
    try await send([1, 2, 3], again)
    #expect(try await uploads.commit(upload.id).state == .processing)
  }

  @Test func whoMerelyHasTheIdOfAnAccountsUploadIsGivenNoAddresses() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(uploads: rules, accounts: accounts) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let owner = Bearer(inner: socket, token: try #require(session.accessToken))
      let made = try await owner.send(try UploadRequests.creation(Self.file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      func addresses(_ transport: any Transport) async throws -> Int? {
        let state = try await transport.send(WireRequest("GET", Route.upload.path(id)))
        return try WireCoding.decode(UploadStatus.self, from: state.body).direct?.addresses.count
      }
      #expect(try await addresses(owner) == 3)
      #expect(try await addresses(socket) == 0)
    }
  }

  // MARK: Ends

  @Test func whatIsDeletedOrExpiresLeavesNothingInTheBucket() async throws {
    let deleted = try await complete()
    try await uploads.terminate(deleted.id)
    try await expectNoParts()
    #expect(try await put(Self.bytes(of: 3), at: try #require(deleted.direct).addresses[2].url) == 404)
    await #expect(throws: AppError(.uploadNotFound)) { try await uploads.commit(deleted.id) }

    let time = TestTime(ms: SystemTime().nowMs)
    let later = bench.instance.uploads(rules, time: time)
    let left = try await make(later)
    let empty = try await make(later, key: "an-upload-that-nobody-goes-on-with")
    try await send([1], left)
    // Longer than any address is good for, and than its part may take.
    #expect(rules.emptyDirectPatienceMs > Int64(rules.addressSeconds) * 2000)
    time.advance(ms: rules.emptyDirectPatienceMs - 1)
    // Who asks for addresses is alive.
    #expect(try await later.upload(left.id).direct?.stored == [1])
    #expect(try await later.upload(empty.id).direct?.stored == [])
    time.advance(ms: rules.patienceMs - 1)
    await #expect(throws: AppError(.uploadExpired)) { try await later.upload(empty.id) }
    try await later.sweep()
    #expect(try await later.upload(left.id).direct?.stored == [1])
    time.advance(ms: rules.patienceMs + 1)
    await #expect(throws: AppError(.uploadExpired)) { try await later.upload(left.id) }
    try await later.sweep()
    try await expectNoParts()
  }

  @Test func aStorageThatIsDownLosesNothingAndTheSweepComesBack() async throws {
    var cut = uploads
    let down = try ScriptedServer(
      Array(repeating: "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", count: 100)
    )
    cut.direct = S3Blobs(bucket: try S3Server.bucket(endpoint: "http://127.0.0.1:\(down.port)"))
    await #expect { try await make(cut) } throws: { ($0 as? AppError)?.code == .unavailable }
    let upload = try await complete()
    await #expect { try await cut.commit(upload.id) } throws: { ($0 as? AppError)?.code == .unavailable }
    #expect(try await uploads.upload(upload.id).direct?.stored == [1, 2, 3])
    try await cut.terminate(upload.id)
    let bucket = try bucket
    #expect(try await bucket.client.multiparts(under: bucket.bucket.prefix, before: .max).count == 1)
    try await uploads.sweep()
    try await expectNoParts()
  }

  @Test func thePageMaySendToTheBucketOnlyIfUploadsGoThere() async throws {
    try Data("<!doctype html>".utf8).write(to: bench.folder.appendingPathComponent("index.html"))
    let origin = try bucket.sendOrigin
    for (rules, isAllowed) in [(rules, true), (UploadRules(), false)] {
      let page = try await bench.serving(uploads: rules) { try await $0.send(WireRequest("GET", "/")) }
      let policy = try #require(page.headers["content-security-policy"])
      #expect(policy.contains("connect-src 'self' \(origin);") == isAllowed)
      #expect(policy.contains("media-src 'self' blob:;"))
    }
  }
}

/// A real storage that takes its time to join parts: until it is told to go on.
private final class SlowStorage: DirectUploads {
  private let storage: S3Blobs
  private let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
  private let (gate, opening) = AsyncStream.makeStream(of: Void.self)
  private let count = Mutex(0)

  init(storage: S3Blobs) { self.storage = storage }

  var completions: Int { count.withLock { $0 } }
  func hasBegun() async { for await _ in begun { return } }
  func goOn() { opening.finish() }

  func complete(_ upload: DirectUpload, as name: BlobName, sizeBytes: Int) async throws -> DirectOutcome {
    count.withLock { $0 += 1 }
    beginning.finish()
    for await _ in gate {}
    return try await storage.complete(upload, as: name, sizeBytes: sizeBytes)
  }

  var sendOrigin: String { storage.sendOrigin }
  var minimumPartBytes: Int { storage.minimumPartBytes }
  var maximumParts: Int { storage.maximumParts }
  func begin() async throws -> DirectUpload { try await storage.begin() }
  func storedParts(_ upload: DirectUpload) async throws -> [StoredPart]? {
    try await storage.storedParts(upload)
  }
  func partAddress(_ number: Int, sizeBytes: Int, of upload: DirectUpload, seconds: Int) -> String {
    storage.partAddress(number, sizeBytes: sizeBytes, of: upload, seconds: seconds)
  }
  func abort(_ upload: DirectUpload) async throws { try await storage.abort(upload) }
  func abortStale(before timeMs: Int64) async throws -> Int { try await storage.abortStale(before: timeMs) }
}
