import Accounts
import Contract
import FFmpeg
import Foundation
import OpenAPI
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import Generation
@testable import PlatformTesting
@testable import ServerTesting

/// Some members of an object.
private func hold(_ json: JSON?, _ members: [String: JSON], _ what: String = "") {
  for (name, value) in members { #expect(json?[name] == value, "\(what) \(name)") }
}

/// `/v1/videos` as programs of others speak to it.
@Suite struct VideosDialectTests {
  private struct Program {
    let transport: any Transport
    let account: String

    func send(
      _ method: String, _ target: String, _ body: String? = nil, _ headers: [String: String] = [:]
    ) async throws -> (status: Int, json: JSON, headers: [String: String]) {
      let response = try await transport.answer(method, target, body, headers).response
      return (response.status, (try? JSONReader.read([UInt8](response.body))) ?? .null, response.headers)
    }

    func make(_ body: String) async throws -> String {
      let (status, json, _) = try await send("POST", "/v1/videos", body)
      guard status == 200, case .string(let id)? = json["id"] else { throw Refused(json: json) }
      return id
    }
  }

  private struct Refused: Error { let json: JSON }

  private func serving(
    _ providers: [any VideoProvider], _ rules: GenerationRules = GenerationRules(),
    scopes: [APIKeyScope] = APIKeyScope.allCases,
    _ body:
      @escaping @Sendable (GenerationBench, _ mara: Program, _ paul: Program, SocketTransport)
      async throws -> Void
  ) async throws {
    let bench = try await GenerationBench(providers, rules)
    try await bench.bench.serving(accounts: bench.accounts) { socket async throws in
      func program(_ account: String, _ handle: String) async throws -> Program {
        let made = try await bench.accounts.makeAPIKey(
          of: account,
          NewAPIKey(
            name: "Editor", scopes: scopes, owner: OwnerProof(password: NewAccount(handle).password)))
        return Program(transport: Bearer(inner: socket, token: made.secret), account: account)
      }
      let paul = try await bench.accounts.join("paul").id
      try await body(
        bench, try await program(bench.mara, "mara"), try await program(paul, "paul"), socket)
    }
  }

  @Test func oneIsMadePolledDownloadedListedRemixedAndDeleted() async throws {
    let folder = try await TestInstance()
    let provider = ScriptedVideos(making: try await folder.makeClip("made.mp4"))
    try await serving([provider]) { bench, mara, paul, _ async throws in
      let id = try await mara.make(
        #"{"prompt":"A fox","model":"sora-2","seconds":"4","size":"720x1280","later":{"a":1}}"#)
      #expect(id.hasPrefix("video_"))
      let own = String(id.dropFirst(6))
      var (status, video, _) = try await mara.send("GET", "/v1/videos/\(id)")
      #expect(status == 200)
      hold(
        video,
        [
          "object": "video", "status": "queued", "seconds": "5", "size": "720x1280", "progress": 0,
          "prompt": "A fox", "error": .null, "completed_at": .null, "expires_at": .null,
          "remixed_from_video_id": .null,
        ])
      let early = try await mara.send("GET", "/v1/videos/\(id)/content")
      #expect(early.status == 409)
      hold(early.json["error"], ["code": "clip_not_ready"])

      _ = try await bench.finish(try await bench.generations.generation(own, of: bench.mara))
      // Its pictures too.
      try await bench.pass()
      (status, video, _) = try await mara.send("GET", "/v1/videos/\(id)")
      #expect(status == 200)
      hold(video, ["status": "completed", "progress": 100])
      guard case .integer(let created)? = video["created_at"],
        case .integer(let completed)? = video["completed_at"]
      else {
        Issue.record("\(video)")
        return
      }
      #expect(created > 1_700_000_000 && completed >= created)
      let content = try await mara.send("GET", "/v1/videos/\(id)/content")
      #expect(content.status == 200 && content.headers["content-type"] == "video/mp4")
      #expect(content.headers["cache-control"] == "no-store")
      #expect(content.headers["access-control-allow-origin"] == nil)
      let part = try await mara.send("GET", "/v1/videos/\(id)/content", nil, ["range": "bytes=4-7"])
      #expect(part.status == 206)
      for variant in ["thumbnail", "spritesheet"] {
        let picture = try await mara.send("GET", "/v1/videos/\(id)/content?variant=\(variant)")
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/jpeg", "\(variant)")
      }
      let other = try await mara.send("GET", "/v1/videos/\(id)/content?variant=gif")
      #expect(other.status == 400)
      hold(other.json["error"], ["param": "variant"])

      let remix = try await mara.send("POST", "/v1/videos/\(id)/remix", #"{"prompt":"A red fox"}"#)
      #expect(remix.status == 200)
      hold(remix.json, ["remixed_from_video_id": .string(id)])
      guard case .string(let second)? = remix.json["id"] else { return }
      let list = try await mara.send("GET", "/v1/videos?limit=1")
      hold(
        list.json,
        ["object": "list", "has_more": true, "first_id": .string(second), "last_id": .string(second)])
      let rest = try await mara.send("GET", "/v1/videos?after=\(second)&limit=9")
      hold(rest.json, ["first_id": .string(id), "has_more": false])
      let upwards = try await mara.send("GET", "/v1/videos?order=asc")
      hold(upwards.json, ["first_id": .string(id), "last_id": .string(second)])

      // Nobody else's, whatever is asked.
      for (method, target, body) in [
        ("GET", "/v1/videos/\(id)", nil), ("GET", "/v1/videos/\(id)/content", nil),
        ("DELETE", "/v1/videos/\(id)", nil), ("POST", "/v1/videos/\(id)/remix", #"{"prompt":"x"}"#),
        ("GET", "/v1/videos/\(own)", nil),
      ] as [(String, String, String?)] {
        let answer = try await (target.hasSuffix(own) && !target.contains(id) ? mara : paul).send(
          method, target, body)
        #expect(answer.status == 404, "\(method) \(target)")
        hold(
          answer.json["error"], ["code": "generation_not_found", "type": "invalid_request_error"],
          "\(method) \(target)")
      }
      hold(try await paul.send("GET", "/v1/videos").json, ["data": []])

      // One that is under way, and one that has ended.
      for gone in [second, id] {
        let deleted = try await mara.send("DELETE", "/v1/videos/\(gone)")
        #expect(deleted.status == 200)
        hold(deleted.json, ["deleted": true, "object": "video.deleted", "id": .string(gone)])
        #expect(try await mara.send("GET", "/v1/videos/\(gone)").status == 404)
      }
      hold(try await mara.send("GET", "/v1/videos").json, ["data": []])
      #expect(try await bench.left() == 55)
    }
  }

  @Test(arguments: [
    (#"{"seconds":4,"prompt":"x"}"#, "5"), (#"{"seconds":"8","prompt":"x"}"#, "10"),
    (#"{"seconds":12,"prompt":"x","size":"1792x1024"}"#, "15"), (#"{"prompt":"x","seconds":null}"#, "5"),
  ])
  func secondsAreTextOrANumberAndTheNextLengthThatCanBeHad(_ body: String, _ seconds: String) async throws {
    try await serving([ScriptedVideos { _, _ in .never }]) { _, mara, _, _ async throws in
      let id = try await mara.make(body)
      hold(try await mara.send("GET", "/v1/videos/\(id)").json, ["seconds": .string(seconds)])
    }
  }

  @Test func aFormIsTakenAsWell() async throws {
    try await serving([ScriptedVideos { _, _ in .never }]) { _, mara, _, _ async throws in
      let form =
        "--b\r\nContent-Disposition: form-data; name=\"prompt\"\r\n\r\nA fox; and \"more\"\r\n"
        + "--b\r\ncontent-disposition: form-data; name=size\r\n\r\n1280x720\r\n--b--\r\n"
      let made = try await mara.send(
        "POST", "/v1/videos", form, ["content-type": "multipart/form-data; boundary=b"])
      #expect(made.status == 200)
      hold(made.json, ["size": "1280x720", "prompt": "A fox; and \"more\""])
      // Nobody here can start from one.
      let picture = try await mara.send(
        "POST", "/v1/videos", Self.form(Array("x".utf8)),
        ["content-type": "multipart/form-data; boundary=b"])
      #expect(picture.status == 400)
      hold(picture.json["error"], ["code": "generation_not_possible", "param": "input_reference"])
    }
  }

  /// A prompt and a file, whatever it is.
  private static func form(_ file: [UInt8]) -> String {
    let name = "name=\"input_reference\"; filename=\"x.png\"\r\nContent-Type: image/png"
    return "--b\r\nContent-Disposition: form-data; name=\"prompt\"\r\n\r\nIt moves\r\n"
      + "--b\r\nContent-Disposition: form-data; \(name)\r\n\r\n"
      + String(decoding: file, as: UTF8.self) + "\r\n--b--\r\n"
  }

  @Test func aPictureInAFormIsReadAsAStrangersFile() async throws {
    let provider = ScriptedVideos(takesPictures: true) { _, _ in .never }
    try await serving([provider]) { bench, mara, _, _ async throws in
      let headers = ["content-type": "multipart/form-data; boundary=b", "idempotency-key": "the-same-again"]
      for hostile in ["<!doctype html>", "<svg/>", "GIF89a", ""] {
        let refused = try await mara.send("POST", "/v1/videos", Self.form(Array(hostile.utf8)), headers)
        #expect(refused.status == 400, "\(hostile)")
        hold(refused.json["error"], ["code": "picture_unreadable", "param": "input_reference"], hostile)
      }
      #expect(try await bench.bench.count("generations") == 0)
      #expect(try await bench.bench.count("generation_pictures") == 0)
      let url = bench.bench.folder.appendingPathComponent("first.png")
      try await bench.bench.tools.run(
        ["-f", "lavfi", "-i", "testsrc=s=60x60", "-frames:v", "1", "file:" + url.path],
        in: bench.bench.folder)
      let file = [UInt8](try Data(contentsOf: url))
      let wish = NewGeneration(prompt: "It moves", seconds: 5)
      let made = try await bench.generations.request(
        wish, startingFrom: file, by: bench.mara, idempotencyKey: "of-a-program")
      #expect(made.pictureId != nil)
      // The same file under the same key is the same video.
      let again = try await bench.generations.request(
        wish, startingFrom: file, by: bench.mara, idempotencyKey: "of-a-program")
      #expect(again.id == made.id)
      #expect(try await bench.bench.count("generation_pictures") == 1)
    }
  }

  @Test(arguments: [
    (#"{"prompt":""}"#, 400, "prompt_empty", "prompt"), ("{}", 400, "prompt_empty", "prompt"),
    (#"{"prompt":7}"#, 400, "invalid_parameter", "prompt"),
    (#"{"prompt":"x","seconds":"20"}"#, 400, "generation_not_possible", "seconds"),
    (#"{"prompt":"x","seconds":-1}"#, 400, "generation_not_possible", "seconds"),
    (#"{"prompt":"x","seconds":9223372036854775807}"#, 400, "generation_not_possible", "seconds"),
    (#"{"prompt":"x","seconds":"four"}"#, 400, "invalid_parameter", "seconds"),
    (#"{"prompt":"x","seconds":{}}"#, 400, "invalid_parameter", "seconds"),
    (#"{"prompt":"x","size":"1x1"}"#, 400, "invalid_parameter", "size"),
    (#"{"prompt":"x","model":1}"#, 400, "invalid_parameter", "model"),
    (#"{"prompt":"x","input_reference":{"image_url":"data:"}}"#, 400, "invalid_parameter", "input_reference"),
    (#"{"prompt":"a f0rbidden thing"}"#, 400, "content_policy", "prompt"),
    (#"{"prompt":"x","prompt":"y"}"#, 400, "request_refused", "prompt"),
  ])
  func whatCannotBeMadeIsRefusedInTheirForm(
    _ body: String, _ status: Int, _ code: String, _ param: String
  ) async throws {
    try await serving([ScriptedVideos()]) { bench, mara, _, _ async throws in
      bench.bench.instance.siteRules.apply(WordLists(refusing: ["forbidden thing"]))
      let answer = try await mara.send("POST", "/v1/videos", body)
      #expect(answer.status == status)
      hold(
        answer.json["error"],
        ["code": .string(code), "param": .string(param), "type": "invalid_request_error"], body)
      #expect(try await bench.left() == 60)
    }
  }

  @Test func whatIsNoBodyOfTheirsIsRefused() async throws {
    try await serving([ScriptedVideos()]) { _, mara, _, _ async throws in
      let form = "multipart/form-data"
      for (body, type, status) in [
        ("[]", "application/json", 400), ("{", "application/json", 400), ("a=b", "text/plain", 415),
        ("x", form, 400), ("x", "\(form); boundary=b", 400), ("--b\r\n\r\n", "\(form); boundary=b", 400),
        ("--b\r\nX: y\r\n\r\nz\r\n--b--", "\(form); boundary=b", 400),
        (String(repeating: "x", count: Limits.bodyBytes + 1), "application/json", 413),
      ] {
        let answer = try await mara.send("POST", "/v1/videos", body, ["content-type": type])
        #expect(answer.status == status, "\(body.prefix(40)) \(answer.json)")
        #expect(answer.json["error"]?["message"] != nil, "\(body.prefix(40))")
      }
      let method = try await mara.send("PUT", "/v1/videos", "{}")
      #expect(method.status == 405)
      hold(method.json["error"], ["code": "method_not_allowed"])
      #expect(method.headers["allow"] == "GET, HEAD, POST")
    }
  }

  @Test func withoutAKeyForItNothingIsDone() async throws {
    try await serving([ScriptedVideos()], scopes: [.readVideos]) { bench, mara, _, socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("ida"))
      let tokens = ["", "cf_", "cf_\(SecretToken.make())", try #require(session.accessToken)]
      for token in tokens {
        let stranger = Program(transport: Bearer(inner: socket, token: token), account: "")
        let answer = try await stranger.send("GET", "/v1/videos")
        #expect(answer.status == 401)
        hold(answer.json["error"], ["code": "invalid_api_key"], token)
        #expect(answer.headers["www-authenticate"] == "Bearer")
        #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
      }
      #expect(try await socket.answer("GET", "/v1/videos").status == 401)
      #expect(try await mara.send("GET", "/v1/videos").status == 200)
      let refused = try await mara.send("POST", "/v1/videos", #"{"prompt":"x"}"#)
      #expect(refused.status == 403)
      hold(refused.json["error"], ["code": "api_key_not_allowed", "type": "permission_error"])
      try await bench.accounts.setSuspended(true, handle: "mara")
      let suspended = try await mara.send("GET", "/v1/videos")
      #expect(suspended.status == 403)
      hold(suspended.json["error"], ["code": "account_suspended"])
    }
  }

  @Test func limitsAreThoseOfThePerson() async throws {
    var rules = GenerationRules()
    rules.creditsPerDay = 20
    rules.mostUnderWay = 2
    try await serving([ScriptedVideos { _, _ in .never }], rules) { bench, mara, _, _ async throws in
      _ = try await bench.ask("from the page", seconds: 5)
      let id = try await mara.make(#"{"prompt":"x"}"#)
      let busy = try await mara.send("POST", "/v1/videos", #"{"prompt":"y"}"#)
      #expect(busy.status == 429 && busy.headers["retry-after"] != nil)
      hold(busy.json["error"], ["code": "rate_limit_exceeded", "type": "rate_limit_error"])
      _ = try await mara.send("DELETE", "/v1/videos/\(id)")
      // 15 are left, of which this takes all.
      _ = try await mara.make(#"{"prompt":"x","seconds":"15"}"#)
      let page = try await bench.generations.page(of: bench.mara, cursor: nil, limit: 9)
      try await bench.generations.end(try #require(page.items.last).id, by: bench.mara)
      let poor = try await mara.send("POST", "/v1/videos", #"{"prompt":"z","seconds":"10"}"#)
      #expect(poor.status == 429 && poor.headers["retry-after"] != nil)
      #expect(poor.headers["x-should-retry"] == "false")
      hold(poor.json["error"], ["code": "insufficient_quota", "type": "insufficient_quota"])
    }
  }

  @Test func theSameKeyAgainIsTheSameVideo() async throws {
    try await serving([ScriptedVideos { _, _ in .never }]) { bench, mara, _, _ async throws in
      var ids: Set<String> = []
      for _ in 0..<2 {
        let made = try await mara.send(
          "POST", "/v1/videos", #"{"prompt":"x"}"#, ["idempotency-key": "the-first-one"])
        if case .string(let id)? = made.json["id"] { ids.insert(id) }
      }
      #expect(ids.count == 1)
      #expect(try await bench.bench.count("generations") == 1)
    }
  }

  @Test func whatNobodyMakesIsAFailureInTheVideo() async throws {
    let provider = ScriptedVideos { _, _ in .failing(ProviderFailure(.contentPolicy, "a word")) }
    try await serving([provider]) { bench, mara, _, _ async throws in
      let id = try await mara.make(#"{"prompt":"x"}"#)
      _ = try await bench.finish(
        try await bench.generations.generation(String(id.dropFirst(6)), of: bench.mara))
      let video = try await mara.send("GET", "/v1/videos/\(id)").json
      hold(video, ["status": "failed", "completed_at": .null])
      hold(video["error"], ["code": "content_policy"])
      #expect(try await mara.send("GET", "/v1/videos/\(id)/content").status == 404)
    }
  }
}
