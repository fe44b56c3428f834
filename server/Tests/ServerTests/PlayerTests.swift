import Contract
import Foundation
import LocalBlobs
import Platform
import SQLite
import Testing

@testable import Transcoding
@testable import clipfeed

/// Players that we did not write play what we serve, from the master playlist to the last frame.
/// ffmpeg does so in `PipelineTests`, Chromium in web/tests/browser.
@Suite(.serialized) struct PlayerTests {
  /// Three and a half seconds with sound in two renditions, served for as long as the body runs.
  private func playing(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
    let bench = try await Bench()
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 3.5, size: "540x960"))
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
          "60", "gst-launch-1.0", "-v", "playbin", "uri=\(url)",
          "video-sink=fakesink name=pictures sync=false silent=false",
          "audio-sink=fakesink name=sounds sync=false silent=false",
        ])
      #expect(status == 0)
      let lines = output.split(separator: "\n").filter { $0.contains("last-message = chain") }
      #expect(lines.count { $0.contains("(pictures:sink)") } == 105)
      // Each block of sound is 1024 samples.
      #expect((160...166).contains(lines.count { $0.contains("(sounds:sink)") }))
    }
  }

  @Test func mpvPlaysToTheEndWithoutAComplaint() async throws {
    try await playing { url in
      let (status, output) = try await Self.run(
        "/usr/bin/timeout", ["60", "mpv", "--no-config", "--vo=null", "--ao=null", "--untimed", url])
      #expect(status == 0, "\(output)")
      #expect(output.contains("540x960") && output.contains("48000Hz stereo"), "\(output)")
      #expect(output.contains("(End of file)"), "\(output)")
      for word in ["rror", "Invalid", "desync", "Failed"] { #expect(!output.contains(word), "\(output)") }
    }
  }
}
