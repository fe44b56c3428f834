import Contract
import Foundation
import Platform
import Testing

@testable import FFmpeg
@testable import Transcoding

/// A program that is killed, finds the disk full, or does not run at all, says nothing of the file that it
/// reads.
@Suite struct CutOffTests {
  /// NB: the first process of a closed room is deaf to a signal of its own, and not to the kernel's, for the
  /// processor time that it has used up.
  private static let killed = "ulimit -t 1; kill -KILL $$; while :; do :; done"
  private static let full = "echo 'av_interleaved_write_frame(): No space left on device' >&2; exit 228"

  private let folder: URL
  private let source: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("cut-off-\(UUID().uuidString)")
    source = folder.appendingPathComponent("source.bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 0, count: 4096).write(to: source)
  }

  private func clean() { try? FileManager.default.removeItem(at: folder) }

  /// Scripts of the shell in the place of both programs. `runs`: they can tell their versions.
  private func tools(
    ffmpeg: String = "exit 1", ffprobe: String = "exit 1", runs: Bool = true
  ) throws -> FFmpegTools {
    let version = #"if [ "$1" = -version ]; then exit \#(runs ? 0 : 127); fi"#
    var tools = try FFmpegTools()
    tools.ffmpeg = try program("ffmpeg", "\(version)\n\(ffmpeg)")
    tools.ffprobe = try program("ffprobe", "\(version)\n\(ffprobe)")
    return tools
  }

  /// In the folder of the job, which is all that it sees.
  private func program(_ name: String, _ script: String) throws -> String {
    let file = folder.appendingPathComponent(name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    return file.path
  }

  private static func report() -> SourceReport {
    SourceReport(
      video: .init(
        index: 0, codec: "h264", width: 180, height: 320, sampleAspect: 1, rotated: false, nominalRate: 30,
        averageRate: 30, interlaced: false, transfer: "", matrix: "", isStillPicture: false,
        isDecodable: true),
      audioIndex: 1, start: 0, end: 2, fileStart: 0, presence: 1, shownFrames: 60)
  }

  private func failure(_ work: () async throws -> some Any) async -> AppError? {
    do {
      _ = try await work()
      return nil
    } catch { return error as? AppError }
  }

  private func encode(_ tools: FFmpegTools) async throws -> Encoded {
    let report = Self.report()
    return try await tools.encode(
      source, as: .isoMedia, report, to: Ladder(report), in: folder, storyboard: nil, isAwaited: true,
      progress: { _ in })
  }

  private func sound(_ tools: FFmpegTools) async throws -> [Int: URL] {
    let report = Self.report()
    return try await tools.sound(of: source, as: .isoMedia, report, for: Ladder(report), in: folder)
  }

  @Test func whatWasKilledIsToldAsSuch() async throws {
    defer { clean() }
    let result = try await ChildProcess(
      program: program("killed", "echo oops >&2; \(Self.killed)"), arguments: [], folder: folder,
      wallSeconds: 300
    ).run()
    #expect(result.status == -9 && !result.timedOut && result.wasCutOff)
    #expect(result.complaint == "oops\n")
    let failed = try await ChildProcess(
      program: program("failed", "exit 1"), arguments: [], folder: folder, wallSeconds: 300
    ).run()
    #expect(failed.status == 1 && !failed.wasCutOff)
  }

  @Test(arguments: [killed, full]) func anEncoderThatIsCutOffIsTriedAgain(_ script: String) async throws {
    defer { clean() }
    let tools = try tools(ffmpeg: script)
    let failure = await failure { try await encode(tools) }
    #expect(failure?.code == .transcodingFailed && failure?.code.retryable == true, "\(failure as Any)")
  }

  @Test func aLookThatIsCutOffIsTakenAgain() async throws {
    defer { clean() }
    // Names a protection scheme as well, which is no reason here.
    try Data("....pssh....encv".utf8).write(to: source)
    let tools = try tools(ffprobe: Self.killed)
    let failure = await failure { try await tools.inspect(source, as: .isoMedia, in: folder) }
    #expect(failure?.code == .transcodingFailed, "\(failure as Any)")
    #expect(failure?.message.contains("ffprobe was ended by signal 9") == true)
  }

  @Test func whatAFileDoesToAProgramIsStillItsFault() async throws {
    defer { clean() }
    let tools = try tools()
    #expect(await failure { try await encode(tools) }?.code == .damaged)
    let look = await failure { try await tools.inspect(source, as: .isoMedia, in: folder) }
    #expect(look?.code == .unreadable)
  }

  /// A system that allows no namespaces any more, a library that is missing during an update: every file
  /// would be refused, one after the other. 0 is of a program that says nothing.
  @Test(arguments: [0, 1, 127]) func aProgramThatDoesNotRunAtAllIsNoFaultOfAFile(
    _ status: Int
  ) async throws {
    defer { clean() }
    // Names a protection scheme as well, which is no reason here.
    try Data("....pssh....encv".utf8).write(to: source)
    let tools = try tools(ffmpeg: "exit \(max(status, 1))", ffprobe: "exit \(status)", runs: false)
    let look = await failure { try await tools.inspect(source, as: .isoMedia, in: folder) }
    #expect(look?.code == .transcodingFailed && look?.code.retryable == true, "\(look as Any)")
    #expect(look?.message.contains("ffprobe -version ended with 127") == true, "\(look as Any)")
    let encoded = await failure { try await encode(tools) }
    #expect(encoded?.code == .transcodingFailed, "\(encoded as Any)")
    #expect(encoded?.message.contains("ffmpeg -version ended with 127") == true, "\(encoded as Any)")
  }

  @Test(arguments: [killed, full]) func framesThatNobodyCouldCountAreCountedAgain(
    _ script: String
  ) async throws {
    defer { clean() }
    let json = """
      {"streams":[{"index":0,"codec_type":"video","codec_name":"vp9","width":180,"height":320}],
      "packets":[{"stream_index":0,"pts_time":"0"},{"stream_index":0,"pts_time":"0.04"}]}
      """
    try Data(json.utf8).write(to: folder.appendingPathComponent("probe.json"))
    let tools = try tools(ffmpeg: script, ffprobe: "cat probe.json")
    let failure = await failure { try await tools.inspect(source, as: .matroska, in: folder) }
    #expect(failure?.code == .transcodingFailed, "\(failure as Any)")
    #expect(failure?.message.hasPrefix("The frames could not be counted") == true)
  }

  /// What is published stays as loud as it is.
  @Test(arguments: [killed, full]) func soundThatNobodyCouldMeasureIsMeasuredAgain(
    _ script: String
  ) async throws {
    defer { clean() }
    let cutOff = try tools(ffmpeg: script)
    let failure = await failure { try await sound(cutOff) }
    #expect(failure?.code == .transcodingFailed, "\(failure as Any)")
    #expect(failure?.message.hasPrefix("The sound could not be measured") == true)
    // What cannot be decoded to its end is converted all the same.
    let failed = try tools(ffmpeg: "exit 1")
    let other = await self.failure { try await sound(failed) }
    #expect(other?.message.hasPrefix("The sound could not be converted") == true)
  }

  @Test func whateverAClipNeedsMayWaitAsLongAsItsConversion() {
    defer { clean() }
    #expect(ChildProcess.waitingSeconds == ConversionBudget.waitingSeconds)
  }
}
