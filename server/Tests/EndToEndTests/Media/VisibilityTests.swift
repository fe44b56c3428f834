import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Uploads
@testable import Videos

/// Who can see which clip, and which of its bytes.
@Suite(.everyEngine) struct VisibilityTests {
  let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  static func set(_ visibility: Visibility, of upload: String, _ transport: any Transport) async throws
    -> WireResponse
  {
    try await transport.send(
      WireRequest(
        "PATCH", Route.upload.path(upload), headers: ["content-type": "application/merge-patch+json"],
        body: Data(#"{"visibility": "\#(visibility.rawValue)"}"#.utf8)))
  }

  private func file(seed: Int = 0) async throws -> Data {
    let url = try await bench.makeClip("\(seed).mp4", seconds: 0.5, size: "64x96", sound: false, seed: seed)
    return try Data(contentsOf: url)
  }

  /// Every address of media that stands anywhere in a clip.
  static func addresses(in clip: Clip) throws -> [String] {
    let text = String(decoding: try WireCoding.encode(clip), as: UTF8.self)
    return text.matches(of: /"(\/(?:media|sealed)\/[^"]+)"/).map { String($0.output.1) }
  }

  /// The same blobs at the address where everybody would have them.
  private static func openly(_ address: String) -> String {
    Route.media.path(String(address.split(separator: "/").last ?? ""))
  }

  private func status(_ target: String, _ transport: SocketTransport) async throws -> Int {
    try await status("GET", target, transport)
  }

  private func status(_ method: String, _ target: String, _ transport: SocketTransport) async throws -> Int {
    try await transport.send(WireRequest(method, target)).status
  }

  private func code(_ response: WireResponse) throws -> String {
    try WireCoding.decode(Problem.self, from: response.body).code
  }

  @Test func eachVisibilityIsHeldOnEveryRouteAndChangesAtOnce() async throws {
    let file = try await file()
    try Data("<!doctype html><head><title>Clipfeed</title></head>".utf8)
      .write(to: bench.folder.appendingPathComponent("index.html"))
    try await bench.serving { [bench] transport async throws in
      let client = Client(transport: transport)
      let upload = try await UploadRequests.publish(file, nil, on: bench, transport)
      let id = try #require(upload.clip?.id)
      let comment = WireRequest(
        "POST", Route.comments.path(id),
        headers: ["content-type": "application/json", "idempotency-key": "key-of-a-comment"],
        body: Data(#"{"text": "Hi"}"#.utf8))
      let reaction = WireRequest(
        "POST", Route.reactions.path(id), headers: ["content-type": "application/json"],
        body: Data(#"{"reaction": "heart"}"#.utf8))
      // There and back again, by every way.
      for visibility in [Visibility.public, .private, .unlisted, .public, .unlisted, .private, .public] {
        let set = try await Self.set(visibility, of: upload.id, transport)
        #expect(set.status == 200, "\(String(decoding: set.body, as: UTF8.self))")
        let (isPublic, isPrivate) = (visibility == .public, visibility == .private)
        let said: Comment = "\(visibility)"
        #expect(try await client.feed().items.map(\.id) == (isPublic ? [id] : []), said)
        #expect(try await status(Route.clip.path(id), transport) == (isPrivate ? 404 : 200), said)
        #expect(try await status(Route.comments.path(id), transport) == (isPrivate ? 404 : 200), said)
        #expect(try await transport.send(comment).status == (isPrivate ? 404 : 201), said)
        #expect(try await transport.send(reaction).status == (isPrivate ? 404 : 200), said)

        let page = try await transport.send(WireRequest("GET", Route.clipPage.path(id)))
        #expect(page.status == (isPrivate ? 404 : 200), said)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains("noindex") == !isPublic && text.contains("pier") == !isPrivate, said)

        let owned = try await client.clip(ofUpload: upload.id)
        #expect(owned.id == id && owned.caption == "At the #pier", said)
        #expect(owned.visibility == (isPublic ? nil : visibility), said)
        #expect(owned.comments == (isPrivate ? .off : .open), said)
        for clip in isPrivate ? [owned] : [owned, try await client.clip(id)] {
          let addresses = try Self.addresses(in: clip)
          #expect(addresses.count >= 3, said)
          for address in addresses {
            #expect(address.hasPrefix(isPublic ? "/media/" : "/sealed/\(id)/"), said)
            let answer = try await transport.send(WireRequest("GET", address))
            #expect(answer.status == 200, said)
            let caching = try #require(answer.headers["cache-control"])
            #expect(caching.hasPrefix(isPublic ? "public, max-age=31536000" : "private, max-age="), said)
            #expect(
              try await status(Self.openly(address), transport) == (isPublic ? 200 : 404),
              "\(visibility) \(address)")
          }
        }
      }
    }
  }

  @Test func aSealOpensOnlyWhatItWasHandedOutFor() async throws {
    let (mine, other) = (try await file(), try await file(seed: 5))
    try await bench.serving { [bench] transport async throws in
      let client = Client(transport: transport)
      let upload = try await UploadRequests.publish(mine, .unlisted, on: bench, transport)
      let another = try await UploadRequests.publish(
        other, .private, key: "another-key", on: bench, transport)
      let clip = try await client.clip(try #require(upload.clip?.id))
      let secret = try await client.clip(ofUpload: another.id)
      let parts = clip.poster.url.split(separator: "/").map(String.init)
      let strange = secret.poster.url.split(separator: "/").map(String.init)
      let (seal, name) = (parts[2], parts[3])
      let wrong = [
        // Of another clip, another blob, one that is not there, none at all.
        [clip.id, strange[2], name], [clip.id, seal, strange[3]], [secret.id, seal, strange[3]],
        [clip.id, seal, String(repeating: "0", count: 64) + ".jpg"], [clip.id, seal, "x"],
        [clip.id, seal, "..%2f..%2fclipfeed.sqlite"], [clip.id + "%0a", seal, name], ["", seal, name],
        // Another end, another tag, another spelling.
        [clip.id, "9" + seal, name], [clip.id, seal + "0", name], [clip.id, String(seal.dropLast()), name],
        [clip.id, seal.uppercased(), name], [clip.id, "0" + seal, name], [clip.id, "+" + seal, name],
        [clip.id, "-", name], [clip.id, "x", name],
        [clip.id, seal.replacing(seal.suffix(1), with: seal.hasSuffix("0") ? "1" : "0"), name],
      ]
      for parts in wrong {
        let answer = try await transport.send(
          WireRequest("GET", "/sealed/\(parts.joined(separator: "/"))"))
        #expect(answer.status == 404, "\(parts)")
        #expect(try ["media_not_found", "route_not_found"].contains(code(answer)), "\(parts)")
      }
      // As any other address of media.
      let range = WireRequest("GET", clip.playback.renditions[0].url, headers: ["range": "bytes=0-9"])
      #expect(try await transport.send(range).status == 206)
      #expect(try await status("HEAD", clip.poster.url, transport) == 200)
      #expect(try await status("DELETE", clip.poster.url, transport) == 405)
    }
  }

  @Test func aSealEndsAndUntilThenStaysTheSame() async throws {
    let file = try await file()
    // An hour begins.
    let time = TestTime(ms: 1_800_000_000_000)
    try await bench.serving(time: time) { [bench] transport async throws in
      let client = Client(transport: transport)
      let upload = try await UploadRequests.publish(file, .private, on: bench, transport)
      let clip = try await client.clip(ofUpload: upload.id)
      let (poster, hour) = (clip.poster.url, MediaSeal.spanSeconds * 1000)
      time.advance(ms: hour - 1)
      #expect(try await client.clip(ofUpload: upload.id).poster.url == poster)
      time.advance(ms: 1)
      #expect(try await client.clip(ofUpload: upload.id).poster.url != poster)
      let answer = try await transport.send(WireRequest("GET", poster))
      #expect(answer.headers["cache-control"] == "private, max-age=3600")
      time.advance(ms: hour - 1000)
      #expect(try await status(poster, transport) == 200)
      time.advance(ms: 1000)
      let late = try await transport.send(WireRequest("GET", poster))
      #expect(late.status == 403)
      #expect(try code(late) == "media_address_expired")
      // An end that was written into it is nobody's.
      let forged = poster.replacing("/1800007200-", with: "/1900000800-")
      #expect(forged != poster)
      #expect(try await status(forged, transport) == 404)
      #expect(try await status(try await client.clip(ofUpload: upload.id).poster.url, transport) == 200)
    }
  }

  @Test func whoHeldAnAddressLosesItWhenTheClipBecomesPrivateAndItsOwnerDoesNot() async throws {
    let file = try await file()
    try await bench.serving { [bench] transport async throws in
      let client = Client(transport: transport)
      let upload = try await UploadRequests.publish(file, .unlisted, on: bench, transport)
      let holder = try await client.clip(try #require(upload.clip?.id)).poster.url
      let owner = try await client.clip(ofUpload: upload.id).poster.url
      #expect(holder != owner)
      for (visibility, forHolder) in [
        (Visibility.private, 404), (.unlisted, 200), (.private, 404), (.public, 200),
      ] {
        _ = try await Self.set(visibility, of: upload.id, transport)
        #expect(try await status(holder, transport) == forHolder, "\(visibility)")
        // Nobody who watches is interrupted by a clip becoming public.
        #expect(try await status(owner, transport) == 200, "\(visibility)")
      }
    }
  }

  @Test func aKeyIsGoodUntilTheSecondOneAfterIt() async throws {
    let file = try await file()
    let rotate = ["rotate-keys"]
    let upload = try await bench.serving { [bench] in
      try await UploadRequests.publish(file, .private, on: bench, $0)
    }
    var addresses: [String] = []
    for _ in 0..<3 {
      // Each is a process of its own to the keys: what it knows, it knows from the database.
      addresses += try await bench.another().serving {
        [try await Client(transport: $0).clip(ofUpload: upload.id).poster.url]
      }
      #expect(try bench.program(rotate).end().status == 0)
    }
    let late = try await bench.instance.serving { [addresses] transport async throws in
      var answers: [Int] = []
      for address in addresses { answers.append(try await status(address, transport)) }
      return answers
    }
    #expect(late == [404, 404, 200])
  }

  /// A server that signs with the newest key must be understood by one that has not heard of it yet.
  @Test func anotherProcessesNewKeyIsHeardOfWhenItIsMet() async throws {
    let time = TestTime(ms: 1_800_000_000_000)
    let (here, elsewhere) = (
      SealKeys(database: bench.instance.database, time: time),
      SealKeys(database: bench.instance.database, time: time)
    )
    let old = try await here.make(clip: "c", reader: .owner, expires: 1_900_000_000)
    try await elsewhere.rotate()
    time.advance(ms: 1000)
    let new = try await elsewhere.make(clip: "c", reader: .owner, expires: 1_900_000_000)
    #expect(old != new)
    for seal in [new, old] { #expect(try await here.read(seal, clip: "c")?.expires == 1_900_000_000) }
    #expect(try await here.read(new, clip: "d") == nil)
  }

  @Test func theSameBytesInOtherHandsAreAnotherClip() async throws {
    let file = try await file()
    try await bench.serving { [bench] transport async throws in
      let client = Client(transport: transport)
      let mine = try await UploadRequests.publish(file, .private, key: "key-of-mine", on: bench, transport)
      let theirs = try await UploadRequests.publish(file, .public, key: "key-of-theirs", on: bench, transport)
      let third = try await UploadRequests.publish(file, nil, key: "key-of-a-third", on: bench, transport)
      #expect(mine.clip?.id != theirs.clip?.id)
      #expect(third.clip?.id == theirs.clip?.id)
      #expect(try await client.feed().items.map(\.id) == [theirs.clip?.id])
      // What others published is not for the third to change.
      #expect([mine, theirs, third].map(\.clip?.isOwn) == [true, true, false])
      let refused = try await Self.set(.private, of: third.id, transport)
      #expect(refused.status == 403)
      #expect(try code(refused) == "clip_not_yours")
      #expect(try await client.clip(ofUpload: third.id).id == theirs.clip?.id)
      // Nor to see once it is not public any more; and from then on it is not what new uploads become.
      #expect(try await Self.set(.private, of: theirs.id, transport).status == 200)
      #expect(try await status(Route.uploadClip.path(third.id), transport) == 404)
      let late = try await UploadRequests.publish(
        file, .public, key: "key-of-a-late-one", on: bench, transport)
      #expect(late.clip?.id != theirs.clip?.id && late.clip?.id != mine.clip?.id)
      // All came from one source, which nobody needs any more.
      #expect(try await bench.instance.sources.list(after: nil, limit: 10).isEmpty)
    }
  }

  @Test func aSourceStaysAsLongAsAnotherClipWaitsForIt() async throws {
    let file = try await file()
    try await bench.serving { [bench] transport async throws in
      for (key, visibility) in [("key-of-mine", Visibility.private), ("key-of-theirs", .unlisted)] {
        let new = NewUpload(
          sizeBytes: file.count, sha256: ContentHash.of(file), type: "video/mp4",
          details: ClipDetails(visibility: visibility))
        let uploads = bench.instance.uploads(UploadRules())
        let id = try await uploads.create(
          new, key: IdempotencyKey(key, of: "me"), publishesItself: false, by: .guest(address: "me")
        ).id
        _ = try await transport.send(UploadRequests.piece(id, file, at: 0))
        _ = try await uploads.commit(id)
      }
      let worker = bench.instance.worker(tools: bench.tools)
      while try await worker.runNext() {}
      #expect(try await bench.instance.queue.open().isEmpty)
    }
  }

  @Test func aClipIsNewInTheFeedTheFirstTimeThatItIsPublic() async throws {
    let (file, other) = (try await file(), try await file(seed: 5))
    try await bench.serving { [bench] transport async throws in
      let client = Client(transport: transport)
      let upload = try await UploadRequests.publish(file, .private, on: bench, transport)
      let newer = try await UploadRequests.publish(other, .public, key: "another-key", on: bench, transport)
      let (first, second) = (try #require(upload.clip?.id), try #require(newer.clip?.id))
      _ = try await Self.set(.public, of: upload.id, transport)
      #expect(try await client.feed().items.map(\.id) == [first, second])
      for visibility in [Visibility.unlisted, .public] {
        _ = try await Self.set(visibility, of: newer.id, transport)
      }
      #expect(try await client.feed().items.map(\.id) == [first, second])
    }
  }

  @Test func anUploadTellsWhenItsClipCannotBeWatchedYet() async throws {
    let file = UploadRequests.file(5000)
    try await bench.serving { transport async throws in
      #expect(try await status(Route.uploadClip.path("nobody"), transport) == 404)
      let made = try await transport.send(try UploadRequests.creation(file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      let early = try await transport.send(WireRequest("GET", Route.uploadClip.path(id)))
      #expect(early.status == 409 && early.headers["retry-after"] == "1")
      #expect(try code(early) == "clip_not_ready")
      #expect(try await status("POST", Route.uploadClip.path(id), transport) == 405)
    }
  }

  @Test func anOwnerIsRememberedForAsLongAsTheClip() async throws {
    let file = try await file()
    let (own, others) = try await bench.serving { [bench] transport async throws in
      (
        try await UploadRequests.publish(file, .public, key: "key-of-mine", on: bench, transport).id,
        try await UploadRequests.publish(file, .public, key: "key-of-theirs", on: bench, transport).id
      )
    }
    let time = TestTime(ms: SystemTime().nowMs + 400 * 24 * 3_600_000)
    let uploads = bench.instance.uploads(UploadRules(), time: time)
    try await uploads.sweep()
    #expect(try await uploads.clip(of: own).isOwn)
    await #expect(throws: AppError(.uploadNotFound)) { try await uploads.clip(of: others) }
  }

  @Test func anOperatorChangesWhoCanSeeAClipAndIsToldWhatCachesHold() async throws {
    let file = try await file()
    // Its servers hear of it when what they remember is over.
    let time = TestTime(ms: 1_800_000_000_000)
    try await bench.serving(time: time) { [bench] transport async throws in
      let client = Client(transport: transport)
      let upload = try await UploadRequests.publish(file, nil, on: bench, transport)
      let clip = try await client.clip(ofUpload: upload.id)
      #expect(try await status(clip.poster.url, transport) == 200)
      let done = try bench.program(["visibility", clip.id, "private"]).end()
      #expect(done.status == 0 && done.output.contains("The clip \(clip.id) is private."))
      for address in try Self.addresses(in: clip) { #expect(done.output.contains(address)) }
      #expect(try await client.feed().items.isEmpty)
      time.advance(ms: ClipAccess.lifeMs)
      #expect(try await status(clip.poster.url, transport) == 404)
      // What its owner says of other things does not bring it back.
      let said = try await transport.send(
        WireRequest(
          "PATCH", Route.upload.path(upload.id), headers: ["content-type": "application/merge-patch+json"],
          body: Data(#"{"caption": "New"}"#.utf8)))
      #expect(said.status == 200)
      #expect(try await client.clip(ofUpload: upload.id).visibility == .private)
      let shown = try bench.program(["visibility", clip.id]).end()
      #expect(shown.output.contains("is private."))
      let unknown = try bench.program(["visibility", "nobody", "private"]).end()
      #expect(unknown.status == 1 && unknown.output.contains("There is no clip nobody."))
    }
  }

  @Test func tusSaysWhoCanSeeAClip() async throws {
    try await bench.serving { transport async throws in
      func make(_ visibility: String) async throws -> WireResponse {
        let said = "visibility \(Data(visibility.utf8).base64EncodedString())"
        return try await transport.send(
          WireRequest(
            "POST", Route.uploads.path(),
            headers: ["tus-resumable": "1.0.0", "upload-length": "9", "upload-metadata": said]))
      }
      let made = try await make("private")
      #expect(made.status == 201)
      let state = try await transport.send(WireRequest("GET", try #require(made.headers["location"])))
      #expect(try WireCoding.decode(UploadStatus.self, from: state.body).details.visibility == .private)
      #expect(try await make("friends").status == 400)
    }
  }

  /// The names in the playlists are relative, so they are sealed as well.
  @Test func otherPlayersPlayAClipUnderItsSeal() async throws {
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4", seconds: 2.5, size: "540x960"))
    try await bench.serving { [bench] transport async throws in
      let upload = try await UploadRequests.publish(file, .private, on: bench, transport)
      let clip = try await Client(transport: transport).clip(ofUpload: upload.id)
      let url = "http://127.0.0.1:\(transport.port)\(clip.playback.hlsUrl)"
      #expect(url.contains("/sealed/"))
      let (mpv, said) = try await PlayerTests.run(
        "/usr/bin/timeout", ["600", "mpv", "--no-config", "--vo=null", "--ao=null", "--untimed", url])
      #expect(mpv == 0 && said.contains("540x960") && said.contains("(End of file)"), "\(said)")
      let (ffmpeg, counted) = try await PlayerTests.run(
        "/usr/bin/timeout",
        [
          "600", "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
          "stream=nb_read_frames", "-of", "csv=p=0", url,
        ])
      #expect(ffmpeg == 0 && counted.hasPrefix("75"), "\(counted)")
    }
  }
}
