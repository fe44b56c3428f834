import AsyncHTTPClient
import Contract
import Foundation
import NIOCore
import NIOHTTP1
import Platform
import Testing

@testable import S3Blobs
@testable import ServerTesting

/// What is S3's own, against a real server.
@Suite struct S3StoreTests {
  private func file(_ data: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try data.write(to: url)
    return url
  }

  @Test func aLargeBlobGoesInPartsAndComesBackWhole() async throws {
    let store = try S3Server.store()
    // Three parts, of which the last is smaller.
    let size = FileParts.wholeBytes + 1
    let data = Data((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 / 997) })
    let name = try await store.put(fileAt: try file(data), ext: "mp4")
    #expect(try await store.size(name) == size)
    var hash = RunningHash()
    try await store.read(name, range: 0..<size) { hash.add($0) }
    #expect(hash.value == name.hash)
    #expect(try await store.client.multiparts(under: store.bucket.prefix, before: .max).isEmpty)
    var tail = Data()
    try await store.read(name, range: size - 3..<size) { tail += $0 }
    #expect(tail == data.suffix(3))
    try await store.remove(name)
    #expect(try await store.size(name) == nil)
  }

  @Test func partsOfABlobThatCannotBeStoredAreAborted() async throws {
    let store = try S3Server.store()
    let data = Data(count: FileParts.wholeBytes + 1)
    let url = try file(data)
    defer { try? FileManager.default.removeItem(at: url) }
    let parts = try FileParts(url)
    // The file changes after it was hashed: the storage must refuse it.
    try Data(repeating: 1, count: data.count).write(to: url)
    let name = try #require(BlobName(hash: parts.hash, ext: "mp4"))
    await #expect(throws: S3Failure.self) { try await store.putInParts(parts, name) }
    #expect(try await store.size(name) == nil)
    #expect(try await store.client.multiparts(under: store.bucket.prefix, before: .max).isEmpty)
  }

  @Test func objectsThatAreNoBlobsAreNotListed() async throws {
    let store = try S3Server.store()
    let name = try await store.put(
      Data("blob".utf8), ext: "bin", in: FileManager.default.temporaryDirectory)
    for key in ["00/notes.txt", "00/\(name)", "zz/readme"] {
      _ = try await store.client.answer(
        S3Call(method: .PUT, key: store.bucket.prefix + key, payload: .bytes([1])))
    }
    // One object a page: pages without a blob are passed over.
    #expect(try await store.list(after: nil, limit: 1).map(\.name) == [name])
    #expect(try await store.list(after: name, limit: 1).isEmpty)
  }

  @Test(arguments: [-7_200_000, 7_200_000, -86_400_000] as [Int64])
  func aClockThatIsWrongDoesNotMatter(_ offsetMs: Int64) async throws {
    let store = try S3Server.store(time: WrongTime(offsetMs: offsetMs))
    try await store.checkWritable()
    let name = try await store.put(
      Data("late".utf8), ext: "mp4", in: FileManager.default.temporaryDirectory)
    let response = try await S3Server.execute(HTTPClientRequest(url: store.readAddress(name, seconds: 60)))
    #expect(response.status == .ok)
    _ = try await response.body.collect(upTo: 100)
  }

  @Test func aHeadRequestFindsOutThatTheClockIsWrongToo() async throws {
    let store = try S3Server.store(time: WrongTime(offsetMs: 7_200_000))
    let name = try #require(BlobName(hash: ContentHash.of(Data("never".utf8)), ext: "mp4"))
    #expect(try await store.size(name) == nil)
  }

  @Test func theOperatorHearsWhyABucketCannotBeUsed() async throws {
    try await S3Blobs(bucket: try S3Server.bucket()).checkAccess()
    for (bucket, words) in [
      (try S3Server.bucket(name: "no-such-bucket"), "There is no bucket no-such-bucket at http://127.0.0.1"),
      (try S3Server.bucket(secretKey: "wrong"), "The keys are not accepted"),
      (try S3Server.bucket(endpoint: "http://127.0.0.1:1"), "Nothing answers at http://127.0.0.1:1"),
    ] {
      let failure = await #expect(throws: S3Blobs.NoAccess.self) {
        try await S3Blobs(bucket: bucket).checkAccess()
      }
      #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
      #expect(failure?.description.contains("wrong") == false)
    }
  }

  @Test func aStrangerLearnsNothingOfWhereTheStorageIs() async throws {
    let store = S3Blobs(bucket: try S3Server.bucket(endpoint: "http://127.0.0.1:1"))
    let failure = await #expect(throws: AppError.self) { try await store.checkWritable() }
    #expect(failure?.code == .unavailable)
    #expect(failure?.message.contains("127.0.0.1") == false)
  }
}
