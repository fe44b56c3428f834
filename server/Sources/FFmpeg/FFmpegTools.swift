internal import Contract
public import Foundation
internal import Platform
public import Transcoding

/// The MediaTools port on the ffmpeg and ffprobe programs.
///
/// A source is opened by absolute path with the `file:` protocol, the only one allowed, and with its demuxer
/// forced, so ffmpeg never guesses a format that can refer to something else. `Confinement` hides everything
/// else from it.
public struct FFmpegTools: MediaTools {
  var ffmpeg: String
  var ffprobe: String
  let preset: String
  let quality: Int

  /// Throws if the programs are not in the usual places. `preset` is x264's trade of time against size,
  /// `quality` its constant rate factor.
  public init(preset: String = "veryfast", quality: Int = 23) throws {
    ffmpeg = try Self.find("ffmpeg")
    ffprobe = try Self.find("ffprobe")
    self.preset = preset
    self.quality = quality
    // Finding it out takes a while, for which the first source would wait.
    Thread.detachNewThread { _ = Confinement.level }
  }

  public struct NotInstalled: Error, CustomStringConvertible {
    public let program: String
    public var description: String { "\(program) is not installed; on Debian: apt-get install ffmpeg" }
  }

  static func find(_ program: String) throws -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders + ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"] {
      let path = folder + "/" + program
      if path.hasPrefix("/"), FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw NotInstalled(program: program)
  }

  /// Options in front of every source.
  static func input(_ source: URL, _ container: Container) -> [String] {
    let demuxer =
      switch container {
      // NB: an MP4 can name other files as its media ("data references"); these two switch that off.
      case .isoMedia: ["-f", "mov", "-enable_drefs", "0", "-use_absolute_path", "0"]
      case .matroska: ["-f", "matroska"]
      case .transportStream: ["-f", "mpegts"]
      }
    return ["-protocol_whitelist", "file"] + demuxer + ["-i", "file:" + source.path]
  }

  public func inspect(_ source: URL, as container: Container, in folder: URL) async throws -> SourceReport {
    let arguments =
      [
        "-v", "error", "-print_format", "json", "-show_streams", "-show_format", "-show_entries",
        "packet=stream_index,pts_time,dts_time,duration_time,flags",
      ] + Self.input(source, container)
    let look = ChildProcess(
      program: ffprobe, arguments: arguments, folder: folder, readable: [source], memoryBytes: 4 << 30,
      cpuSeconds: 60,
      fileBytes: 1 << 20, wallSeconds: 300)
    let result = try await look.run()
    let isEncrypted = { try Self.mentionsEncryption(source) }
    guard result.status == 0, let probe = try? JSONDecoder().decode(Probe.self, from: Data(result.output))
    else {
      try await look.requireFileAtFault(for: result, "The file could not be looked at", of: "ffprobe")
      throw try AppError(isEncrypted() ? .encrypted : .unreadable)
    }
    do {
      let file = container == .isoMedia ? try ISOFile(at: source) : nil
      let report = try probe.report(encrypted: file?.encryptedTracks ?? [])
      return try await completed(report, file, source, container, in: folder)
    } catch let error as AppError {
      throw try error.code == .unsupportedCodec && isEncrypted() ? AppError(.encrypted) : error
    }
  }

  /// With what ffprobe does not tell.
  private func completed(
    _ report: SourceReport, _ file: ISOFile?, _ source: URL, _ container: Container, in folder: URL
  ) async throws -> SourceReport {
    var report = report
    report.provenance = try Provenance(of: source)
    let seconds = report.end - min(report.start, report.fileStart)
    if let file, file.hasFragments {
      let presence = file.presence(of: seconds)
      (report.presence, report.isCutOff) = (presence ?? 0, presence == nil)
    } else if let file, file.isWhole(of: seconds) {
      report.presence = 1
    }
    if let shown = try await shownFrames(of: source, as: container, report, in: folder),
      shown > 0, shown < report.shownFrames
    {
      report.shownFrames = shown
      report.video.averageRate = min(report.video.averageRate, Double(shown) / max(report.duration, 0.001))
    }
    return report
  }

  /// How many of its packets are to be seen; nil where all are, or nobody can tell.
  private func shownFrames(
    of source: URL, as container: Container, _ report: SourceReport, in folder: URL
  ) async throws -> Int? {
    guard ShownFrames.codecs.contains(report.video.codec) else { return nil }
    let frames = folder.appendingPathComponent("frames.ivf")
    defer { try? FileManager.default.removeItem(at: frames) }
    let size = FileStatus(of: source.path).map { UInt64(clamping: $0.size) } ?? 0
    // The same bytes once more, and twelve in front of each frame.
    let result = try await ChildProcess(
      program: ffmpeg,
      arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + Self.input(source, container)
        + ["-map", "0:\(report.video.index)", "-c", "copy", "-copyinkf", "-f", "ivf", "file:" + frames.path],
      folder: folder, readable: [source], memoryBytes: 2 << 30, cpuSeconds: 60,
      fileBytes: size + (64 << 20), wallSeconds: 300
    ).run()
    guard result.status == 0 else {
      if result.wasCutOff { throw result.failure("The frames could not be counted") }
      return nil
    }
    return try ShownFrames.count(inIVF: frames, codec: report.video.codec)
  }

  /// Whether the file names a protection scheme. Asked only after reading it has failed anyway.
  private static func mentionsEncryption(_ source: URL) throws -> Bool {
    let data = try Data(contentsOf: source, options: .mappedIfSafe)
    return ["pssh", "encv", "sinf"].contains { data.range(of: Data($0.utf8)) != nil }
  }

  public func encode(
    _ source: URL, as container: Container, _ report: SourceReport, to ladder: Ladder, in folder: URL,
    storyboard: StoryboardPlan?, isAwaited: Bool, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> Encoded {
    let plan = EncodeArguments(
      report: report, ladder: ladder, storyboard: storyboard.map { StoryboardOutputs($0, in: folder) },
      preset: preset, quality: quality, isAwaited: isAwaited, folder: folder)
    let arguments =
      ["-hide_banner", "-nostdin", "-v", "error", "-y", "-max_error_rate", "1", "-progress", "pipe:1"]
      + ["-stats_period", "0.5", "-max_pixels", "\(Limits.framePixels)"]
      + plan.inputOptions + Self.input(source, container)
      + plan.arguments
    let microseconds = ladder.duration * 1_000_000
    let budget = ConversionBudget(ladder, of: report, isAwaited: isAwaited)
    let conversion = ChildProcess(
      program: ffmpeg, arguments: arguments, folder: folder, readable: [source],
      cpuSeconds: budget.cpuSeconds, wallSeconds: budget.wallSeconds,
      niceness: isAwaited ? Confinement.usualNiceness : Confinement.patientNiceness)
    let result = try await conversion.run { line in
      guard line.hasPrefix("out_time_us="), let done = Double(line.dropFirst(12)) else { return }
      progress(min(max(done / microseconds, 0), 1))
    }
    let decoded = FrameLog(at: folder.appendingPathComponent(plan.frameLog))
    guard result.status == 0 else {
      // NB: what is cut off leaves an empty log, however many frames it has decoded.
      if decoded.frames == 0 {
        try await conversion.requireFileAtFault(for: result, "The video could not be converted")
        throw AppError(.damaged, "No frame of the video can be decoded.")
      }
      throw result.failure("The video could not be converted")
    }
    return Encoded(
      files: plan.files, poster: try plan.poster.read(result),
      storyboard: try plan.storyboard.map { try $0.read(result) }, decodedFrames: decoded.frames,
      lastFrameAt: decoded.lastFrameAt)
  }

  /// Runs ffmpeg with arguments of our own (demo sources, checks); nothing of a person's input may be in
  /// them.
  public func run(_ arguments: [String], in folder: URL, wallSeconds: Double = 300) async throws {
    let result = try await ChildProcess(
      program: ffmpeg, arguments: ["-hide_banner", "-nostdin", "-v", "error", "-y"] + arguments,
      folder: folder,
      wallSeconds: wallSeconds
    ).run()
    guard result.status == 0 else {
      throw result.failure("A run of our own failed")
    }
  }

  /// What a program that reads a stranger's file is kept from on this machine, for people.
  public static var confinement: String { Confinement.level.description }

  /// Whether such a program sees nothing but its job. Finding it out takes a moment, once.
  public static var isConfined: Bool { Confinement.level == .folder }

  /// The encoders and filters that are missing from this ffmpeg, and its version.
  public func check(in folder: URL) async throws -> (version: String, missing: [String]) {
    let version = try await ChildProcess(
      program: ffmpeg, arguments: ["-version"], folder: folder, wallSeconds: 20
    ).run()
    let encoders = try await ChildProcess(
      program: ffmpeg, arguments: ["-hide_banner", "-encoders"], folder: folder, wallSeconds: 20
    ).run()
    let filters = try await ChildProcess(
      program: ffmpeg, arguments: ["-hide_banner", "-filters"], folder: folder, wallSeconds: 20
    ).run()
    let list = String(decoding: encoders.output + filters.output, as: UTF8.self)
    let line =
      String(decoding: version.output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    return (line, ["libx264", "aac", "zscale", "ebur128"].filter { !list.contains(" \($0) ") })
  }
}
