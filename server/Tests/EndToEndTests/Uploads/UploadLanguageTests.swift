import Contract
import Foundation
import Platform
import Testing
import Uploads
import Videos

@testable import Captions
@testable import Composition
@testable import ServerTesting

/// In which language a clip is: as its creator says, or reads, or writes captions.
@Suite(.everyEngine) struct UploadLanguageTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func language(ofUpload id: String) async throws -> String? {
    let rows = try await bench.instance.database.read {
      try $0.query(
        "SELECT c.language FROM clips c JOIN uploads u ON u.clip_id = c.id WHERE u.id = ?", [.text(id)])
    }
    return try #require(rows.first).optionalText("language")
  }

  private func language(ofClip id: String) async throws -> String? {
    let rows = try await bench.instance.database.read {
      try $0.query("SELECT language FROM clips WHERE id = ?", [.text(id)])
    }
    return try #require(rows.first).optionalText("language")
  }

  private func create(
    _ seed: Int, _ language: String?, accepting header: String?, _ transport: SocketTransport
  ) async throws -> WireResponse {
    let file = UploadRequests.file(5_000, seed: seed)
    let new = NewUpload(
      sizeBytes: file.count, sha256: ContentHash.of(file), type: "video/mp4",
      details: ClipDetails(language: language))
    var headers = ["content-type": "application/json", "idempotency-key": "key-of-file-\(seed)"]
    headers["accept-language"] = header
    return try await transport.send(
      WireRequest("POST", Route.uploads.path(), headers: headers, body: try WireCoding.encode(new)))
  }

  private func commit(_ id: String, _ seed: Int, _ transport: SocketTransport) async throws {
    _ = try await transport.send(UploadRequests.piece(id, UploadRequests.file(5_000, seed: seed), at: 0))
    let done = try await transport.send(WireRequest("POST", Route.uploadCommit.path(id)))
    try #require(done.status == 200)
  }

  private func say(
    _ details: String, of id: String, _ transport: SocketTransport
  ) async throws -> WireResponse {
    try await transport.send(
      WireRequest(
        "PATCH", Route.upload.path(id), headers: ["content-type": "application/merge-patch+json"],
        body: Data(details.utf8)))
  }

  @Test func whatIsSaidCountsAndElseWhatIsRead() async throws {
    let cases: [(said: String?, accepted: String?, language: String?)] = [
      ("pt", "de", "pt"), (nil, "de-AT, en;q=0.8", "de"), (nil, nil, nil), (nil, "*, klingon", nil),
      // In none at all.
      ("zxx", "de", nil),
    ]
    try await bench.serving { transport async throws in
      for (seed, one) in cases.enumerated() {
        let made = try await create(seed, one.said, accepting: one.accepted, transport)
        let upload = try WireCoding.decode(UploadStatus.self, from: made.body)
        // What is only guessed is not shown as if it had been said.
        #expect(upload.details.language == one.said)
        try await commit(upload.id, seed, transport)
        #expect(try await language(ofUpload: upload.id) == one.language, "\(one)")
      }
    }
  }

  @Test func whatIsNoLanguageIsRefused() async throws {
    try await bench.serving { transport async throws in
      func check(_ refused: WireResponse) throws {
        #expect(refused.status == 400)
        let problem = try WireCoding.decode(Problem.self, from: refused.body)
        #expect(problem.field == "language" || problem.field == "details.language", "\(problem)")
      }
      try check(try await create(0, "english", accepting: nil, transport))
      let made = try await create(1, nil, accepting: nil, transport)
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      try check(try await say(#"{"language": "english"}"#, of: id, transport))
    }
  }

  @Test func itIsChangedAsOtherDetailsAre() async throws {
    try await bench.serving { transport async throws in
      let made = try await create(0, nil, accepting: "de", transport)
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      #expect(try await say(#"{"language": "fr"}"#, of: id, transport).status == 200)
      try await commit(id, 0, transport)
      #expect(try await language(ofUpload: id) == "fr")
      #expect(try await say(#"{"language": "it"}"#, of: id, transport).status == 200)
      #expect(try await language(ofUpload: id) == "it")
      // Captions say so later, and who changes something else says nothing of it.
      let clip = try await bench.instance.uploads(UploadRules()).captionedClip(of: id)
      try await bench.instance.database.write { [bench] in
        try bench.instance.clips.setLanguage("sv", of: clip, in: $0)
      }
      #expect(try await say(#"{"caption": "New words"}"#, of: id, transport).status == 200)
      #expect(try await language(ofUpload: id) == "sv")
    }
  }

  @Test func otherProtocolsSayItInTheirWords() async throws {
    try await bench.serving { transport async throws in
      let said = "language \(Data("sv-FI".utf8).base64EncodedString())"
      for (seed, metadata, expected) in [(0, nil, "da"), (1, said, "sv")] as [(Int, String?, String)] {
        let file = UploadRequests.file(5_000, seed: seed)
        var headers = [
          "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream",
          "upload-length": "\(file.count)", "accept-language": "da, en;q=0.5",
        ]
        headers["upload-metadata"] = metadata
        let made = try await transport.send(
          WireRequest("POST", Route.uploads.path(), headers: headers, body: file))
        #expect(made.status == 201)
        let id = String(try #require(made.headers["location"]).split(separator: "/").last!)
        #expect(try await language(ofUpload: id) == expected)
      }
      let made = try await transport.send(
        WireRequest(
          "POST", Route.uploads.path(),
          headers: ["upload-complete": "?1", "content-type": "video/mp4", "accept-language": "fr;q=0.3, nb"],
          body: UploadRequests.file(5_000, seed: 2)))
      #expect(made.status == 201)
      let id = String(try #require(made.headers["location"]).split(separator: "/").last!)
      #expect(try await language(ofUpload: id) == "nb")
    }
  }

  @Test func captionsByAPersonInOneLanguageAreTheClips() async throws {
    let instance = bench.instance
    let clip = try await bench.publishBare("one")
    func put(_ language: String) async throws {
      _ = try await instance.captions.put(
        Array("WEBVTT\n\n00:00.100 --> 00:00.900\nwords\n".utf8), to: clip, language: language, label: nil)
    }
    // A program says nothing of it.
    try await instance.database.write {
      try instance.clips.setCaptions(
        CaptionTrack(language: "en", label: "English", url: "/media/x.vtt", automatic: true), of: clip,
        in: $0)
    }
    #expect(try await language(ofClip: clip) == nil)
    try await put("nl-BE")
    #expect(try await language(ofClip: clip) == "nl")
    // Of two, one may be a translation.
    try await put("fr")
    #expect(try await language(ofClip: clip) == "nl")
    try await instance.captions.remove("nl-BE", of: clip)
    #expect(try await language(ofClip: clip) == "fr")
    try await instance.captions.remove("fr", of: clip)
    #expect(try await language(ofClip: clip) == "fr")
  }
}
