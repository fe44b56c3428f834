import Contract
import CoreTypes
import Foundation
import MediaProxy
import MediaStore
import Playback

/// Whether a player gets the same frames from the proxy as from the instance's own HLS.
@MainActor enum FrameCheck {
  /// How many clips differ.
  static func run(_ server: URL, clips: Int) async throws -> Int {
    let transport = HTTPTransport(base: server)
    let page = try await Client(transport: transport).feed(limit: clips)
    var different = 0
    for (number, clip) in page.items.enumerated() {
      let memory = SegmentMemory()
      let rendition = number % clip.playback.renditions.count
      try await store(clip, rendition, in: memory, by: transport, server)
      let proxy = LoopbackServer(memory: memory)
      try await proxy.start()
      guard let feedClip = FeedClip(clip, item: ItemID(0)) else { continue }
      let load = proxy.open(feedClip)
      let main = try await transport.send(WireRequest("GET", clip.playback.hlsUrl))
      let variants = String(decoding: main.body, as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }
      let origin = URL(
        string: String(variants[rendition]), relativeTo: URL(string: clip.playback.hlsUrl, relativeTo: server)
      )!
      let ours = try await frames(load.address)
      let theirs = try await frames(origin.absoluteURL)
      let isSame = ours == theirs && ours.count > 100
      if !isSame { different += 1 }
      print(
        "\(clip.id) in \(clip.playback.renditions[rendition].name): \(theirs.split(separator: "\n").count) lines",
        isSame ? "the same" : "DIFFERENT")
      await proxy.stop()
    }
    if let clip = page.items.first, try await !playsOn(clip, transport, server) { different += 1 }
    transport.invalidate()
    return different
  }

  /// Whether a player goes on where the rendition changes with each segment, as it may on a link that
  /// changes: all pictures of the clip come.
  private static func playsOn(_ clip: Clip, _ transport: HTTPTransport, _ server: URL) async throws -> Bool {
    let memory = SegmentMemory()
    let count = clip.playback.renditions.count
    for rendition in 0..<count {
      try await store(clip, rendition, in: memory, by: transport, server) { $0 % count == rendition }
    }
    let proxy = LoopbackServer(memory: memory)
    try await proxy.start()
    guard let feedClip = FeedClip(clip, item: ItemID(0)) else { return false }
    let decoder = Decoder(proxy.open(feedClip).address, from: .zero)
    var frames = 0
    while let decoder, !decoder.isEnded {
      decoder.fill()
      while decoder.take() { frames += 1 }
      try await Task.sleep(for: .milliseconds(5))
    }
    await proxy.stop()
    let expected = clip.playback.durationMs * Int(Decoder.rate) / 1_000
    print("\(clip.id) in another rendition each segment: \(frames) of \(expected) pictures")
    return frames >= expected - 1
  }

  private static func store(
    _ clip: Clip, _ rendition: Int, in memory: SegmentMemory, by transport: HTTPTransport, _ server: URL,
    _ isWanted: (Int) -> Bool = { _ in true }
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

  /// Sums of all frames, of picture and sound.
  private nonisolated static func frames(_ url: URL) async throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "error", "-i", url.absoluteString, "-map", "0:v", "-map", "0:a?", "-f", "framemd5", "-",
    ]
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return try await Task.detached {
      let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        .joined(separator: "\n")
    }.value
  }
}
