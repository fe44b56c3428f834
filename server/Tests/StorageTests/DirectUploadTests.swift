import AsyncHTTPClient
import Contract
import Foundation
import NIOCore
import NIOHTTP1
import Platform
import Testing

@testable import S3Blobs
@testable import ServerTesting

/// The obligations of `DirectUploads` and `DirectReads` against a real S3 server, with a client that has
/// nothing but the addresses it was handed.
@Suite struct DirectUploadTests {
  private static let first = [UInt8](repeating: 7, count: 5 << 20)
  private static let last = Array("the rest".utf8)
  private static let whole = first + last
  private static let name = BlobName(hash: ContentHash.of(whole), ext: "bin")!

  /// What a browser does with an address.
  private func send(_ bytes: [UInt8], to address: String, method: String = "PUT") async throws -> UInt {
    var request = HTTPClientRequest(url: address)
    request.method = .init(rawValue: method)
    request.headers.add(name: "origin", value: "https://clips.example")
    // This server takes what it has not read of a body that it refused for the next request, and answers that
    // too.
    request.headers.add(name: "connection", value: "close")
    request.body = .bytes(ByteBuffer(bytes: bytes))
    let response = try await S3Server.execute(request)
    _ = try await response.body.collect(upTo: 1 << 20)
    // The page must be able to read the tag of what it sent.
    if response.status == .ok {
      #expect(response.headers.first(name: "access-control-allow-origin") == "*")
    }
    return UInt(response.status.code)
  }

  private func sendAll(_ store: S3Blobs) async throws -> DirectUpload {
    let upload = try await store.begin()
    for (number, bytes) in [(1, Self.first), (2, Self.last)] {
      let address = store.partAddress(number, sizeBytes: bytes.count, of: upload, seconds: 600)
      #expect(try await send(bytes, to: address) == 200)
    }
    return upload
  }

  @Test func partsThatAClientSentBecomeTheBlobThatItDeclared() async throws {
    let store = try S3Server.store()
    let upload = try await sendAll(store)
    let parts = try #require(try await store.storedParts(upload))
    #expect(parts.map(\.number) == [1, 2])
    #expect(parts.map(\.sizeBytes) == [Self.first.count, Self.last.count])
    // Nothing is a blob before it is verified.
    #expect(try await store.list(after: nil, limit: 10).isEmpty)
    #expect(try await store.complete(upload, as: Self.name, sizeBytes: Self.whole.count) == .stored)
    var data: [UInt8] = []
    try await store.read(Self.name, range: 0..<Self.whole.count) { data += $0 }
    #expect(data == Self.whole)
    #expect(try await store.list(after: nil, limit: 10).map(\.name) == [Self.name])
    #expect(try await store.client.objects(under: store.incoming, after: nil, limit: 10).isEmpty)
    // The answer was lost, and the same is asked again.
    #expect(try await store.complete(upload, as: Self.name, sizeBytes: Self.whole.count) == .stored)
  }

  @Test func anUploadThatWasJoinedBeforeACrashIsCompletedAfterIt() async throws {
    let store = try S3Server.store()
    let upload = try await sendAll(store)
    try await store.client.complete(upload.multipart, try #require(try await store.storedParts(upload)))
    #expect(try await store.complete(upload, as: Self.name, sizeBytes: Self.whole.count) == .stored)
    #expect(try await store.size(Self.name) == Self.whole.count)
  }

  @Test func aClientThatLiesAboutContentOrSizeMakesNoBlobAndLeavesNothing() async throws {
    let store = try S3Server.store()
    let other = try #require(BlobName(hash: ContentHash.of(Array("other".utf8)), ext: "bin"))
    var upload = try await sendAll(store)
    #expect(
      try await store.complete(upload, as: other, sizeBytes: Self.whole.count)
        == .differs(sizeBytes: Self.whole.count, hash: Self.name.hash))
    #expect(try await store.complete(upload, as: other, sizeBytes: Self.whole.count) == .gone)
    upload = try await sendAll(store)
    #expect(
      try await store.complete(upload, as: Self.name, sizeBytes: 5)
        == .differs(sizeBytes: Self.whole.count, hash: nil))
    #expect(try await store.storedParts(upload) == nil)
    #expect(try await store.client.objects(under: store.bucket.prefix, after: nil, limit: 10).isEmpty)
    #expect(try await store.client.multiparts(under: store.bucket.prefix, before: .max).isEmpty)
  }

  @Test func anAddressTakesExactlyItsBytesAndNothingElse() async throws {
    let store = try S3Server.store()
    let upload = try await store.begin()
    let address = store.partAddress(1, sizeBytes: 100, of: upload, seconds: 600)
    #expect(try await send([UInt8](repeating: 1, count: 101), to: address) == 403)
    #expect(try await send([UInt8](repeating: 1, count: 99), to: address) == 403)
    let another = address.replacing("partNumber=1", with: "partNumber=2")
    #expect(try await send([UInt8](repeating: 1, count: 100), to: another) == 403)
    #expect(try await send([UInt8](repeating: 1, count: 100), to: address) == 200)
    // A part that is sent again takes the place of the first.
    #expect(try await send([UInt8](repeating: 2, count: 100), to: address) == 200)
    #expect(try await store.storedParts(upload)?.map(\.sizeBytes) == [100])
    try await store.abort(upload)
    try await store.abort(upload)
    #expect(try await send([UInt8](repeating: 1, count: 100), to: address) == 404)
    #expect(try await store.storedParts(upload) == nil)
  }

  @Test func anAddressExpires() async throws {
    let store = try S3Server.store()
    let upload = try await store.begin()
    // Signed ten minutes ago, for one.
    let past = store.client.presigned(
      "PUT", upload.place, query: [("partNumber", "1"), ("uploadId", upload.id)], seconds: 60,
      at: SystemTime().nowMs - 600_000)
    #expect(try await send([1], to: past) == 403)
    try await store.abort(upload)
  }

  @Test func whatNobodyEndedIsStaleAfterItsTime() async throws {
    let store = try S3Server.store()
    let open = try await store.begin()
    let joined = try await sendAll(store)
    try await store.client.complete(joined.multipart, try #require(try await store.storedParts(joined)))
    let kept = try await store.put(
      Data("kept".utf8), ext: "bin", in: FileManager.default.temporaryDirectory)
    #expect(try await store.abortStale(before: SystemTime().nowMs - 3_600_000) == 0)
    #expect(try await store.storedParts(open) == [])
    #expect(try await store.abortStale(before: SystemTime().nowMs + 3_600_000) == 2)
    #expect(try await store.storedParts(open) == nil)
    #expect(
      try await store.client.objects(under: store.bucket.prefix, after: nil, limit: 10).map(\.key) == [
        store.key(kept)
      ])
  }

  @Test func aReadAddressServesRangesToAnyoneAndStaysTheSameForAWhile() async throws {
    let store = try S3Server.store()
    let name = try await store.put(
      Data("0123456789".utf8), ext: "mp4", in: FileManager.default.temporaryDirectory)
    let address = store.readAddress(name, seconds: 600)
    #expect(address.hasPrefix(store.readOrigin + "/"))
    var request = HTTPClientRequest(url: address)
    request.headers.add(name: "range", value: "bytes=2-4")
    let response = try await S3Server.execute(request)
    #expect(response.status == .partialContent)
    #expect(response.headers.first(name: "content-type") == "video/mp4")
    #expect(response.headers.first(name: "cache-control") == "public, max-age=31536000, immutable")
    #expect(try await String(buffer: response.body.collect(upTo: 100)) == "234")
    // Whatever the second, an address of one span is one text, and is good for a span more.
    struct Fixed: TimeSource { let nowMs: Int64 }
    let addresses = [1_200_000, 1_799_999, 1_800_000].map {
      S3Blobs(bucket: store.bucket, time: Fixed(nowMs: $0)).readAddress(name, seconds: 600)
    }
    #expect(addresses[0] == addresses[1])
    #expect(addresses[1] != addresses[2])
    #expect(addresses[0].contains("X-Amz-Date=19700101T002000Z&X-Amz-Expires=1200&"))
  }
}
