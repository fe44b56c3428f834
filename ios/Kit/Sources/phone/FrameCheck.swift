import Contract
import CoreTypes
import Foundation
import MediaProxy
import MediaStore
import Playback

/// Whether players get the same frames from the proxy as from the instance's own HLS, and what belongs to a
/// file: ranges, HEAD, two readers at once.
@MainActor final class FrameCheck {
  private let server: URL
  private let transport: HTTPTransport
  private let verdicts = Verdicts()

  private init(_ server: URL) {
    self.server = server
    transport = HTTPTransport(base: server)
  }

  /// How much differs. `folder` is for what a phone keeps.
  static func run(_ server: URL, clips: Int, folder: URL) async throws -> Int {
    let check = FrameCheck(server)
    let page = try await Client(transport: check.transport).feed(limit: clips)
    for (number, clip) in page.items.enumerated() {
      try await check.compare(clip, rendition: number % clip.playback.renditions.count, isFirst: number == 0)
    }
    if let clip = page.items.first { try await check.changeRenditions(clip) }
    let captions = folder.appending(path: "captions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: captions, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: captions) }
    try await CaptionCheck(
      server: server, transport: check.transport, folder: captions, verdicts: check.verdicts
    ).run()
    check.transport.invalidate()
    return check.verdicts.different
  }

  private func say(_ what: String, _ isRight: Bool, _ detail: String = "") {
    verdicts.say(what, isRight, detail)
  }

  private func compare(_ clip: Clip, rendition: Int, isFirst: Bool) async throws {
    let memory = SegmentMemory()
    try await store(clip, rendition, in: memory)
    let proxy = LoopbackServer(memory: memory)
    try proxy.start()
    guard let feedClip = FeedClip(clip, item: ItemID(0)) else { return }
    let load = proxy.open(feedClip)
    let origin = try await variant(rendition, of: clip)
    let name = "\(clip.id) in \(clip.playback.renditions[rendition].name)"
    for player in Player.allCases {
      let ours = try await player.frames(load.address)
      let theirs = try await player.frames(origin)
      say("\(name), \(player.rawValue)", ours == theirs && ours.count > 100, "\(theirs.count) frames")
    }
    // A browser takes its time.
    if isFirst {
      let (ours, theirs) = try await BrowserCheck.frames(load.address, origin)
      say("\(name), Chromium", ours == theirs && ours.count > 10, "\(theirs.count - 1) pictures")
      for player in Player.allCases { print("  \(player.rawValue) compares \(player.compares)") }
      print("  Chromium compares \(BrowserCheck.compares)")
      try await askForParts(load.address, memory, rendition: rendition, name)
    }
    await proxy.stop()
  }

  /// Where the server's HLS has this rendition.
  private func variant(_ rendition: Int, of clip: Clip) async throws -> URL {
    let main = try await transport.send(WireRequest("GET", clip.playback.hlsUrl))
    let variants = String(decoding: main.body, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    let url = URL(
      string: String(variants[rendition]), relativeTo: URL(string: clip.playback.hlsUrl, relativeTo: server))
    return url?.absoluteURL ?? server
  }

  private func askForParts(_ playlist: URL, _ memory: SegmentMemory, rendition: Int, _ name: String)
    async throws
  {
    let key = SegmentKey(item: 0, rendition: Int32(rendition), segment: 0)
    let bytes = memory.bytes(of: key) ?? Data()
    let target = URL(string: "segment/0.m4s", relativeTo: playlist)?.absoluteURL.path ?? ""
    let transport = HTTPTransport(base: playlist)
    let ask = { @Sendable (method: String, range: String?) async throws in
      try await transport.send(WireRequest(method, target, headers: range.map { ["range": $0] } ?? [:]))
    }
    let last = bytes.count - 1
    for (range, part) in [
      ("bytes=0-0", 0..<1), ("bytes=100-4999", 100..<5_000), ("bytes=-700", bytes.count - 700..<bytes.count),
      ("bytes=\(last)-", last..<bytes.count),
    ] {
      let answer = try await ask("GET", range)
      let says = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
      say(
        "\(name), \(range)",
        answer.status == 206 && answer.body == bytes[part] && answer.headers["content-range"] == says)
    }
    let head = try await ask("HEAD", nil)
    say("\(name), HEAD", head.headers["content-length"] == "\(bytes.count)" && head.body.isEmpty)
    async let one = ask("GET", nil)
    async let other = ask("GET", nil)
    let bodies = try await [one.body, other.body]
    say("\(name), two readers", bodies == [bytes, bytes])
    transport.invalidate()
  }

  /// Whether a player goes on where the rendition changes with each segment, as it may on a link that
  /// changes: all pictures of the clip come.
  private func changeRenditions(_ clip: Clip) async throws {
    let memory = SegmentMemory()
    let count = clip.playback.renditions.count
    for rendition in 0..<count {
      try await store(clip, rendition, in: memory) { $0 % count == rendition }
    }
    let proxy = LoopbackServer(memory: memory)
    try proxy.start()
    guard let feedClip = FeedClip(clip, item: ItemID(0)) else { return }
    let decoder = Decoder(proxy.open(feedClip).address, from: .zero)
    var frames = 0
    while let decoder, !decoder.isEnded {
      decoder.fill()
      while decoder.take() { frames += 1 }
      try await Task.sleep(for: .milliseconds(5))
    }
    await proxy.stop()
    let expected = clip.playback.durationMs * Int(Decoder.rate) / 1_000
    say(
      "\(clip.id) in another rendition each segment", frames >= expected - 1,
      "\(frames) of \(expected) pictures")
  }

  private func store(
    _ clip: Clip, _ rendition: Int, in memory: SegmentMemory, _ isWanted: (Int) -> Bool = { _ in true }
  ) async throws {
    let description = clip.playback.renditions[rendition]
    let url = URL(string: description.url, relativeTo: server)!.absoluteURL
    let places =
      [(SegmentKey.initialization, description.initialization.offset, description.initialization.size)]
      + description.segments.enumerated().map { (Int32($0.offset), $0.element.offset, $0.element.size) }
    for (segment, offset, size) in places where segment < 0 || isWanted(Int(segment)) {
      var bytes = Data()
      for try await chunk in transport.bytes(of: RangeRequest(url: url, offset: offset, size: size)) {
        bytes += chunk
      }
      memory.put(bytes, as: SegmentKey(item: 0, rendition: Int32(rendition), segment: segment))
    }
  }
}
