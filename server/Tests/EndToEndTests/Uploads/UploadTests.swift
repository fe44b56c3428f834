import Contract
import Foundation
import Platform
import Testing
import Uploads
import Videos

@testable import Composition
@testable import LocalUploads
@testable import PlatformTesting
@testable import ServerTesting

@Suite(.everyEngine) struct UploadTests {
  let file = [UInt8](UploadRequests.file(200_000))
  let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func uploads(_ time: any TimeSource = SystemTime(), _ rules: UploadRules = UploadRules())
    -> Uploads
  {
    bench.instance.uploads(rules, time: time)
  }

  private func make(_ uploads: Uploads, by account: String = "somebody", key: String? = nil) async throws
    -> String
  {
    let new = NewUpload(sizeBytes: file.count, sha256: ContentHash.of(file), type: "video/mp4")
    return try await uploads.create(
      new, key: key.map { IdempotencyKey($0, of: account) }, publishesItself: false,
      by: .guest(address: account)
    ).id
  }

  private func pieces(_ bytes: [UInt8]...) -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { continuation in
      for piece in bytes { continuation.yield(piece) }
      continuation.finish()
    }
  }

  @Test func anUploadThatNobodyGoesOnWithExpires() async throws {
    let time = TestTime()
    let uploads = uploads(time)
    let id = try await make(uploads, key: "the-key-of-it")
    time.advance(ms: UploadRules().emptyPatienceMs - 1)
    #expect(try await uploads.append(pieces([0, 1]), to: id, at: 0, announced: 2) == 2)
    for announced in [SafeInteger.most, Int.max] {
      await #expect(throws: AppError(.uploadTooLong)) {
        try await uploads.append(pieces([2]), to: id, at: 1, announced: announced)
      }
    }
    // The sign of life counts.
    time.advance(ms: UploadRules().patienceMs - 1)
    #expect(try await uploads.upload(id).offset == 2)
    time.advance(ms: 2)
    await #expect(throws: AppError(.uploadExpired)) { try await uploads.upload(id) }
    try await uploads.sweep()
    #expect(try await bench.instance.receiving.count(id) == 0)
    await #expect(throws: AppError(.uploadExpired)) { try await make(uploads, key: "the-key-of-it") }
    await #expect(throws: AppError(.uploadExpired)) {
      try await uploads.append(pieces([2]), to: id, at: 2, announced: 1)
    }
    time.advance(ms: UploadRules().memoryMs)
    try await uploads.sweep()
    await #expect(throws: AppError(.uploadNotFound)) { try await uploads.upload(id) }
  }

  @Test func oneAccountCannotTakeAllTheRoom() async throws {
    var rules = UploadRules()
    rules.openPerAccount = 2
    rules.openBytes = 3 * file.count
    let uploads = uploads(SystemTime(), rules)
    func fill(_ id: String) async throws {
      _ = try await uploads.append(pieces(file), to: id, at: 0, announced: file.count)
    }
    try await fill(try await make(uploads))
    let second = try await make(uploads)
    try await fill(second)
    await #expect(throws: AppError(.uploadQuota)) { try await make(uploads) }
    // The key of an upload that is there asks for no new room.
    let another = try await make(uploads, by: "another", key: "a-key-of-mine")
    #expect(try await make(uploads, by: "another", key: "a-key-of-mine") == another)
    try await fill(another)
    await #expect { try await make(uploads, by: "a third") } throws: {
      ($0 as? AppError)?.code == .storageFull
    }
    try await uploads.terminate(second)
    _ = try await make(uploads)
  }

  @Test func nobodyStartsWhatTheDiskCannotHold() async throws {
    var rules = UploadRules()
    rules.reserveBytes = .max / 2
    let uploads = uploads(SystemTime(), rules)
    await #expect(throws: AppError(.storageFull)) { try await make(uploads) }
  }

  @Test func aNewerRequestEndsAnOlderOne() async throws {
    let uploads = uploads()
    let id = try await make(uploads)
    let (endless, more) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
    more.yield(Array(file.prefix(1000)))
    let older = Task { try await uploads.append(endless, to: id, at: 0, announced: nil) }
    while try await uploads.upload(id).offset < 1000 { await Task.yield() }
    // Who asks for the offset goes on from there, and nothing may move under it.
    #expect(try await uploads.settledOffset(id).offset == 1000)
    more.yield(Array(file[1000..<2000]))
    _ = await older.result
    #expect(
      try await uploads.append(pieces(Array(file[1000...])), to: id, at: 1000, announced: nil) == file.count)
    #expect(try await uploads.commit(id).state == .processing)
  }

  @Test func whatNoChecksumVouchesForGoesWithARequestThatANewerOneEnds() async throws {
    let uploads = uploads()
    let id = try await make(uploads)
    _ = try await uploads.append(pieces(Array(file.prefix(1000))), to: id, at: 0, announced: nil)
    let none = Data(repeating: 0, count: 32).base64EncodedString()
    let checksum = try #require(PieceChecksum(algorithm: "sha256", base64: none))
    let (endless, more) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
    more.yield(Array(file[1000..<2000]))
    let older = Task {
      try await uploads.append(endless, to: id, at: 1000, announced: nil, checksum: checksum)
    }
    while try await uploads.upload(id).offset < 2000 { await Task.yield() }
    #expect(try await uploads.settledOffset(id).offset == 1000)
    more.finish()
    _ = await older.result
  }

  @Test func anotherProcessOnTheSameUploadIsToldToWait() async throws {
    let uploads = uploads()
    let id = try await make(uploads)
    let held = try await bench.instance.receiving.open(id)
    await #expect(throws: AppError(.uploadBusy)) {
      try await uploads.append(pieces([1]), to: id, at: 0, announced: 1)
    }
    await held.close()
    #expect(try await uploads.append(pieces([1]), to: id, at: 0, announced: 1) == 1)
  }

  @Test func aChildProcessThatIsBeingStartedHoldsNobodyUp() async throws {
    let bytes = bench.instance.receiving
    let tail = try await bytes.open("an-upload")
    // What a process has between fork and exec.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
    let copies = open.filter { file in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
      return target?.hasSuffix("/an-upload") == true
        && target?.contains(bench.folder.lastPathComponent) == true
    }.map { dup($0) }
    defer { copies.forEach { _ = close($0) } }
    #expect(copies.count == 1)
    await tail.close()
    await (try bytes.open("an-upload")).close()
  }

  @Test func twoCommitsAtOnceMakeOneClip() async throws {
    let uploads = uploads()
    let id = try await make(uploads)
    _ = try await uploads.append(pieces(file), to: id, at: 0, announced: nil)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = try? await uploads.commit(id) } }
    }
    #expect(try await uploads.commit(id).state == .processing)
    #expect(try await bench.instance.clips.count() == 1)
    #expect(try await bench.instance.queue.open().count == 1)
  }

  @Test func aCrashBeforeTheClipIsRegisteredLosesNothing() async throws {
    let uploads = uploads()
    let id = try await make(uploads)
    _ = try await uploads.append(pieces(file), to: id, at: 0, announced: nil)
    // As far as a process came that was killed.
    try await bench.instance.receiving.handOver(id, to: bench.instance.sources)
    #expect(try await uploads.upload(id).offset == file.count)
    #expect(try await uploads.commit(id).state == .processing)
  }

  @Test func bytesWithoutAnUploadAreSweptOnceTheyAreOld() async throws {
    let stray = bench.instance.folder.appendingPathComponent("uploads/0123")
    try Data([1]).write(to: stray)
    try await uploads().sweep()
    #expect(FileManager.default.fileExists(atPath: stray.path))
    let old = Date(timeIntervalSinceNow: -7200)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: stray.path)
    try await uploads().sweep()
    #expect(!FileManager.default.fileExists(atPath: stray.path))
  }

  /// It is as old as the file, and the storage reads it as long as the bytes are handed over.
  @Test func theSecondNameOfAFileIsSweptOnlyOnceTheFirstIsGone() async throws {
    let folder = bench.instance.folder.appendingPathComponent("uploads")
    for name in ["0123", "0123.77", "4567.88"] {
      let file = folder.appendingPathComponent(name)
      try Data([1]).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: file.path)
    }
    let untouched = try await bench.instance.receiving.untouched(sinceMs: SystemTime().nowMs - 3_600_000)
    #expect(untouched.sorted() == ["0123", "4567.88"])
  }
}
