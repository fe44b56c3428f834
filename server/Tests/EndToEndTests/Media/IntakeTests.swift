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

@Suite(.everyEngine) struct IntakeTests {
  @Test func theSameBytesAreNeverTwoClips() async throws {
    let bench = try await TestInstance()
    let file = try await bench.makeClip("one.mp4")
    try await bench.take(file)
    let copy = bench.folder.appendingPathComponent("another name.mov")
    try FileManager.default.copyItem(at: file, to: copy)
    let outcome = try await bench.instance.intake.take(
      fileAt: copy, caption: nil, authorHandle: "me", authorName: "Me")
    guard case .alreadyThere = outcome else { return #expect(Bool(false), "taken twice") }
    #expect(try await bench.instance.clips.count() == 1)
  }

  @Test func aFileThatWasRefusedIsTriedAgainAndRefusedAgain() async throws {
    let bench = try await TestInstance()
    let file = try await bench.makeClip("short.mp4", seconds: 0.05, sound: false)
    for _ in 1...2 {
      let error = await #expect(throws: AppError.self) { try await bench.take(file) }
      #expect(error?.code == .noVideoStream || error?.code == .tooShort)
    }
    #expect(try await bench.instance.clips.count() == 0)
  }

  @Test func whatIsNoVideoIsRefusedBeforeAnythingIsStored() async throws {
    let bench = try await TestInstance()
    func refusal(_ name: String, _ content: Data?) async throws -> ErrorCode? {
      let url = bench.folder.appendingPathComponent(name)
      if let content { try content.write(to: url) }
      return await #expect(throws: AppError.self) { try await bench.take(url) }?.code
    }
    #expect(try await refusal("missing.mp4", nil) == .notAFile)
    #expect(try await refusal("empty.mp4", Data()) == .emptyFile)
    #expect(try await refusal("list.mp4", Data("#EXTM3U\nfile:///etc/passwd\n".utf8)) == .notAVideo)
    #expect(try await refusal("script.mp4", Data("#!/bin/sh\ntouch /tmp/x\n".utf8)) == .notAVideo)
    let huge = bench.folder.appendingPathComponent("huge.mp4")
    try #require(FileManager.default.createFile(atPath: huge.path, contents: nil))
    let handle = try FileHandle(forWritingTo: huge)
    try handle.truncate(atOffset: UInt64(Limits.sourceBytes + 1))
    #expect(try await refusal("huge.mp4", nil) == .fileTooLarge)
    #expect(try await refusal("var", nil) == .notAFile, "a folder")
    #expect(try PipelineTests.files(in: bench.instance.folder.appendingPathComponent("sources")).isEmpty)
    #expect(try await bench.instance.queue.open().isEmpty)
  }

  @Test func aVideoOfMoreThanAMinuteIsRefused() async throws {
    let bench = try await TestInstance()
    let file = try await bench.makeClip("long.mp4", seconds: 61, size: "64x64", rate: 5, sound: false)
    let error = await #expect(throws: AppError.self) { try await bench.take(file) }
    #expect(error?.code == .tooLong)
    #expect(error?.message == "The video is 61 seconds long; 60 are allowed.")
  }
}

@Suite(.enabled(if: SharedMedia.folder != nil, SharedMedia.comment))
struct SharedMediaTests {
  static let codes: [String: ErrorCode] = [
    "audio_only_15s.mp4": .noVideoStream, "broken_4k.mp4": .unreadable,
    "codec_dav1_dolby.mp4": .unsupportedCodec,
    "codec_vvc.mp4": .unsupportedCodec, "corrupt_ebml.mkv": .unreadable, "cut_40pct_h264_30s.mp4": .truncated,
    "cut_60pct_vp8_30s.webm": .truncated, "deep_nesting_3000_boxes.mp4": .noVideoStream,
    "encrypted_widevine.mp4": .encrypted, "resolution_1x1.mp4": .dimensionsUnsupported,
    "truncated_moov_1k.mov": .unreadable, "zeroed_64k_middle_h264_40s.mp4": .damaged,
  ]

  @Test func everyBadFileIsRefusedWithItsCode() async throws {
    let bench = try await TestInstance()
    for name in SharedMedia.files("bad") where !CorpusTests.playable.contains("bad/\(name)") {
      let file = try SharedMedia.file("bad/\(name)")
      let error = await #expect(throws: AppError.self, "\(name)") { try await bench.take(file) }
      #expect(error?.code == Self.codes[name] ?? .notAVideo, "\(name)")
    }
    #expect(try await bench.instance.clips.count() == 0)
    #expect(!FileManager.default.fileExists(atPath: "/tmp/corpus-canary-executed"))
  }
}
