public import Captions
internal import Contract
public import Foundation
public import Platform
internal import Transcoding

/// The Captioner port on a program that the operator names. It gets a file and prints captions.
///
/// It is the operator's own and needs files of its own (models), so it sees what this user sees; it reads
/// sound that our ffmpeg wrote, never a stranger's file. Time, memory and output are limited, and it dies
/// with us.
public struct OperatorCaptioner: Captioner {
  public static let filePlaceholder = "{file}"
  public static let languagePlaceholder = "{language}"

  /// The program and its arguments, in which the placeholders stand.
  public let command: [String]
  public let language: LanguageTag
  private let seconds: Double
  private let memoryBytes: UInt64
  private let tools: FFmpegTools

  /// Throws `invalid_parameter` if there is no such program. Without `{file}` the file is the last argument.
  public init(
    command: [String], language: LanguageTag, seconds: Int, memoryMegabytes: Int, tools: FFmpegTools
  ) throws {
    guard let name = command.first, !name.isEmpty else {
      throw AppError(.invalidParameter, "The captioner has no program.")
    }
    let path = name.contains("/") ? URL(fileURLWithPath: name).path : try? FFmpegTools.find(name)
    guard let path, FileManager.default.isExecutableFile(atPath: path) else {
      throw AppError(.invalidParameter, "The captioner's program \(name) is not there, or cannot be run.")
    }
    let arguments = Array(command.dropFirst())
    let namesFile = arguments.contains { $0.contains(Self.filePlaceholder) }
    self.command = [path] + arguments + (namesFile ? [] : [Self.filePlaceholder])
    self.language = language
    self.seconds = Double(seconds)
    memoryBytes = UInt64(memoryMegabytes) << 20
    self.tools = tools
  }

  /// What recognisers of speech take: 16 kHz, one channel, 16 bits.
  public func sound(of rendition: URL, in folder: URL) async throws -> URL {
    let wav = folder.appendingPathComponent("sound.wav")
    let result = try await ChildProcess(
      program: tools.ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + FFmpegTools.input(rendition, .isoMedia)
        + ["-map", "0:a:0", "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-fflags", "+bitexact"]
        + ["-map_metadata", "-1", "-f", "wav", "file:" + wav.path],
      folder: folder, readable: [rendition], memoryBytes: 2 << 30, cpuSeconds: 60,
      wallSeconds: ChildProcess.waitingSeconds + 90
    ).run()
    guard result.status == 0 else {
      throw result.failure("The sound cannot be read", .captioningFailed)
    }
    return wav
  }

  public func captions(from sound: URL, in folder: URL) async throws -> [UInt8] {
    let arguments = command.dropFirst().map {
      $0.replacing(Self.filePlaceholder, with: sound.path)
        .replacing(Self.languagePlaceholder, with: language.description)
    }
    var child = ChildProcess(
      program: command[0], arguments: arguments, folder: folder, memoryBytes: memoryBytes,
      cpuSeconds: UInt64(seconds) * 16, wallSeconds: seconds, outputBytes: Limits.captionsBytes + 1)
    child.level = .limits
    let own = ProcessInfo.processInfo.environment
    // Keys and passwords of ours are nothing for it.
    for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] { child.environment[name] = own[name] }
    let result: ChildProcess.Result
    do {
      result = try await child.run()
    } catch let error as Spawn.CannotStart {
      throw AppError(.captioningFailed, "\(error)")
    }
    if result.timedOut {
      throw AppError(
        .captioningFailed, "The captioner took longer than \(Int(clamping: seconds.rounded(.towardZero))) s.")
    }
    guard result.status == 0 else {
      throw result.failure(nil, .captioningFailed, of: "The captioner")
    }
    guard result.output.count <= Limits.captionsBytes else {
      throw AppError(.captioningFailed, "The captioner printed more than \(Limits.captionsBytes) bytes.")
    }
    return result.output
  }
}
