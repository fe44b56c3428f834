import Captions
import Contract
import Foundation
import LocalBlobs
import Platform
import SQLite
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// Players that we did not write play what we serve, from the master playlist to the last frame.
/// ffmpeg does so in `PipelineTests`, Chromium in web/tests/browser.
@Suite(.serialized) struct PlayerTests {
  /// Three and a half seconds with sound in two renditions, served for as long as the body runs.
  private func playing(
    captions: String? = nil, _ body: @escaping @Sendable (String) async throws -> Void
  ) async throws {
    let bench = try await TestInstance()
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 3.5, size: "540x960"))
    if let captions {
      _ = try await bench.instance.captions.put(Array(captions.utf8), to: id, language: "en", label: nil)
      try await bench.instance.remakeCaptionPlaylists()
    }
    try await bench.serving { transport async throws in
      let clip = try await Client(transport: transport).clip(id)
      try await body("http://127.0.0.1:\(transport.port)\(clip.playback.hlsUrl)")
    }
  }

  /// Off the threads that the server runs on.
  static func run(_ program: String, _ arguments: [String]) async throws -> (Int32, String) {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Shell.run(program, arguments) }) }
    }
  }

  @Test func gstreamerPlaysEveryFrameWithItsSound() async throws {
    try await playing { url in
      let (status, output) = try await Self.run(
        "/usr/bin/timeout",
        [
          // NB: sinks that print each buffer themselves. What `-v` and fakesink's last-message say is no
          // count: of two notifications at the same moment GStreamer 1.22 prints one twice and the other not
          // at all.
          "600", "gst-launch-1.0", "-q", "playbin", "uri=\(url)",
          "video-sink=checksumsink sync=false hash=sha1", "audio-sink=checksumsink sync=false hash=md5",
        ])
      #expect(status == 0)
      let lines = output.matches(of: /(?m)^0:00:0([0-9.]+) ([0-9a-f]{32,40})$/)
      let pictures = lines.filter { $0.2.count == 40 }
      #expect(pictures.count == 105 && Set(pictures.map(\.2)).count == 105, "each picture once")
      // It counts from the delay of one frame that its own reader adds.
      let times = pictures.compactMap { Double($0.1) }
      for (number, time) in zip(1..., times) {
        #expect(abs(time - Double(number) / 30) < 0.001, "picture \(number) at \(time)")
      }
      // Each block of sound is 1024 samples.
      #expect((160...166).contains(lines.count { $0.2.count == 32 }))
    }
  }

  @Test func mpvPlaysToTheEndWithoutAComplaint() async throws {
    try await playing { url in
      let (status, output) = try await Self.run(
        "/usr/bin/timeout", ["600", "mpv", "--no-config", "--vo=null", "--ao=null", "--untimed", url])
      #expect(status == 0, "\(output)")
      #expect(output.contains("540x960") && output.contains("48000Hz stereo"), "\(output)")
      #expect(output.contains("(End of file)"), "\(output)")
      for word in ["rror", "Invalid", "desync", "Failed"] { #expect(!output.contains(word), "\(output)") }
    }
  }

  private static let captions = """
    WEBVTT

    00:00.500 --> 00:01.500
    Good morning

    00:02.000 --> 00:03.000
    <i>Bye</i> & so

    """

  /// From the master playlist alone: it chooses the track itself and shows each cue at its time.
  @Test func gstreamerFindsTheCaptionsAndShowsEachAtItsTime() async throws {
    try await playing(captions: Self.captions) { url in
      let (status, output) = try await Self.run(
        "/usr/bin/timeout",
        [
          "600", "gst-launch-1.0", "-v", "playbin3", "uri=\(url)", "video-sink=fakesink sync=false",
          "audio-sink=fakesink sync=false",
          "text-sink=fakesink name=texts sync=false silent=false dump=true",
        ])
      #expect(status == 0)
      let lines = output.split(separator: "\n").filter { $0.contains("(texts:sink)") }
      // Its own clock for the track begins at the segment's start.
      let segment = try #require(lines.first { $0.contains("segment=(GstSegment)") })
      let start = try #require(segment.firstMatch(of: /start=\(guint64\)([0-9]+)/).flatMap { Double($0.1) })
      let times = lines.filter { $0.contains("last-message = chain") }.compactMap { line in
        line.firstMatch(of: /pts: ([0-9]+):([0-9]+):([0-9.]+), duration: 0:00:01\.0/).flatMap { match in
          Double(match.1).flatMap { hours in
            Double(match.2).flatMap { minutes in
              Double(match.3).map { hours * 3600 + minutes * 60 + $0 - start / 1e9 }
            }
          }
        }
      }
      #expect(times == [0.5, 2])
      #expect(output.contains("  Good morning") && output.contains("<i>Bye</i>"))
    }
  }

  /// ffmpeg 5 leaves the captions of a master playlist alone, so it is shown their own.
  @Test func ffmpegReadsThePlaylistOfTheCaptionsAndMpvPlaysWithTheFile() async throws {
    try await playing(captions: Self.captions) { url in
      let (_, master) = try await Self.run("/usr/bin/curl", ["-s", url])
      let folder = url.replacing(/[^\/]+$/, with: "")
      let name = try #require(master.firstMatch(of: /TYPE=SUBTITLES.*URI="([^"]+)"/)?.1)
      let (status, text) = try await Self.run(
        "/usr/bin/ffmpeg",
        ["-v", "error", "-nostdin", "-allowed_extensions", "ALL", "-i", folder + name, "-f", "srt", "-"])
      #expect(status == 0)
      #expect(
        text == """
          1
          00:00:00,500 --> 00:00:01,500
          Good morning

          2
          00:00:02,000 --> 00:00:03,000
          <i>Bye</i> & so


          """)
      let (_, playlist) = try await Self.run("/usr/bin/curl", ["-s", folder + name])
      let file = try #require(playlist.split(separator: "\n").first { $0.hasSuffix(".vtt") })
      let (played, output) = try await Self.run(
        // What it shows goes to standard error.
        "/bin/sh",
        [
          "-c", "exec timeout 600 mpv --no-config --vo=null --ao=null --untimed \"$@\" 2>&1", "sh",
          "--sub-file=\(folder)\(file)", "--term-status-msg=at ${time-pos} ${sub-text}", url,
        ])
      #expect(played == 0)
      #expect(output.contains("Good morning") && output.contains("Bye & so"), "\(output)")
    }
  }
}
