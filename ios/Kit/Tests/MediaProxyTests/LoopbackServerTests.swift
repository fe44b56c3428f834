import Contract
import CoreTypes
import Foundation
import MediaStore
import Synchronization
import Testing

@testable import MediaProxy
@testable import Playback

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@MainActor @Suite struct LoopbackServerTests {
  private let memory = SegmentMemory()

  private func clip(_ item: Int32 = 0) -> FeedClip {
    let renditions = [1, 2].map { level in
      Contract.Rendition(
        name: "\(level)", url: "/media/\(level).mp4", width: 360 * level, height: 640 * level,
        frameRate: 29.97, codecs: "avc1.64001f,mp4a.40.2\"\nEVIL", peakBps: 800 * level,
        averageBps: 700 * level, initialization: ByteRange(offset: 0, size: 50),
        segments: (0..<3).map {
          Segment(offset: 50 + $0 * 100, size: 100, durationMs: $0 == 0 ? 1_000 : 2_000)
        })
    }
    let clip = Clip(
      id: "c\(item)", caption: "", createdAt: Date(), author: .guest("g"), counts: Counts(), width: 1,
      height: 1, poster: Poster(url: "", width: 1, height: 1, placeholder: ""),
      playback: Playback(durationMs: 5_000, hlsUrl: "", renditions: renditions))
    return FeedClip(clip, item: ItemID(item), canPlay: { _ in true })!
  }

  private func put(_ rendition: Int32, _ segment: Int32, _ byte: UInt8? = nil) {
    let size = segment < 0 ? 50 : 100
    memory.put(
      Data(repeating: byte ?? UInt8(10 * rendition + segment + 1), count: size),
      as: SegmentKey(item: 0, rendition: rendition, segment: segment))
  }

  private nonisolated func get(
    _ url: URL, _ headers: [String: String] = [:], method: String = "GET"
  ) async throws -> (status: Int, headers: [String: String], body: Data) {
    var request = URLRequest(url: url, timeoutInterval: 120)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let (body, response) = try await URLSession.shared.data(for: request)
    let http = response as! HTTPURLResponse
    var fields: [String: String] = [:]
    for case (let name as String, let value as String) in http.allHeaderFields {
      fields[name.lowercased()] = value
    }
    return (http.statusCode, fields, body)
  }

  private func text(_ url: URL) async throws -> String {
    String(decoding: try await get(url).body, as: UTF8.self)
  }

  @Test func writesThePlaylistsOfALoadOnceItsFirstSegmentIsThere() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    async let early = text(load.address)
    put(1, -1)
    put(1, 0)
    let main = try await early
    #expect(
      main.contains("RESOLUTION=720x1280,FRAME-RATE=29.970,CODECS=\"avc1.64001f,mp4a.40.2EVIL\"\nmedia.m3u8"))
    put(0, -1)
    put(0, 1)
    let media = try await text(URL(string: "media.m3u8", relativeTo: load.address)!)
    #expect(
      media == """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:2
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MAP:URI="init/0.mp4"
        #EXTINF:1.000,
        segment/0.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-MAP:URI="init/1.mp4"
        #EXTINF:2.000,
        segment/1.m4s
        #EXT-X-MAP:URI="init/2.mp4"
        #EXTINF:2.000,
        segment/2.m4s
        #EXT-X-ENDLIST

        """)
    await server.stop()
  }

  @Test func namesTheCaptionsOfAClipAtTheirOwnAddresses() async throws {
    var captioned = clip().clip
    captioned.playback.captions = [
      CaptionTrack(language: "de", label: "Deutsch\"\nEVIL", url: "/media/de.vtt", automatic: false),
      CaptionTrack(language: "fr", label: "Français", url: "javascript:1", automatic: false),
      CaptionTrack(language: "pt-BR", label: "Português", url: "/media/pt.vtt", automatic: true),
    ]
    put(0, -1)
    put(0, 0)
    let origin = URL(string: "https://clips.test/")!
    let server = LoopbackServer(memory: memory, origin: origin)
    try server.start()
    let feedClip = FeedClip(captioned, item: ItemID(0), canPlay: { _ in true })!
    let load = server.open(feedClip)
    let main = try await text(load.address)
    #expect(main.contains("LANGUAGE=\"de\",NAME=\"DeutschEVIL\",DEFAULT=NO,"))
    #expect(main.contains("LANGUAGE=\"pt-BR\",NAME=\"Português\",DEFAULT=NO,"))
    #expect(main.contains("URI=\"captions/1.m3u8\"") && !main.contains("captions/2.m3u8"))
    #expect(main.contains("CODECS=\"avc1.64001f,mp4a.40.2EVIL\",SUBTITLES=\"captions\"\nmedia.m3u8"))
    let captions = try await text(URL(string: "captions/0.m3u8", relativeTo: load.address)!)
    #expect(captions.contains("#EXT-X-TARGETDURATION:5\n"))
    #expect(captions.contains("#EXTINF:5.000,\nhttps://clips.test/media/de.vtt\n#EXT-X-ENDLIST"))
    #expect(try await get(URL(string: "captions/2.m3u8", relativeTo: load.address)!).status == 404)
    #expect(try await get(URL(string: "captions/-1.m3u8", relativeTo: load.address)!).status == 404)
    // Without an instance nobody is sent anywhere.
    let plain = LoopbackServer(memory: memory)
    try plain.start()
    #expect(try await text(plain.open(feedClip).address).contains("SUBTITLES") == false)
    await server.stop()
    await plain.stop()
  }

  @Test func servesTheCaptionsOfAKeptClipFromTheDisk() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "captions-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = try DiskStore(root: folder)
    let text = Data("WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nHi\n".utf8)
    let name = "/media/1.mp4"
    try await disk.write(
      text, as: MediaPart(blob: "/media/de.vtt", offset: 0, size: text.count), of: name)
    put(0, -1)
    put(0, 0)
    var kept = clip().clip
    kept.playback.captions = ["de", "en"].map {
      CaptionTrack(language: $0, label: $0, url: "/media/\($0).vtt", automatic: false)
    }
    let server = LoopbackServer(memory: memory, origin: URL(string: "https://clips.test/")!, disk: disk)
    try server.start()
    let load = server.open(FeedClip(kept, item: ItemID(0), canPlay: { _ in true })!)
    let at = { (path: String) in URL(string: "captions/\(path)", relativeTo: load.address)! }
    #expect(try await self.text(at("0.m3u8")).contains("#EXTINF:5.000,\n0.vtt\n#EXT-X-ENDLIST"))
    let file = try await get(at("0.vtt"))
    #expect(file.status == 200 && file.body == text)
    #expect(file.headers["content-type"] == "text/vtt; charset=utf-8")
    let head = try await get(at("0.vtt"), method: "HEAD")
    #expect(head.headers["content-length"] == "\(text.count)" && head.body.isEmpty)
    // The other language is at the instance alone.
    #expect(try await self.text(at("1.m3u8")).contains("\nhttps://clips.test/media/en.vtt\n"))
    for path in [
      "1.vtt", "2.vtt", "-1.vtt", ".vtt", "0.vtt.vtt", "0", "0.srt", "0/0.vtt", "9999999999999.vtt",
    ] {
      #expect(try await get(at(path)).status == 404, "\(path)")
    }
    // Bytes that are not what was written are not served, and the instance is named again.
    let part = try #require(
      FileManager.default.subpathsOfDirectory(atPath: folder.path).first { $0.contains("vtt") })
    let handle = try FileHandle(forUpdating: folder.appending(path: part))
    try handle.seek(toOffset: 30)
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    #expect(try await self.text(at("0.m3u8")).contains("\nhttps://clips.test/media/de.vtt\n"))
    #expect(try await get(at("0.vtt")).status == 404)
    await server.stop()
  }

  @Test(arguments: [(1e300, "1000000.000"), (-5, "0.000"), (.nan, "0.000"), (59.94, "59.940")])
  func writesAnyRateThatAServerSays(_ rate: Double, _ written: String) {
    var rendition = clip().renditions[0]
    rendition.frameRate = rate
    let main = Playlist.main(ProxiedClip(item: 0, renditions: [rendition]), first: 0)
    #expect(main.contains("FRAME-RATE=\(written),"))
  }

  @Test func answersRangesAndHeads() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    memory.put(Data((0..<100).map { UInt8($0) }), as: SegmentKey(item: 0, rendition: 1, segment: 0))
    put(1, -1)
    let url = URL(string: "segment/0.m4s", relativeTo: load.address)!
    let whole = try await get(url)
    #expect(whole.status == 200)
    #expect(whole.body.count == 100)
    #expect(whole.headers["content-type"] == "video/mp4")
    let part = try await get(url, ["Range": "bytes=10-19"])
    #expect(part.status == 206)
    #expect(part.body == Data(10..<20))
    #expect(part.headers["content-range"] == "bytes 10-19/100")
    #expect(try await get(url, ["Range": "bytes=-5"]).body == Data(95..<100))
    #expect(try await get(url, ["Range": "bytes=100-"]).status == 416)
    let head = try await get(url, method: "HEAD")
    #expect(head.headers["content-length"] == "100")
    #expect(head.body.isEmpty)
    #expect(try await get(url, method: "POST").status == 405)
    #expect(server.usage.bytes == 115)
    await server.stop()
  }

  @Test func understandsRangesAsTheStandardDoes() {
    let cases: [(String?, ByteRequest)] = [
      (nil, .whole), ("bytes=0-0", .part(0..<1)), ("bytes=5-", .part(5..<100)),
      ("bytes=-30", .part(70..<100)),
      ("bytes=-300", .part(0..<100)), ("bytes=99-400", .part(99..<100)), ("bytes=100-", .unsatisfiable),
      ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=0-1,3-4", .whole), ("items=0-1", .whole),
      ("bytes=+1-2", .whole), ("bytes=a-b", .whole), ("bytes=-", .whole), ("bytes=", .whole),
      ("bytes=0-9223372036854775807", .part(0..<100)), ("bytes=99999999999999999999-", .whole),
    ]
    for (header, expected) in cases {
      #expect(ByteRequest(header, size: 100) == expected, "\(header ?? "none")")
    }
  }

  @Test func twoReadersShareADownloadThatIsUnderWay() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    let key = SegmentKey(item: 0, rendition: 1, segment: 0)
    put(1, -1)
    memory.begin(key, size: 100)
    let url = URL(string: "segment/0.m4s", relativeTo: load.address)!
    async let one = get(url)
    async let other = get(url, ["Range": "bytes=40-59"])
    #expect(await eventually { server.usage.joined == 2 })
    let bytes = Data((0..<100).map { UInt8($0) })
    for start in stride(from: 0, to: 100, by: 25) { memory.append(bytes[start..<start + 25], to: key) }
    memory.put(bytes, as: key)
    #expect(try await one.body == bytes)
    #expect(try await other.body == Data(40..<60))
    await server.stop()
  }

  @Test func aLoadKeepsTheRenditionOfASegment() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    put(0, -1)
    put(0, 1)
    let initialization = URL(string: "init/1.mp4", relativeTo: load.address)!
    #expect(
      try await get(initialization).body == memory.bytes(of: SegmentKey(item: 0, rendition: 0, segment: -1)))
    put(1, -1)
    put(1, 1)
    let segment = URL(string: "segment/1.m4s", relativeTo: load.address)!
    #expect(try await get(segment).body.first == 2)
    // Another load gets the better one.
    let next = server.open(clip())
    #expect(try await get(URL(string: "segment/1.m4s", relativeTo: next.address)!).body.first == 12)
    await server.stop()
  }

  @Test func saysSoWhenWhatWasBegunIsTakenBack() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    var stale: [MediaLoad] = []
    server.onStale = { stale.append($0) }
    let key = SegmentKey(item: 0, rendition: 0, segment: 1)
    put(0, -1)
    memory.begin(key, size: 100)
    memory.append(Data(count: 10), to: key)
    let cut = Task { try await get(URL(string: "segment/1.m4s", relativeTo: load.address)!) }
    #expect(await eventually { server.usage.joined == 1 })
    memory.abandon(key)
    put(1, -1)
    put(1, 1)
    // Either the connection is cut, or the body is shorter than declared.
    if let answer = try? await cut.value { #expect(answer.body.count < 100) }
    #expect(await eventually { stale == [load] })
    await server.stop()
  }

  @Test func nobodyElseIsAnswered() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    put(0, -1)
    put(0, 0)
    let good = load.address.absoluteString
    let root = "http://127.0.0.1:\(server.port)"
    let secret = good.dropFirst(root.count + 1).split(separator: "/")[0]
    for path in [
      "/", "/1/index.m3u8", "/\(secret)", "/\(secret)/", "/\(secret)/9/index.m3u8", "/\(secret)/1/",
      "/\(secret)/1/init", "/\(secret)/1/init/", "/\(secret)/1/init/-1.mp4", "/\(secret)/1/init/3.mp4",
      "/\(secret)/1/segment/0.mp4", "/\(secret)/1/segment/99999999999999.m4s", "/\(secret)/1/segment/0.m4s/x",
      "/\(secret)/-1/index.m3u8", "/\(secret.dropLast())0/1/index.m3u8x",
      "/\(secret)/1/../1/segment/%30.m4sx",
    ] {
      #expect(try await get(URL(string: root + path)!).status == 404, "\(path)")
    }
    #expect(try await get(load.address).status == 200)
    #expect(try await get(load.address, ["Host": "evil.example:\(server.port)"]).status == 404)
    server.close(load)
    #expect(try await get(load.address).status == 404)
    await server.stop()
  }

  @Test func outlivesWhateverIsSent() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    put(0, -1)
    put(0, 0)
    let load = server.open(clip())
    var generator = SeededGenerator(seed: 11)
    let lines = [
      "GET / HTTP/1.1\r\n\r\n", "GET", "\r\n\r\n\r\n", "GET \(load.address.path) HTTP/1.1\r\nRange: bytes=",
      "HEAD /a/b/c HTTP/9.9\r\nHost:\r\n:\r\n\r\n", "PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
      "GET /%ff%00 HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]
    for round in 0..<40 {
      var bytes = Data(lines[round % lines.count].utf8)
      for _ in 0..<generator.next(below: 30) { bytes.append(UInt8(generator.next(below: 256))) }
      sendAndHangUp(bytes, port: server.port)
    }
    #expect(try await get(load.address).status == 200)
    await server.stop()
  }

  @Test func aHeadWithoutEndIsCutOff() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let port = server.port
    let endless = Data("GET / HTTP/1.1\r\nX: ".utf8) + Data(repeating: 65, count: 100_000)
    #expect(await sendAndListen(endless, on: connectRaw(port: port)) == "")
    for nonsense in [
      "GET /\r\n\r\n", "GET a HTTP/1.1\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nx\r\n\r\n",
      "PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
      "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ] {
      let answer = await sendAndListen(Data(nonsense.utf8), on: connectRaw(port: port))
      #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(nonsense)")
    }
    await server.stop()
  }

  @Test func answersOneRequestAfterTheOtherOnAConnection() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    put(0, -1)
    put(0, 0)
    let (port, path) = (server.port, server.open(clip()).address.path)
    let asked =
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      + "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET"
    let answer = await sendAndListen(Data(asked.utf8), on: connectRaw(port: port))
    #expect(answer.ranges(of: "HTTP/1.1 200 OK").count == 2)
    #expect(answer.ranges(of: "#EXTM3U").count == 1)
    await server.stop()
  }

  @Test func strangersDoNotKeepAPlayerOut() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    put(0, -1)
    put(0, 0)
    let load = server.open(clip())
    let port = server.port
    // A player's connection that rests, and a crowd that says nothing.
    let player = connectRaw(port: port)
    let ask = Data("HEAD \(load.address.path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    // It is no stranger once it is answered; that it was counted comes before.
    #expect(await sendAndReceive(ask, on: player).hasPrefix("HTTP/1.1 200 "))
    let crowd = (0..<60).map { _ in connectRaw(port: port) }
    // The first of them is shown out; the player stays.
    #expect(await sendAndListen(Data(), on: crowd[0]) == "")
    #expect(try await get(load.address).status == 200)
    #expect(await sendAndReceive(ask, on: player).hasPrefix("HTTP/1.1 200 "))
    #expect(server.usage.requests == 3)
    for socket in crowd.dropFirst() + [player] { close(socket) }
    await server.stop()
  }

  @Test func keepsItsPortOverARestart() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    put(0, -1)
    put(0, 0)
    let load = server.open(clip())
    #expect(try await get(load.address).status == 200)
    let port = server.port
    await server.stop()
    try server.start()
    #expect(server.port == port)
    #expect(try await get(load.address).status == 200)
    // Where the port is taken meanwhile, another is as good.
    let other = LoopbackServer(memory: memory, port: port)
    try other.start()
    #expect(other.port != port && other.port != 0)
    await other.stop()
    await server.stop()
  }

  @Test func whoeverConnectsInTheTurnOfTheStartIsAnswered() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    // NB: nothing was awaited so far.
    #expect(server.port != 0)
    put(0, -1)
    put(0, 0)
    let path = server.open(clip()).address.path
    let socket = connectRaw(port: server.port)
    let ask = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    #expect(await sendAndListen(Data(ask.utf8), on: socket).hasPrefix("HTTP/1.1 200 OK"))
    await server.stop()
  }

  @Test func twoReturnsAtOnceListenOnceAndAStopIsTheLastWord() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let port = server.port
    await server.stop()
    async let first: Void = server.revive()
    async let second: Void = server.revive()
    _ = try await (first, second)
    #expect(server.port == port)
    await server.stop()
    // Nobody listens there any more.
    let other = LoopbackServer(memory: memory, port: port)
    try other.start()
    #expect(other.port == port)
    await other.stop()
  }

  @Test func aWaitEndsWithItsLoad() async throws {
    let server = LoopbackServer(memory: memory)
    try server.start()
    let load = server.open(clip())
    async let answer = get(load.address)
    #expect(await eventually { server.usage.requests == 1 })
    server.close(load)
    #expect(try await answer.status == 404)
    await server.stop()
  }

  @Test func comesBackWhereItWasAndTellsPlayersIfItCannot() async throws {
    let proxy = LoopbackServer(memory: memory)
    try proxy.start()
    let load = proxy.open(clip())
    var stale: [MediaLoad] = []
    proxy.onStale = { stale.append($0) }
    let port = proxy.port
    // Somebody is still connected: it is left alone.
    try await proxy.revive()
    #expect(proxy.port == port)
    #expect(stale.isEmpty)
    // What the player asked for while the app slept was refused: it begins anew, at the same port.
    await proxy.stop()
    try await proxy.revive()
    #expect(proxy.port == port)
    #expect(stale.map(\.number) == [load.number])
    stale = []
    await proxy.stop()
    let other = LoopbackServer(memory: memory, port: port)
    try other.start()
    try await proxy.revive()
    #expect(proxy.port != port)
    #expect(stale.map(\.number) == [load.number])
    #expect(stale.first?.address.port == Int(proxy.port))
    await other.stop()
    await proxy.stop()
  }
}

/// Lets tasks, sockets and disks work until this is so.
@MainActor func eventually(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<20_000 {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return false
}
