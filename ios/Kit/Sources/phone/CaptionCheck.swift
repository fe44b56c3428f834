import Contract
import CoreTypes
import Foundation
import MediaProxy
import MediaStore
import Playback

/// Whether players get the same cues by the proxy as from the instance: where the proxy sends them to the
/// instance, and where it has a kept clip's captions on disk and there is no instance. The clip is uploaded
/// for it and deleted afterwards.
@MainActor struct CaptionCheck {
  private static let file = """
    WEBVTT

    00:00.500 --> 00:01.500
    Good morning

    00:02.000 --> 00:03.000
    <i>Bye</i> & so

    """
  private static let count = 2
  private static let nowhere = URL(string: "http://127.0.0.1:9/")!

  let server: URL
  let transport: HTTPTransport
  let folder: URL
  let verdicts: Verdicts

  func run() async throws {
    let client = Client(transport: transport)
    let upload = try await upload()
    let clip = try await captioned(upload, client)
    try await compare(clip)
    _ = try await client.removeClip(ofUpload: upload)
  }

  private func compare(_ clip: Clip) async throws {
    let store = try DiskStore(root: folder.appending(path: "kept"))
    let fetcher = ClipFetcher(store: store, transport: transport, base: server)
    let origin = URL(string: clip.playback.hlsUrl, relativeTo: server)!.absoluteURL
    guard let track = clip.playback.captions?.first else { return }
    let file = URL(string: track.url, relativeTo: server)!.absoluteURL
    try await fetcher.fetch(clip, shortEdge: 360, saves: true)
    let memory = try await restored(clip, from: store)
    for (place, base, disk) in [("at the instance", server, nil), ("on disk", Self.nowhere, store)] {
      let proxy = LoopbackServer(memory: memory, origin: base, disk: disk)
      try proxy.start()
      guard let feedClip = FeedClip(clip, item: ItemID(0)) else { return }
      let load = proxy.open(feedClip).address
      let list = URL(string: "captions/0.m3u8", relativeTo: load)!.absoluteURL
      for reader in CueReader.allCases {
        let (ours, theirs) = (try await reader.cues(load), try await reader.cues(origin))
        let name = "captions \(place), \(reader.rawValue)"
        if theirs.isEmpty, ours.isEmpty {
          print("\(name): reads none, \(reader.whyNone)")
          let (ours, theirs) = (
            try await reader.cues(list), try await reader.cues(try await playlist(in: origin))
          )
          verdicts.say(
            "\(name), their own playlist", ours == theirs && ours.count == Self.count, "\(ours.count) cues")
        } else {
          verdicts.say(name, ours == theirs && ours.count == Self.count, "\(ours.count) cues")
        }
      }
      if disk != nil {
        let kept = URL(string: "captions/0.vtt", relativeTo: load)!.absoluteURL
        let (ours, theirs) = try await BrowserCheck.cues(load, kept, origin, file)
        print("captions \(place), Chromium: its HLS player has \(ours.first ?? "no answer")")
        verdicts.say(
          "captions \(place), Chromium's <track>", ours == theirs && ours.count == Self.count + 1,
          "\(max(0, ours.count - 1)) cues")
      }
      await proxy.stop()
    }
  }

  /// The clip as a start without a network has it: from disk.
  private func restored(_ clip: Clip, from store: DiskStore) async throws -> SegmentMemory {
    let memory = SegmentMemory()
    for (number, rendition) in clip.playback.renditions.enumerated() {
      let places =
        [(SegmentKey.initialization, rendition.initialization.offset, rendition.initialization.size)]
        + rendition.segments.enumerated().map { (Int32($0.offset), $0.element.offset, $0.element.size) }
      for (segment, offset, size) in places {
        let part = MediaPart(blob: rendition.url, offset: offset, size: size)
        guard let bytes = await store.read(part, of: clip.playback.renditions[0].url) else { continue }
        memory.put(bytes, as: SegmentKey(item: 0, rendition: Int32(number), segment: segment))
      }
    }
    return memory
  }

  /// Where a master playlist has that of its captions.
  private func playlist(in main: URL) async throws -> URL {
    let text = String(decoding: try await transport.send(WireRequest("GET", main.path)).body, as: UTF8.self)
    guard let name = text.firstMatch(of: /TYPE=SUBTITLES.*URI="([^"]+)"/)?.1 else { return main }
    return URL(string: String(name), relativeTo: main)!.absoluteURL
  }

  /// Until the clip is there with its captions, also in the playlist that players of HLS get.
  private func captioned(_ upload: String, _ client: Client) async throws -> Clip {
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(120)
    let put = WireRequest(
      "PUT", Route.captionsOfLanguage.path(upload, "en"), headers: ["content-type": "text/vtt"],
      body: Data(Self.file.utf8))
    // Not before the upload is a clip.
    while try await transport.send(put).status >= 300, clock.now < limit {
      try await Task.sleep(for: .milliseconds(100))
    }
    while clock.now < limit {
      if let clip = try? await client.clip(ofUpload: upload), clip.playback.captions?.isEmpty == false {
        let main = try await transport.send(WireRequest("GET", clip.playback.hlsUrl)).body
        if String(decoding: main, as: UTF8.self).contains("TYPE=SUBTITLES") { return clip }
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw TransferFailure.server
  }

  /// By tus, which asks for no hash; answers the upload's id once its bytes are there.
  private func upload() async throws -> String {
    let path = folder.appending(path: "spoken.mp4").path
    _ = try await Player.output([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=360x640:r=25:d=4", "-f", "lavfi", "-i",
      "sine=f=330:d=4", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", path,
    ])
    var bytes = FileManager.default.contents(atPath: path) ?? Data()
    // A box that no player reads: the same content twice is one clip, which the last run has deleted.
    bytes += [0, 0, 0, 24] + Data("free".utf8) + Data(UUID().uuidString.utf8.prefix(16))
    let version = ["tus-resumable": "1.0.0"]
    let created = try await transport.send(
      WireRequest(
        "POST", Route.uploads.path(),
        headers: version.merging([
          "upload-length": "\(bytes.count)",
          "upload-metadata": "caption \(Data("Spoken".utf8).base64EncodedString())",
        ]) { $1 }))
    let place = URL(string: created.headers["location"] ?? "")?.path() ?? ""
    let sent = try await transport.send(
      WireRequest(
        "PATCH", place,
        headers: version.merging([
          "content-type": "application/offset+octet-stream", "upload-offset": "0",
        ]) { $1 }, body: bytes))
    guard sent.status < 300, let id = Route.upload.values(in: place)?.first else {
      throw TransferFailure.server
    }
    return id
  }
}

/// Programs that read captions, and the cues that each of them gets: time, length where it says it, and text.
private enum CueReader: String, CaseIterable {
  case ffmpeg, gstreamer

  var whyNone: String {
    switch self {
    case .ffmpeg: "since its reader of HLS passes over subtitles of a master playlist"
    case .gstreamer: "though it reads those of the instance"
    }
  }

  func cues(_ url: URL) async throws -> [String] {
    switch self {
    case .ffmpeg:
      let text = try await Player.output([
        "timeout", "60", "ffmpeg", "-v", "error", "-nostdin", "-allowed_extensions", "ALL", "-i", "\(url)",
        "-map", "0:s", "-f", "srt", "-",
      ])
      return text.split(separator: "\n\n").map(String.init)
    case .gstreamer:
      // NB: a sink that prints each buffer itself; what `-v` prints is no count.
      let text = try await Player.output([
        "timeout", "60", "gst-launch-1.0", "-q", "playbin3", "uri=\(url)", "video-sink=fakesink sync=false",
        "audio-sink=fakesink sync=false", "text-sink=checksumsink sync=false hash=sha1",
      ])
      return text.split(separator: "\n").map(String.init)
    }
  }
}
