internal import ArgumentParser
internal import Captions
internal import Contract
internal import FFmpeg
internal import Foundation
internal import Platform
internal import Transcoding
internal import Uploader
internal import Videos

struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Uploads a video to a server; after an interruption, goes on where it was.",
    discussion: """
      Exit codes: 0 the clip is published, 1 it cannot become a clip (the last line says why), 75 nothing moved for \
      too long, 130 interrupted. After 75 and 130 the same command goes on where it was.
      """)

  @Argument(help: "The video.")
  var file: String
  @Option(help: "The server's address, such as https://clips.example.org.")
  var server: String
  @Option(help: "The caption; without it, the file's name becomes the caption.")
  var caption: String?
  @Option(help: "A tag, without #. Can be given several times.")
  var tag: [String] = []
  @Option(help: ArgumentHelp("Who can see the clip.", valueName: "public|unlisted|private"))
  var visibility = "public"
  @Option(
    help: ArgumentHelp(
      "The moment of the clip, as it is uploaded, whose picture stands for it.", valueName: "seconds"))
  var cover: Double?

  @Flag(inversion: .prefixedNo, help: "Compresses 10 to 50 MB first, where ffmpeg is installed.")
  var compress = true
  @Option(help: "Of a video that is longer than 60 seconds, uploads 60 from this second on.")
  var trimFrom: Double?
  @Option(help: "A file of captions with the times of the clip as it is published, WebVTT or SubRip.")
  var captions: String?
  @Option(help: "Their language as BCP 47, such as en, pt-BR or zh-Hant.")
  var captionsLanguage = "en"

  /// EX_TEMPFAIL of sysexits.h.
  static let tryLater = ExitCode(75)

  func validate() throws {
    guard Visibility(rawValue: visibility) != nil else {
      throw ValidationError("--visibility must be public, unlisted or private.")
    }
    guard trimFrom.map({ (0...86_400).contains($0) }) != false else {
      throw ValidationError("--trim-from must be a number of seconds from 0 on.")
    }
    guard coverMs.map(Limits.coverMs.contains) ?? (cover == nil) else {
      throw ValidationError("--cover must be a number of seconds from 0 to 60, such as 2.5.")
    }
    guard LanguageTag(captionsLanguage) != nil else {
      throw ValidationError("--captions-language must be a tag such as en, pt-BR or zh-Hant.")
    }
    guard let url = URL(string: server), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil
    else {
      throw ValidationError("--server must be an address that starts with http:// or https://.")
    }
  }

  private var coverMs: Int? { cover.flatMap { Int(exactly: ($0 * 1000).rounded()) } }

  func run() async throws {
    let url = URL(fileURLWithPath: file)
    guard let base = URL(string: server) else { return }
    let container = try VideoPreparing.container(of: url)
    // Refused as the server would, before a byte moves.
    let spoken = try captions.map(CaptionsCommand.content)
    if let spoken { _ = try CaptionReader.read(spoken, durationMs: nil) }
    let line = UploadLine(name: url.lastPathComponent)
    let details = ClipDetails(
      caption: caption ?? Caption.derived(from: url.lastPathComponent), tags: tag,
      visibility: Visibility(rawValue: visibility), coverMs: coverMs)
    UploadMemory.forgetOld()
    let uploader = Uploader(
      file: url, container: container.rawValue, durationMs: await Self.durationMs(of: url, container),
      details: details, to: base, memory: UploadMemory(of: url, on: base),
      preparing: VideoPreparing(canCompress: compress, trimFrom: trimFrom)
    ) { line.show($0) }
    let outcome = try await untilSignal { await uploader.run() }
    switch outcome {
    case .published(let clip, let upload):
      let address = Self.address(of: clip, upload, visibility, on: server)
      if let spoken, let problem = await uploader.add(captions: spoken, language: captionsLanguage) {
        line.end("published as \(clip), without its captions: \(problem.message)")
        Console.say(address)
        throw problem.isLasting ? ExitCode(1) : Self.tryLater
      }
      line.end("published as \(clip)")
      Console.say(address)
    case .refused(let reason):
      line.end("refused: \(reason)")
      throw ExitCode(1)
    case .gaveUp(let reason):
      line.end("stopped: \(reason) The same command goes on from here.")
      throw Self.tryLater
    case .cancelled: throw CancellationError()
    }
  }

  /// Where the clip can be watched. A private one needs the upload's id, which stays out of every server's
  /// log behind `#`.
  static func address(of clip: String, _ upload: String, _ visibility: String, on server: String) -> String {
    let base = server.hasSuffix("/") ? String(server.dropLast()) : server
    let secret = visibility == Visibility.private.rawValue ? "#\(upload)" : ""
    return base + Route.clipPage.path(clip) + secret
  }

  /// Where ffmpeg is installed; elsewhere the server says what is too long.
  private static func durationMs(of url: URL, _ container: Container) async -> Int? {
    let folder = FileManager.default.temporaryDirectory
    guard let tools = try? FFmpegTools(),
      let report = try? await tools.inspect(url.standardizedFileURL, as: container, in: folder)
    else { return nil }
    return Int(clamping: (report.duration * 1000).rounded(.towardZero))
  }
}

/// The progress of one upload: bytes, speed, remaining time.
private struct UploadLine: Sendable {
  let name: String

  init(name: String) { self.name = Console.printable(name) }

  func show(_ progress: Uploader.Progress) {
    guard Console.isTerminal else { return }
    Console.update("\(name)  \(text(progress))")
  }

  func end(_ result: String) {
    Console.isTerminal ? Console.update("\(name)  \(result)\n") : Console.say("\(name)  \(result)")
  }

  private func text(_ progress: Uploader.Progress) -> String {
    switch progress.phase {
    case .checking: return "checking \(progress.permille / 10) %"
    case .trimming: return "cutting"
    case .compressing: return "compressing \(progress.permille / 10) %"
    case .publishing: return "publishing"
    case .processing: return "processing \(progress.permille / 10) %"
    case .waiting: return "waiting (\(progress.reason)) \(sent(progress))"
    case .sending:
      let speed = progress.bitsPerSecond.map { ", \(megabytes($0 / 8))/s" } ?? ""
      let rest = progress.remainingMs.map { ", \(($0 + 999) / 1000) s left" } ?? ""
      return "\(bar(progress)) \(sent(progress))\(speed)\(rest)"
    }
  }

  private func bar(_ progress: Uploader.Progress) -> String {
    let filled = progress.totalBytes > 0 ? 20 * progress.sentBytes / progress.totalBytes : 0
    return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled) + "]"
  }

  private func sent(_ progress: Uploader.Progress) -> String {
    "\(megabytes(progress.sentBytes)) of \(megabytes(progress.totalBytes))"
  }

  private func megabytes(_ bytes: Int) -> String { String(format: "%.1f MB", Double(bytes) / 1_048_576) }
}
