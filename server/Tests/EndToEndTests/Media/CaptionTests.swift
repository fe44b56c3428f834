import Contract
import Feed
import Foundation
import LocalBlobs
import Logging
import Platform
import SQLite
import Testing
import Videos

@testable import Captions
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// From an upload's captions to what viewers and players find.
@Suite(.everyEngine) struct CaptionTests {
  static let webVTT =
    "WEBVTT\n\n00:00.200 --> 00:00.900\nHello <b>there</b>\n\n00:01.000 --> 00:01.400\nBye\n"
  static let subRip = "1\n00:00:00,100 --> 00:00:01,000\nHallo\n"

  let bench: TestInstance
  var instance: Instance { bench.instance }

  init() async throws { bench = try await TestInstance() }

  private func upload(_ file: Data, _ transport: SocketTransport) async throws -> String {
    let made = try await transport.send(try UploadRequests.creation(file))
    return try WireCoding.decode(UploadStatus.self, from: made.body).id
  }

  private func commit(_ id: String, _ file: Data, _ transport: SocketTransport) async throws {
    _ = try await transport.send(UploadRequests.piece(id, file, at: 0))
    _ = try await transport.send(WireRequest("POST", Route.uploadCommit.path(id)))
  }

  @Sendable private static func put(
    _ text: String, _ id: String, _ language: String, type: String? = "text/vtt", query: String = ""
  ) -> WireRequest {
    WireRequest(
      "PUT", Route.captionsOfLanguage.path(id, language) + query,
      headers: type.map { ["content-type": $0] } ?? [:], body: Data(text.utf8))
  }

  private func work() async throws {
    while try await instance.worker(tools: bench.tools).runNext() {}
  }

  private func code(_ response: WireResponse) throws -> String {
    try WireCoding.decode(Problem.self, from: response.body).code
  }

  private func text(_ url: String) async throws -> String {
    String(decoding: try await Whole.content(url, instance), as: UTF8.self)
  }

  // MARK: The wire

  @Test func captionsOfAnUploadReachItsViewers() async throws {
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4"))
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let id = try await upload(file, transport)
      let early = try await transport.send(Self.put(Self.webVTT, id, "en"))
      #expect(early.status == 409)
      #expect(try code(early) == "captions_need_a_clip")
      try await commit(id, file, transport)

      // The clip is still being made.
      let first = try await transport.send(Self.put(Self.webVTT, id, "EN"))
      #expect(first.status == 200)
      let track = try WireCoding.decode(CaptionTrack.self, from: first.body)
      #expect(track.language == "en" && track.label == "English" && !track.automatic)
      try await work()
      let shown = try #require(try await client.feed().items.first)
      #expect(shown.playback.captions == [track])
      #expect(
        String(decoding: try await client.media(track.url), as: UTF8.self)
          == "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n00:00:00.200 --> 00:00:00.900\n"
          + "Hello <b>there</b>\n\n00:00:01.000 --> 00:00:01.400\nBye\n")
      let answer = try await transport.send(WireRequest("GET", track.url))
      #expect(answer.headers["content-type"] == "text/vtt; charset=utf-8")

      // And now it is there.
      let second = try await transport.send(
        Self.put(
          Self.subRip, id, "de_at", type: "application/x-subrip", query: "?label=Wie%20%22wir%22%20reden"))
      #expect(second.status == 200)
      try await work()
      let list = try await transport.send(WireRequest("GET", Route.captions.path(id)))
      let tracks = try WireCoding.decode(CaptionList.self, from: list.body).items
      #expect(
        tracks.map(\.language) == ["de-AT", "en"] && tracks.map(\.label) == ["Wie 'wir' reden", "English"])
      #expect(try await client.clip(shown.id).playback.captions == tracks)

      let gone = try await transport.send(WireRequest("DELETE", Route.captionsOfLanguage.path(id, "en")))
      #expect(gone.status == 204)
      let again = try await transport.send(WireRequest("DELETE", Route.captionsOfLanguage.path(id, "en")))
      #expect(again.status == 404)
      #expect(try code(again) == "captions_not_found")
      #expect(try await client.clip(shown.id).playback.captions?.map(\.language) == ["de-AT"])
      _ = try await transport.send(WireRequest("DELETE", Route.captionsOfLanguage.path(id, "de-AT")))
      #expect(try await client.clip(shown.id).playback.captions == nil)
    }
  }

  @Test func whatIsWrongIsSaidInACodeAndASentence() async throws {
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4", seconds: 0.5, sound: false))
    try await bench.serving { transport async throws in
      let id = try await upload(file, transport)
      try await commit(id, file, transport)
      let cases: [(WireRequest, Int, String)] = [
        (Self.put("WEBVTT\n\nx --> y\n", id, "en"), 422, "captions_unreadable"),
        (Self.put("WEBVTT\n", id, "en"), 422, "captions_empty"),
        (Self.put(String(repeating: "x", count: 300_000), id, "en"), 413, "captions_too_large"),
        (Self.put(Self.webVTT, id, "english"), 400, "invalid_parameter"),
        (Self.put(Self.webVTT, id, "..%2f"), 400, "invalid_parameter"),
        (Self.put(Self.webVTT, id, "en", type: "application/json"), 415, "content_type_unsupported"),
        (Self.put(Self.webVTT, id, "en", type: nil), 415, "content_type_unsupported"),
        (Self.put(Self.webVTT, "0123456789abcdef", "en"), 404, "upload_not_found"),
        (WireRequest("DELETE", Route.captionsOfLanguage.path(id, "")), 405, "method_not_allowed"),
        (WireRequest("GET", Route.captionsOfLanguage.path(id, "en")), 405, "method_not_allowed"),
        (WireRequest("GET", Route.captions.path("no-upload")), 404, "upload_not_found"),
      ]
      for (request, status, name) in cases {
        let answer = try await transport.send(request)
        #expect(answer.status == status, "\(name)")
        if let found = try? code(answer) { #expect(found == name) }
      }
      // Nothing of all that has left a trace.
      let list = try await transport.send(WireRequest("GET", Route.captions.path(id)))
      #expect(try WireCoding.decode(CaptionList.self, from: list.body).items.isEmpty)
    }
  }

  @Test func anUploadThatNeverBecomesAClipTakesNone() async throws {
    let file = UploadRequests.file(5000)
    try await bench.serving { transport async throws in
      let id = try await upload(file, transport)
      try await commit(id, file, transport)
      // Its content turns out to be no video.
      try await work()
      let answer = try await transport.send(Self.put(Self.webVTT, id, "en"))
      #expect(answer.status == 409)
      let problem = try WireCoding.decode(Problem.self, from: answer.body)
      #expect(problem.code == "captions_need_a_clip" && problem.detail.contains("did not become a clip"))
    }
  }

  @Test func oneAddressCannotSendFilesWithoutEnd() async throws {
    try await bench.serving { transport async throws in
      // However slow this machine is, they come faster than one in three seconds.
      var answers = 0
      while true {
        let answer = try await transport.send(Self.put(Self.webVTT, "no-upload", "en"))
        guard answer.status != 429 else {
          #expect(answer.headers["retry-after"] != nil)
          break
        }
        answers += 1
        try #require(answer.status == 404 && answers < 1000)
      }
      #expect(answers >= 32)
    }
  }

  @Test func aClipHasRoomForSixteenLanguages() async throws {
    let clip = try await bench.publishBare("a")
    let languages = [
      "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "pl", "cs", "ja", "ko", "zh", "ar",
    ]
    for language in languages {
      _ = try await instance.captions.put(Array(Self.webVTT.utf8), to: clip, language: language, label: nil)
    }
    await #expect(throws: AppError(.captionsTooMany)) {
      try await instance.captions.put(Array(Self.webVTT.utf8), to: clip, language: "hi", label: nil)
    }
    // One of those that are there can be replaced.
    let new = try await instance.captions.put(
      Array(Self.webVTT.utf8), to: clip, language: "ar", label: "Mine")
    #expect(try await instance.captions.list(of: clip).first == new)
    await #expect(throws: AppError(.clipNotFound)) { try await instance.captions.list(of: "nobody's") }
  }

  // MARK: Playlists

  @Test func theMasterPlaylistNamesTheCaptionsAndPlayersFindThem() async throws {
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 1.5, size: "540x960"))
    let plain = try #require(try await instance.clips.playback(of: id)).hlsUrl
    for language in ["en", "ja"] {
      _ = try await instance.captions.put(Array(Self.webVTT.utf8), to: id, language: language, label: nil)
    }
    let feed = try await clip(id)
    // The tracks at once, the playlist when its job is done.
    #expect(feed.playback.captions?.count == 2 && feed.playback.hlsUrl == plain)
    try await work()
    let master = try await text(try await clip(id).playback.hlsUrl)
    try PlaylistRules.checkMaster(master)
    let lines = master.split(separator: "\n").map(String.init)
    let media = lines.filter { $0.hasPrefix("#EXT-X-MEDIA:") }
    try #require(media.count == 2)
    #expect(media[1].contains("NAME=\"日本語\",LANGUAGE=\"ja\""))
    let variants = lines.filter { $0.hasPrefix("#EXT-X-STREAM-INF:") }
    #expect(variants.count == 2 && variants.allSatisfy { $0.hasSuffix(",SUBTITLES=\"captions\"") })
    let uri = try #require(media[0].split(separator: "\"").last { $0.hasSuffix(".m3u8") })
    let playlist = try await text(String(uri))
    try PlaylistRules.checkCaptions(playlist)
    #expect(playlist.contains("#EXTINF:1.500,\n"))
  }

  @Test func neitherRenditionsNorCaptionsThatComeMeanwhileAreLost() async throws {
    let file = try await bench.makeClip("a.mp4", seconds: 0.5, size: "540x960")
    let outcome = try await instance.intake.take(
      fileAt: file, caption: nil, authorHandle: "me", authorName: "Me")
    guard case .accepted(let id) = outcome else { return }
    // Between the first rendition and the second, captions come and their playlist is made.
    let tools = WatchedTools(real: bench.tools) { [bench, self] names in
      guard names != ["360"] else { return }
      while try await bench.instance.clips.playback(of: id) == nil { await Task.yield() }
      _ = try await bench.instance.captions.put(
        Array(Self.webVTT.utf8), to: id, language: "en", label: nil)
      try await bench.instance.remakeCaptionPlaylists()
      #expect(try await variants(of: id) == 1)
    }
    while try await instance.worker(tools: tools).runNext() {}
    #expect(try await clip(id).playback.renditions.count == 2)
    #expect(try await variants(of: id) == 2)
  }

  @Test func whatChangesWhileThePlaylistIsMadeIsMadeAnew() async throws {
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 0.5))
    let captions = instance.captions
    _ = try await captions.put(Array(Self.webVTT.utf8), to: id, language: "en", label: nil)
    let late = LateCaptions(real: instance.clips) {
      _ = try await captions.put(Array(Self.subRip.utf8), to: id, language: "de", label: nil)
    }
    let handler = CaptionPlaylists(media: instance.media, clips: late, workFolder: instance.workFolder)
    let worker = Worker(
      queue: instance.queue, handlers: [handler],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    #expect(try await worker.runNext())
    // What was made is of yesterday: the plain playlist is still shown.
    let plain = try #require(try await instance.clips.playback(of: id)).hlsUrl
    #expect(try await clip(id).playback.hlsUrl == plain)
    try await work()
    let master = try await text(try await clip(id).playback.hlsUrl)
    #expect(master.contains("LANGUAGE=\"en\"") && master.contains("LANGUAGE=\"de\""))
    // Without captions it is the plain one again, at once.
    for language in ["en", "de"] { try await captions.remove(language, of: id) }
    #expect(try await clip(id).playback.hlsUrl == plain)
  }

  // MARK: Blobs

  @Test func theSweepKeepsWhatCaptionsNeedAndNothingElse() async throws {
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 0.5))
    let old = try await instance.captions.put(Array(Self.subRip.utf8), to: id, language: "en", label: nil)
    try await work()
    let new = try await instance.captions.put(Array(Self.webVTT.utf8), to: id, language: "en", label: nil)
    try await work()
    let later = TestTime(ms: instance.time.nowMs + 2 * BlobSweep.graceMs)
    _ = try await instance.sweep(at: later)
    let playback = try await clip(id).playback
    #expect(playback.captions == [new])
    var needed = try await Whole.names(of: id, instance)
    needed.formUnion(BlobName.mentioned(in: playback.hlsUrl + " " + new.url))
    needed.formUnion(BlobName.mentioned(in: try await text(playback.hlsUrl)))
    let stored = try PipelineTests.files(in: instance.folder.appendingPathComponent("media"))
      .compactMap { BlobName(String($0.split(separator: "/").last ?? "")) }
    #expect(Set(stored) == needed)
    let forgotten = try #require(BlobName.mentioned(in: old.url).first)
    #expect(try await instance.media.size(forgotten) == nil)
    _ = try await text(new.url)
  }

  @Test func theSweepLearnsOfClipsThatAreOlderThanItsBooks() async throws {
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 0.5))
    try await instance.database.write { try $0.execute("DELETE FROM clip_blobs") }
    let track = try await instance.captions.put(Array(Self.subRip.utf8), to: id, language: "en", label: nil)
    try await work()
    _ = try await instance.sweep(at: TestTime(ms: instance.time.nowMs + 2 * BlobSweep.graceMs))
    #expect(try await Whole.check(id, instance))
    _ = try await text(track.url)
    for name in BlobName.mentioned(in: try await text(try await clip(id).playback.hlsUrl)) {
      #expect(try await instance.media.size(name) != nil)
    }
  }

  @Test func captionsOfAClipThatIsStillMadeOutliveTheSweep() async throws {
    let outcome = try await instance.intake.take(
      fileAt: try await bench.makeClip("a.mp4", seconds: 0.5), caption: nil, authorHandle: "me",
      authorName: "Me")
    guard case .accepted(let id) = outcome else { return }
    let track = try await instance.captions.put(Array(Self.subRip.utf8), to: id, language: "en", label: nil)
    _ = try await instance.sweep(at: TestTime(ms: instance.time.nowMs + 2 * BlobSweep.graceMs))
    _ = try await text(track.url)
    try await work()
    #expect(try await clip(id).playback.captions == [track])
    #expect(try await variants(of: id) == 1)
  }

  // MARK: Kill

  @Test(arguments: [1, 2, 3, 5, 8, 11])
  func aWorkerThatIsKilledLeavesTheCaptionsWholeAndTheNextOneGoesOn(_ call: Int) async throws {
    let id = try await bench.publishWithMaster()
    _ = try await instance.captions.put(Array(Self.webVTT.utf8), to: id, language: "en", label: nil)
    let data: String = instance.folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [data = data as String, call = call as Int] in
      try await DoomedWorker.runCaptions(on: data, Fuse(at: call))
      kill(getpid(), SIGKILL)
    }
    try await instance.queue.reclaimFromTheDead()
    try await work()
    #expect(try await variants(of: id) == 1)
    #expect(try await instance.queue.open().isEmpty)
  }

  private func clip(_ id: String) async throws -> Clip { try await bench.shown(id) }

  /// Variants of the clip's master playlist that name its captions.
  private func variants(of id: String) async throws -> Int {
    let master = try await text(try await clip(id).playback.hlsUrl)
    try PlaylistRules.checkMaster(master)
    return master.split(separator: "\n").count { $0.hasSuffix(",SUBTITLES=\"captions\"") }
  }
}

/// Something changes right after a handler has read what there is.
private struct LateCaptions: CaptionShowing {
  let real: ClipStore
  let change: @Sendable () async throws -> Void

  func uncaptioned(_ clipID: String) async throws -> (playback: Playback, tracks: [CaptionTrack])? {
    let found = try await real.uncaptioned(clipID)
    try await change()
    return found
  }

  func setCaptioned(
    _ clipID: String, made: (playback: Playback, tracks: [CaptionTrack]), hlsUrl: String,
    playlists: [BlobName], in transaction: any Transaction
  ) throws {
    try real.setCaptioned(clipID, made: made, hlsUrl: hlsUrl, playlists: playlists, in: transaction)
  }
}

extension TestInstance {
  func shown(_ id: String) async throws -> Clip {
    try await instance.feed(.open).clip(id: id, forOwner: true)
  }

  /// A visible clip of which only the master playlist is stored.
  func publishWithMaster() async throws -> String {
    let rendition = Rendition(
      name: "360", url: "/media/x.mp4", width: 360, height: 640, frameRate: 30,
      codecs: "avc1.64001e,mp4a.40.2", peakBps: 2, averageBps: 1,
      initialization: ByteRange(offset: 0, size: 1),
      segments: [Segment(offset: 1, size: 1, durationMs: 1500)])
    let master = Playlists.master([rendition], playlists: ["p.m3u8"])
    let name = try await instance.media.put(Data(master.utf8), ext: "m3u8", in: folder)
    let hash = ContentHash.of(Array("bare".utf8))
    let id = try await instance.clips.register(
      .init(sourceHash: hash, caption: "bare", authorHandle: "me", authorName: "Me")
    ).clip.clipID
    try await instance.database.write { [instance] transaction in
      try instance.clips.publish(
        id, poster: Poster(url: "/media/x.jpg", width: 1, height: 1, placeholder: ""),
        playback: Playback(
          durationMs: 1500, hlsUrl: Route.media.path(name.description), renditions: [rendition]),
        in: transaction)
      try transaction.execute("DELETE FROM jobs")
    }
    return id
  }
}
