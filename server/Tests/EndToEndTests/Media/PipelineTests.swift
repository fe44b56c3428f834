import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Platform
import SQLite
import ServiceLifecycle
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

@Suite struct PipelineTests {
  @Test func aClipComesOutPlayableByteByByte() async throws {
    let bench = try await TestInstance()
    // Four renditions at two frame rates, for the boundaries must be equal all the same.
    let source = try await bench.makeClip("a clip.mp4", seconds: 3.7, size: "1080x1920", rate: 60)
    let id = try await bench.take(source)
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let clip = try await client.clip(id)
      #expect(clip.caption == "a clip")
      #expect(clip.playback.durationMs == 3700)
      #expect("\(clip.width)x\(clip.height)" == "1080x1920")
      #expect(clip.playback.renditions.map(\.name) == ["360", "540", "720", "1080"])
      #expect(clip.playback.renditions.map(\.frameRate) == [30, 30, 60, 60])
      for rendition in clip.playback.renditions {
        #expect(rendition.segments.map(\.durationMs) == [1000, 2000, 700])
        #expect(rendition.codecs.hasPrefix("avc1.") && rendition.codecs.hasSuffix(",mp4a.40.2"))
        let file = try await client.media(rendition.url)
        var end = rendition.initialization.size
        for segment in rendition.segments {
          #expect(segment.offset == end)
          end += segment.size
        }
        #expect(end == file.count, "every byte belongs to the init or to a segment")
        let index = try FragmentIndex([UInt8](file))
        try index.validate()
        for (fragment, milliseconds) in zip(index.fragments, [1000, 3000]) {
          let audio = try #require(fragment.audio)
          #expect(
            (audio.start + audio.duration) * 1000 >= milliseconds * 48000,
            "a segment alone must not run out of sound before its picture ends")
        }
        let cap = try #require(Ladder.rungs.first { String($0.edge) == rendition.name }).capBps
        #expect(rendition.peakBps <= cap, "\(rendition.name)")
        #expect(rendition.averageBps <= rendition.peakBps)
      }
      let master = String(decoding: try await client.media(clip.playback.hlsUrl), as: UTF8.self)
      #expect(master.split(separator: "\n").count { $0.hasSuffix(".m3u8") } == 4)
      #expect(try await client.media(clip.poster.url).starts(with: [0xFF, 0xD8]))
      #expect(Data(base64Encoded: clip.poster.placeholder)?.count ?? 0 > 15)
    }
    let leftovers = try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path)
    #expect(leftovers.isEmpty)
    #expect(try Self.files(in: bench.instance.folder.appendingPathComponent("sources")).isEmpty)
  }

  /// Nothing is harder than noise; in bursts it also meets a buffer that is full.
  @Test(arguments: ["noise=alls=60:allf=t", "noise=alls=60:allf=t:enable=gte(mod(t\\,2)\\,1.4)"])
  func noSegmentExceedsTheCapHoweverHardThePicture(_ noise: String) async throws {
    let bench = try await TestInstance()
    let source = bench.folder.appendingPathComponent("noise.mp4")
    try await bench.tools.run(
      ["-f", "lavfi", "-i", "testsrc2=size=540x960:rate=30:duration=5,\(noise)"]
        + ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "26", "-pix_fmt", "yuv420p"]
        + ["file:" + source.path], in: bench.folder)
    for rendition in try await TranscodedClip(source, on: bench).playback.renditions {
      let cap = try #require(Ladder.rungs.first { String($0.edge) == rendition.name }).capBps
      #expect(
        rendition.peakBps <= cap && rendition.averageBps > cap / 4,
        "\(rendition.name): \(rendition.segments.map { $0.size * 8_000 / $0.durationMs })")
    }
  }

  @Test func ffmpegPlaysTheHLSPresentationFromStartToEnd() async throws {
    let bench = try await TestInstance()
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 3.5))
    try await bench.serving { transport async throws in
      let clip = try await Client(transport: transport).clip(id)
      let url = "http://127.0.0.1:\(transport.port)\(clip.playback.hlsUrl)"
      let (status, output) = try Shell.run(
        "/usr/bin/ffprobe",
        [
          "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames",
          "-of", "csv=p=0", url,
        ])
      #expect(status == 0)
      #expect(output.split(separator: "\n").first.map(String.init) == "105")
    }
  }

  @Test func aSilentSourceHasNoAudioTrack() async throws {
    let bench = try await TestInstance()
    let id = try await bench.take(try await bench.makeClip("a.mp4", sound: false))
    try await bench.serving { transport async throws in
      let rendition = try await Client(transport: transport).clip(id).playback.renditions[0]
      #expect(!rendition.codecs.contains("mp4a"))
      #expect("\(rendition.width)x\(rendition.height)" == "180x320", "never upscaled")
    }
  }

  @Test func renditionsOfOneBitRateOfSoundHaveTheVerySameSound() async throws {
    let bench = try await TestInstance()
    let made = try await TranscodedClip(
      try await bench.makeClip("a.mp4", seconds: 1.5, size: "720x1280"), on: bench)
    let sounds = try made.files.map { file in
      let bytes = [UInt8](try Data(contentsOf: file))
      return try FragmentIndex(bytes).fragments.flatMap { $0.audio?.samples ?? [] }.map {
        Array(bytes[$0.bytes])
      }
    }
    #expect(made.playback.renditions.map(\.name) == ["360", "540", "720"])
    #expect(sounds[0].count > 60)
    #expect(sounds[0] == sounds[1], "96 kb/s both")
    #expect(sounds[0] != sounds[2], "128 kb/s")
  }

  /// What our own encoder writes is read as if it were a stranger's.
  @Test func mutatedFilesNeverTrapWhatReadsThem() async throws {
    let bench = try await TestInstance()
    let source = try await bench.makeClip("a.mp4", seconds: 1.2)
    let folder = bench.instance.workFolder
    let report = try await bench.tools.inspect(source, as: .isoMedia, in: folder)
    let ladder = Ladder(report)
    let encoded = try await bench.tools.encode(
      source, as: .isoMedia, report, to: ladder, in: folder, storyboard: nil, isAwaited: true
    ) { _ in }
    let files = try await bench.tools.sound(of: source, as: .isoMedia, report, for: ladder, in: folder)
    let picture = [UInt8](try Data(contentsOf: encoded.files[0]))
    let sound = [UInt8](try Data(contentsOf: try #require(files[ladder.steps[0].audioBps])))
    let (whole, _) = try Repackager.join(
      encoded.files[0], files[ladder.steps[0].audioBps], name: ladder.steps[0].name)
    var generator = SplitMix(state: 42)
    for round in 0..<1500 {
      // Of each what is read, and what was made of them.
      var broken = [picture, sound, whole][round % 3]
      // The headers are what a parser reads; the pictures in between are noise to it.
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<min(3000, broken.count), using: &generator)
        broken[place] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement(
          using: &generator)!
      }
      if Bool.random(using: &generator) {
        broken.removeLast(Int.random(in: 0..<broken.count, using: &generator))
      }
      guard round % 3 != 1 else {
        guard let track = try? SoundTrack(broken) else { continue }
        let index = try FragmentIndex(picture)
        let joined = try? Repackager(picture: picture, index: index, sound: track).write()
        // Here it is found out if the sound is too long.
        try? joined.map { try FragmentIndex($0).validate() }
        continue
      }
      guard let index = try? FragmentIndex(broken) else { continue }
      #expect(index.end <= broken.count)
      guard (try? index.validate()) != nil else { continue }
      let again = try? Repackager(picture: broken, index: index, sound: nil).write()
      #expect(throws: Never.self) { try again.map { try FragmentIndex($0).validate() } }
    }
  }

  static func files(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
  }
}
