import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Platform
import SQLite
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import Transcoding

/// What the pipeline made of a source, looked at by programs that know nothing of us.
struct TranscodedClip {
  let playback: Playback
  /// In the order of the renditions.
  let files: [URL]
  let bench: TestInstance

  /// Takes the source through the pipeline; throws the refusal.
  init(_ source: URL, on bench: TestInstance) async throws {
    let id = try await Lanes.two.run { try await bench.take(source) }
    let rows = try await bench.instance.database.read {
      try $0.query("SELECT playback FROM clips WHERE id = ?", [.text(id)])
    }
    playback = try WireCoding.decode(
      Playback.self, from: Data(try #require(rows.first).text("playback").utf8))
    let media = try LocalBlobs(root: bench.instance.folder.appendingPathComponent("media"))
    files = try playback.renditions.map { rendition in
      media.url(try #require(BlobName(String(rendition.url.dropFirst("/media/".count)))))
    }
    self.bench = bench
  }

  var best: Rendition { playback.renditions[playback.renditions.count - 1] }
  var bestFile: URL { files[files.count - 1] }
  var size: String { "\(best.width)x\(best.height)" }
  var seconds: Double { Double(playback.durationMs) / 1000 }

  /// What holds for every rendition of every source: one picture in 8-bit BT.709, at most one stereo sound, a
  /// constant rate, all from exactly 0, and the sound at most two of its frames shorter than the picture.
  func checkForm(_ name: String) throws {
    for (rendition, file) in zip(playback.renditions, files) {
      let about = Comment(rawValue: "\(name), \(rendition.name)")
      let streams = try Self.streams(of: file)
      #expect(
        streams[0]
          == "video,h264,yuv420p,tv,bt709,bt709,bt709,progressive,\(rendition.width),\(rendition.height)",
        about)
      #expect(streams.dropFirst().allSatisfy { $0 == "audio,aac,fltp,48000,2" }, about)
      #expect(streams.count <= 2, about)
      let index = try FragmentIndex([UInt8](try Data(contentsOf: file)))
      let durations = Set(index.fragments.flatMap { $0.video.samples.map(\.duration) })
      #expect(durations.count == 1, about)
      try index.validate()
      // A player that knows no negative offsets shows the picture late by them: never by more than one frame.
      let early = index.fragments.flatMap { $0.video.samples.map(\.offset) }.min() ?? 0
      #expect(-Int(early) <= Int(durations.first ?? 0), about)
      let known = ["mdcv", "clli", "dvcC", "dvvC", "st3d", "sv3d"]
      let bytes = try Data(contentsOf: file)
      #expect(known.allSatisfy { bytes.range(of: Data($0.utf8), in: index.initialization) == nil }, about)
      guard index.hasAudio else { continue }
      let sound = index.fragments.compactMap(\.audio).reduce(0) { $0 + $1.duration }
      let missing = Double(index.duration) / Double(index.timescale) - Double(sound) / 48000
      #expect((0..<0.045).contains(missing), about)
    }
  }

  private static func streams(of file: URL) throws -> [String] {
    let entries =
      "stream=codec_type,codec_name,width,height,pix_fmt,color_range,color_space,color_transfer,color_primaries,"
      + "field_order,sample_fmt,sample_rate,channels"
    let (status, output) = try Shell.run(
      "/usr/bin/ffprobe", ["-v", "error", "-show_entries", entries, "-of", "json", file.path])
    try #require(status == 0)
    struct Answer: Decodable {
      var streams: [[String: Field]]
    }
    let picture = [
      "codec_type", "codec_name", "pix_fmt", "color_range", "color_space", "color_transfer",
      "color_primaries",
      "field_order", "width", "height",
    ]
    let sound = ["codec_type", "codec_name", "sample_fmt", "sample_rate", "channels"]
    return try JSONDecoder().decode(Answer.self, from: Data(output.utf8)).streams.map { stream in
      let names = stream["codec_type"]?.text == "video" ? picture : sound
      return names.map { stream[$0]?.text ?? "-" }.joined(separator: ",")
    }
  }

  private struct Field: Decodable {
    let text: String
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text = (try? value.decode(String.self)) ?? (try? value.decode(Int.self)).map { "\($0)" } ?? "-"
    }
  }

  /// The best rendition decoded: every frame scaled to this size, three bytes a pixel.
  func pixels(_ width: Int, _ height: Int, scaling: String = "area", frames: Int? = nil) throws -> [UInt8] {
    try raw(
      [
        "-vf", "scale=\(width):\(height):flags=\(scaling):in_color_matrix=bt709,format=rgb24", "-an",
        "-vsync", "passthrough",
      ]
        + (frames.map { ["-frames:v", "\($0)"] } ?? []) + ["-f", "rawvideo"])
  }

  /// The luminance of the first frame's middle row, 0 for black and 1 for white.
  func row() throws -> [Double] {
    let bytes = try raw(["-frames:v", "1", "-vf", "extractplanes=y", "-an", "-f", "rawvideo"])
    let middle = best.height / 2 * best.width
    return bytes[middle..<middle + best.width].map { (Double($0) - 16) / 219 }
  }

  /// The sound of the best rendition, left channel.
  func samples() throws -> [Float] {
    let bytes = try raw(["-vn", "-af", "pan=mono|c0=c0", "-f", "f32le"])
    return stride(from: 0, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * $1) })
    }
  }

  /// LUFS and dBTP.
  func loudness() throws -> (integrated: Double, peak: Double) {
    let (_, output) = try Shell.run(
      "/bin/sh",
      [
        "-c",
        "exec ffmpeg -hide_banner -nostdin -nostats -i \"$1\" -vn -af ebur128=peak=true:framelog=verbose "
          + "-f null - 2>&1", "sh", bestFile.path,
      ])
    func value(_ label: String) throws -> Double {
      let line = try #require(output.split(separator: "\n").last { $0.contains(label) })
      return try #require(line.split(separator: ":").last?.split(separator: " ").first.flatMap { Double($0) })
    }
    return (try value("  I:"), try value("  Peak:"))
  }

  private func raw(_ arguments: [String]) throws -> [UInt8] {
    let out = bench.folder.appendingPathComponent("raw-\(UInt64.random(in: 0...UInt64.max))")
    defer { try? FileManager.default.removeItem(at: out) }
    let (status, _) = try Shell.run(
      "/usr/bin/ffmpeg", ["-nostdin", "-v", "error", "-i", bestFile.path] + arguments + [out.path])
    try #require(status == 0)
    return [UInt8](try Data(contentsOf: out))
  }
}

/// As many conversions at a time as a small machine has cores: with thirty at once each takes so long that
/// the limits on its time end it.
actor Lanes {
  static let two = Lanes(free: 2)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(free: Int) { self.free = free }

  nonisolated func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    await enter()
    let done = await Result(catching: work)
    await leave()
    return try done.get()
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}

extension Result where Failure == any Error {
  fileprivate init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension TestInstance {
  /// A source of any kind, by ffmpeg's own words, parted by spaces.
  func make(_ name: String, _ words: String) async throws -> URL {
    let url = folder.appendingPathComponent(name)
    try await tools.run(words.split(separator: " ").map(String.init) + ["file:" + url.path], in: folder)
    return url
  }
}
