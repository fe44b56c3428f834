import Contract
import Foundation
import NIOHTTP1
import Platform
import Synchronization
import Testing

@testable import PlatformTesting
@testable import S3Blobs

/// What a real storage does only on a bad day, played by a socket that answers word for word.
@Suite struct S3FaultTests {
  private static let name = BlobName(hash: ContentHash.of(Array("0123456789".utf8)), ext: "mp4")!

  private func store(_ server: ScriptedServer) throws -> S3Blobs {
    S3Blobs(
      bucket: try S3Bucket(
        endpoint: "http://127.0.0.1:\(server.port)", name: "clips", accessKey: "A", secretKey: "B"))
  }

  private static func answer(_ status: String, _ body: String = "", _ headers: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
  }

  @Test(arguments: ["503 Slow Down", "500 Oops", "429 Too Many", "502 Bad Gateway", "504 Timeout", "lost"])
  func whatMayBeTriedAgainIs(_ first: String) async throws {
    let server = try ScriptedServer([first == "lost" ? "" : Self.answer(first), Self.answer("204 Gone")])
    try await store(server).remove(Self.name)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: ["400 Bad", "403 No", "301 Elsewhere", "501 Never"])
  func whatStaysRefusedIsNotTriedAgain(_ status: String) async throws {
    let server = try ScriptedServer([Self.answer(status, "", "Location: http://127.0.0.1:1/\r\n")])
    await #expect(throws: AppError.self) { try await store(server).remove(Self.name) }
    #expect(server.requests.count == 1)
  }

  @Test func aStorageThatStaysAwayIsGivenUp() async throws {
    let server = try ScriptedServer(Array(repeating: Self.answer("503 Slow Down"), count: 20))
    var client = try store(server).client
    client.attempts = 3
    await #expect(throws: S3Failure(status: 503, code: "Status503")) { try await client.remove("x") }
    #expect(server.requests.count == 3)
  }

  /// A storage ends an idle connection in the moment in which it is used again: an upload must not fail of that.
  @Test(arguments: ["503 Slow Down", "lost"]) func anUploadInPartsBeginsAlthoughOneAnswerIsMissing(
    _ first: String
  ) async throws {
    let begun = Self.answer(
      "200 OK", "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>")
    let server = try ScriptedServer([first == "lost" ? "" : Self.answer(first), begun])
    #expect(try await store(server).begin().id == "u")
    #expect(server.requests.count == 2)
  }

  @Test func aReadingThatIsCutOffGoesOnWhereItWas() async throws {
    let part = "HTTP/1.1 206 Partial Content\r\nContent-Length: "
    let server = try ScriptedServer([
      part + "8\r\nContent-Range: bytes 2-9/10\r\n\r\n234",
      Self.answer("503 Slow Down"),
      part + "5\r\nContent-Range: bytes 5-9/10\r\n\r\n567",
      part + "2\r\nContent-Range: bytes 8-9/10\r\nConnection: close\r\n\r\n89",
    ])
    var data = Data()
    try await store(server).read(Self.name, range: 2..<10) { data += $0 }
    #expect(String(decoding: data, as: UTF8.self) == "23456789")
    let ranges = server.requests.compactMap { $0.split(separator: "\r\n").first { $0.hasPrefix("range:") } }
    #expect(ranges == ["range: bytes=2-9", "range: bytes=5-9", "range: bytes=5-9", "range: bytes=8-9"])
  }

  @Test func aServerThatKnowsNoRangesIsNotBelieved() async throws {
    let server = try ScriptedServer(Array(repeating: Self.answer("200 OK", "0123456789"), count: 8))
    await #expect(throws: AppError.self) {
      try await store(server).read(Self.name, range: 2..<4) { _ in Issue.record("a piece of something else") }
    }
  }

  @Test func anErrorThatComesWithStatus200IsOne() async throws {
    let error = Self.answer("200 OK", "<Error><Code>InternalError</Code></Error>")
    let server = try ScriptedServer([error, Self.answer("200 OK", "<CopyObjectResult/>")])
    try await store(server).client.copy("a", to: "b", headers: [])
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    ("507 Full", "", ErrorCode.storageFull),
    ("413 Large", "<Error><Code>EntityTooLarge</Code></Error>", .storageFull),
    ("403 No", "<Error><Code>QuotaExceeded</Code></Error>", .storageFull),
    ("403 No", "<Error><Code>AccessDenied</Code></Error>", .unavailable),
    ("404 No", "<Error><Code>NoSuchBucket</Code></Error>", .unavailable),
    ("403 No", "<!DOCTYPE a><Error>", .unavailable),
  ])
  func errorsHaveTheirPlaceInTheTable(_ status: String, _ body: String, _ code: ErrorCode) async throws {
    let server = try ScriptedServer([Self.answer(status, body)])
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("0123456789".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let failure = await #expect(throws: AppError.self) {
      try await store(server).put(fileAt: file, ext: "mp4")
    }
    #expect(failure?.code == code)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func neitherTheSecretNorAWordOfTheServersIsInAnError() async throws {
    let server = try ScriptedServer([
      Self.answer("400 Bad", "<Error><Code>&lt;script&gt;</Code><Message>B secret</Message></Error>")
    ])
    let failure = await #expect(throws: AppError.self) { try await store(server).remove(Self.name) }
    #expect(failure?.message == "The media storage refuses (Status400); try again in a moment.")
  }
}
