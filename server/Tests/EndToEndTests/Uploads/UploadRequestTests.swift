import Contract
import Foundation
import Platform
import Testing
import Uploads

@testable import Composition
@testable import ServerTesting

/// What crosses the wire when a file is uploaded, in each of the three protocols.
@Suite(.everyEngine) struct UploadRequestTests {
  private func problem(_ response: WireResponse) throws -> String {
    try WireCoding.decode(Problem.self, from: response.body).code
  }

  @Test func aFileGoesUpInPiecesAndBecomesOneClip() async throws {
    let bench = try await TestInstance()
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4"))
    try await bench.serving { transport async throws in
      let made = try await transport.send(try UploadRequests.creation(file))
      #expect(made.status == 201)
      let upload = try WireCoding.decode(UploadStatus.self, from: made.body)
      #expect(made.headers["location"] == Route.upload.path(upload.id))
      #expect(upload.offset == 0 && upload.sizeBytes == file.count && upload.expiresAt != nil)

      let half = file.count / 2
      let first = try await transport.send(UploadRequests.piece(upload.id, file.prefix(half), at: 0))
      #expect(first.status == 204 && first.headers["upload-offset"] == "\(half)")
      let early = try await transport.send(WireRequest("POST", Route.uploadCommit.path(upload.id)))
      #expect(early.status == 409)
      #expect(try problem(early) == "upload_incomplete")
      #expect(early.headers["upload-offset"] == "\(half)")
      let head = try await transport.send(WireRequest("HEAD", Route.upload.path(upload.id)))
      #expect(head.status == 204 && head.headers["upload-offset"] == "\(half)")
      #expect(head.headers["cache-control"] == "no-store")

      let twice = try await transport.send(UploadRequests.piece(upload.id, file.prefix(half), at: 0))
      #expect(twice.status == 409 && twice.headers["upload-offset"] == "\(half)")
      let second = try await transport.send(
        UploadRequests.piece(upload.id, file.suffix(from: half), at: half))
      #expect(second.headers["upload-offset"] == "\(file.count)")

      // Any number of times, one clip.
      let done = try await transport.send(WireRequest("POST", Route.uploadCommit.path(upload.id)))
      let again = try await transport.send(WireRequest("POST", Route.uploadCommit.path(upload.id)))
      let clip = try WireCoding.decode(UploadStatus.self, from: done.body).clip
      #expect(try WireCoding.decode(UploadStatus.self, from: again.body).clip == clip)
      #expect(done.status == 200 && clip != nil)
      while try await bench.instance.worker(tools: bench.tools).runNext() {}
      let end = try await transport.send(WireRequest("GET", Route.upload.path(upload.id)))
      #expect(try WireCoding.decode(UploadStatus.self, from: end.body).state == .published)
      let shown = try await Client(transport: transport).feed().items
      #expect(shown.map(\.caption) == ["At the #Pier"] && shown.first?.tags == ["dawn", "pier"])
      // Nothing of it waits any more.
      let left = try FileManager.default.contentsOfDirectory(
        atPath: bench.instance.folder.appendingPathComponent("uploads").path)
      #expect(left.isEmpty)
    }
  }

  @Test func aCutConnectionCostsNothingThatHadArrived() async throws {
    let file = UploadRequests.file(3_000_000)
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      let upload = try WireCoding.decode(
        UploadStatus.self, from: try await transport.send(try UploadRequests.creation(file)).body)
      _ = try await transport.sendAll(UploadRequests.piece(upload.id, file, at: 0), cutAfter: 1_234_567)
      let head = try await transport.send(WireRequest("HEAD", Route.upload.path(upload.id)))
      #expect(head.headers["upload-offset"] == "1234567")
      let rest = try await transport.send(
        UploadRequests.piece(upload.id, file.dropFirst(1_234_567), at: 1_234_567))
      #expect(rest.status == 204 && rest.headers["upload-offset"] == "3000000")
      let done = try await transport.send(WireRequest("POST", Route.uploadCommit.path(upload.id)))
      #expect(try WireCoding.decode(UploadStatus.self, from: done.body).state == .processing)
    }
  }

  @Test func theSameKeyIsTheSameUpload() async throws {
    let file = UploadRequests.file(5000)
    try await TestInstance().serving { socket async throws in
      let transport = CookieJar(socket)
      let one = try await transport.send(try UploadRequests.creation(file))
      let two = try await transport.send(try UploadRequests.creation(file))
      #expect(
        try WireCoding.decode(UploadStatus.self, from: one.body).id
          == WireCoding.decode(UploadStatus.self, from: two.body).id)
      let other = try await transport.send(try UploadRequests.creation(UploadRequests.file(6000)))
      #expect(other.status == 409)
      #expect(try problem(other) == "idempotency_key_reused")
    }
  }

  @Test func bytesThatAreNotThoseThatWereDeclaredAreRefused() async throws {
    let file = UploadRequests.file(5000)
    try await TestInstance().serving { transport async throws in
      let made = try await transport.send(
        try UploadRequests.creation(file, hash: String(repeating: "a", count: 64)))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      let more = try await transport.send(UploadRequests.piece(id, file + Data([1]), at: 0))
      #expect(more.status == 413)
      #expect(try problem(more) == "upload_too_long")
      _ = try await transport.send(UploadRequests.piece(id, file, at: 0))
      let done = try await transport.send(WireRequest("POST", Route.uploadCommit.path(id)))
      #expect(done.status == 422)
      #expect(try problem(done) == "upload_hash_mismatch")
      let head = try await transport.send(WireRequest("HEAD", Route.upload.path(id)))
      #expect(head.headers["upload-offset"] == "0")
    }
  }

  @Test func aSourceTypeThatIsNoneOfTheTwoIsRefused() async throws {
    let file = UploadRequests.file(5000)
    try await TestInstance().serving { transport async throws in
      for type in ["digitalCapture", "", "TrainedAlgorithmicMedia"] {
        var request = try UploadRequests.creation(file, key: "key-of-\(type)-file")
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        request.body = Data(#"{"digital_source_type":"\#(type)",\#(body.dropFirst())"#.utf8)
        let refused = try await transport.send(request)
        #expect(refused.status == 400, "\(type)")
        let problem = try WireCoding.decode(Problem.self, from: refused.body)
        #expect(problem.code == "request_refused" && problem.field == "digital_source_type", "\(type)")
      }
    }
  }

  @Test func aTypeThatLiesEndsAfterTheFirstPiece() async throws {
    let file = Data("<html>".utf8) + UploadRequests.file(5000)
    try await TestInstance().serving { transport async throws in
      let made = try await transport.send(try UploadRequests.creation(file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      let first = try await transport.send(UploadRequests.piece(id, file.prefix(2000), at: 0))
      #expect(first.status == 415)
      #expect(try problem(first) == "not_a_video")
      let state = try WireCoding.decode(
        UploadStatus.self, from: try await transport.send(WireRequest("GET", Route.upload.path(id))).body)
      #expect(state.state == .refused && state.problem?.code == "not_a_video")
      let second = try await transport.send(UploadRequests.piece(id, file.dropFirst(2000), at: 2000))
      #expect(try problem(second) == "upload_closed")
    }
  }

  @Test func whatTheSizeGateRefusesCostsNoByte() async throws {
    let file = UploadRequests.file(100)
    try await TestInstance().serving { transport async throws in
      let large = try await transport.send(try UploadRequests.creation(file, size: Limits.sourceBytes + 1))
      #expect(try problem(large) == "file_too_large")
      let empty = try await transport.send(try UploadRequests.creation(file, key: "another-key", size: 0))
      #expect(try problem(empty) == "empty_file")
      let hash = try await transport.send(
        try UploadRequests.creation(file, key: "a-third-key", hash: "../../x"))
      #expect(try problem(hash) == "request_refused")
      let none = try await transport.send(WireRequest("HEAD", Route.upload.path("../../etc/passwd")))
      #expect(none.status == 404)
    }
  }

  @Test func detailsCanChangeUntilTheEndAndAfterIt() async throws {
    let bench = try await TestInstance()
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4"))
    try await bench.serving { transport async throws in
      let id = try WireCoding.decode(
        UploadStatus.self, from: try await transport.send(try UploadRequests.creation(file)).body
      ).id
      func say(_ details: String) async throws -> WireResponse {
        try await transport.send(
          WireRequest(
            "PATCH", Route.upload.path(id), headers: ["content-type": "application/merge-patch+json"],
            body: Data(details.utf8)))
      }
      #expect(try await say(#"{"visibility": "unlisted"}"#).status == 200)
      #expect(try await say(#"{"visibility": "nobody"}"#).status == 400)
      _ = try await transport.send(UploadRequests.piece(id, file, at: 0))
      _ = try await transport.send(WireRequest("POST", Route.uploadCommit.path(id)))
      while try await bench.instance.worker(tools: bench.tools).runNext() {}
      let client = Client(transport: transport)
      #expect(try await client.feed().items.isEmpty)
      _ = try await say(#"{"caption": "New #words", "tags": [], "visibility": "public"}"#)
      let shown = try await client.feed().items
      #expect(shown.map(\.caption) == ["New #words"] && shown.first?.tags == ["words"])
    }
  }

  // MARK: tus

  @Test func tusTellsWhatItCanDo() async throws {
    try await TestInstance().serving { transport async throws in
      let answer = try await transport.send(WireRequest("OPTIONS", Route.uploads.path()))
      #expect(answer.status == 204 && answer.headers["tus-version"] == "1.0.0")
      #expect(
        answer.headers["tus-extension"] == "creation,creation-with-upload,termination,checksum,expiration")
      let old = try await transport.send(
        WireRequest("HEAD", Route.upload.path("x"), headers: ["tus-resumable": "0.2.2"]))
      #expect(old.status == 412 && old.headers["tus-version"] == "1.0.0")
    }
  }

  @Test func tusMakesSendsChecksAndEnds() async throws {
    let bench = try await TestInstance()
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4"))
    try await bench.serving { transport async throws in
      let tus = ["tus-resumable": "1.0.0"]
      let typed = tus.merging(["content-type": "application/offset+octet-stream"]) { $1 }
      let caption = Data("Über #tus".utf8).base64EncodedString()
      let made = try await transport.send(
        WireRequest(
          "POST", Route.uploads.path(),
          headers: typed.merging([
            "upload-length": "\(file.count)", "upload-metadata": "caption \(caption),x",
          ]) { $1 },
          body: file.prefix(1000)))
      #expect(made.status == 201 && made.headers["upload-offset"] == "1000")
      #expect(made.headers["upload-expires"]?.hasSuffix("GMT") == true)
      let id = String(try #require(made.headers["location"]).split(separator: "/").last!)

      let middle = file[1000..<3000]
      let wrong = Data(repeating: 0, count: 20).base64EncodedString()
      let damaged = try await transport.send(
        UploadRequests.piece(id, middle, at: 1000, tus.merging(["upload-checksum": "sha1 \(wrong)"]) { $1 }))
      #expect(damaged.status == 460)
      let head = try await transport.send(WireRequest("HEAD", Route.upload.path(id), headers: tus))
      #expect(head.headers["upload-offset"] == "1000" && head.headers["upload-length"] == "\(file.count)")
      let unknown = try await transport.send(
        UploadRequests.piece(id, middle, at: 1000, tus.merging(["upload-checksum": "crc7 AAAA"]) { $1 }))
      #expect(unknown.status == 400)

      let last = try await transport.send(UploadRequests.piece(id, file.dropFirst(1000), at: 1000, tus))
      #expect(last.status == 204 && last.headers["upload-offset"] == "\(file.count)")
      // The last byte is the request to publish.
      let state = try await transport.send(WireRequest("GET", Route.upload.path(id)))
      #expect(try WireCoding.decode(UploadStatus.self, from: state.body).state == .processing)
      let late = try await transport.send(WireRequest("DELETE", Route.upload.path(id), headers: tus))
      #expect(late.status == 409)
      while try await bench.instance.worker(tools: bench.tools).runNext() {}
      #expect(try await Client(transport: transport).feed().items.map(\.caption) == ["Über #tus"])
    }
  }

  @Test func aTerminatedUploadIsGone() async throws {
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      let made = try await transport.send(
        WireRequest(
          "POST", Route.uploads.path(), headers: ["tus-resumable": "1.0.0", "upload-length": "5000"]))
      let path = try #require(made.headers["location"])
      let ended = try await transport.send(WireRequest("DELETE", path, headers: ["tus-resumable": "1.0.0"]))
      #expect(ended.status == 204)
      #expect(try await transport.send(WireRequest("HEAD", path)).status == 404)
    }
  }

  // MARK: The IETF's draft

  @Test(arguments: [(6, "upload-complete", "?1", "?0"), (3, "upload-incomplete", "?0", "?1")])
  func theDraftTellsWhereToGoOnBeforeTheBodyIsThere(
    _ version: Int, _ name: String, _ complete: String, _ incomplete: String
  ) async throws {
    let bench = try await TestInstance()
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4"))
    try await bench.serving { transport async throws in
      let words = ["upload-draft-interop-version": "\(version)"]
      let first = try await transport.sendAll(
        WireRequest(
          "POST", Route.uploads.path(),
          headers: words.merging([name: complete, "content-type": "video/mp4"]) { $1 }, body: file),
        cutAfter: 2000)
      let interim = try #require(first.first)
      #expect(interim.status == 104)
      let path = try #require(interim.headers["location"])

      let head = try await transport.send(WireRequest("HEAD", path, headers: words))
      #expect(head.status == 204 && head.headers["upload-offset"] == "2000")
      #expect(head.headers[name] == incomplete)
      let type = version == 3 ? "video/mp4" : "application/partial-upload"
      let part = words.merging(["content-type": type]) { $1 }
      let more = try await transport.send(
        WireRequest(
          "PATCH", path, headers: part.merging([name: incomplete, "upload-offset": "2000"]) { $1 },
          body: file[2000..<4000]))
      #expect(more.status == 201 && more.headers[name] == incomplete)
      let last = try await transport.send(
        WireRequest(
          "PATCH", path, headers: part.merging([name: complete, "upload-offset": "4000"]) { $1 },
          body: file.dropFirst(4000)))
      #expect(last.status == 200 && last.headers[name] == complete)
      #expect(try WireCoding.decode(UploadStatus.self, from: last.body).state == .processing)
    }
  }

  @Test(arguments: [(["upload-draft-interop-version": "6"], [104, 201]), ([:], [201])])
  func aWholeFileInOneRequestNeedsNoOther(_ words: [String: String], _ statuses: [Int]) async throws {
    let file = UploadRequests.file(5000)
    try await TestInstance().serving { transport async throws in
      let all = try await transport.sendAll(
        WireRequest(
          "POST", Route.uploads.path(),
          headers: words.merging(["upload-complete": "?1", "content-type": "video/mp4"]) { $1 }, body: file),
        cutAfter: nil)
      #expect(all.map(\.status) == statuses)
      #expect(
        try WireCoding.decode(UploadStatus.self, from: try #require(all.last).body).state == .processing)
    }
  }
}
