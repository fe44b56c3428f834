internal import ArgumentParser
internal import Composition
internal import Contract
internal import FFmpeg
internal import ForeignStreams
internal import Foundation
internal import Options
internal import Platform
internal import Synchronization
internal import Transcoding
internal import Videos

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Takes videos in: files, folders with all that is in them, and streams that others serve.",
    discussion: """
      An address is an HLS playlist (.m3u8), or a list of them: {"videos": ["https://…/master.m3u8", …]}. What it names may lie
      on the address's own host, and on those that --allow-host adds. Each stream must have an end and no encryption, and last
      as long as a clip at most. Exit status 1: something was not taken; the last lines say what, and why.
      """)

  @Argument(help: "Files, folders, and addresses that begin with https://.")
  var paths: [String]
  @OptionGroup var options: DataOptions
  @Option(help: "The handle of the author.")
  var author = "me"
  @Option(help: "The caption; without it, each file's name becomes its caption, or what a list says.")
  var caption: String?
  @Option(help: "How many videos are converted at the same time; 0 leaves that to a running server.")
  var workers = 1
  @OptionGroup var foreign: ForeignOptions
  @OptionGroup var captioner: CaptionerOptions
  @OptionGroup var sandbox: SandboxOptions

  func validate() throws {
    guard Caption.isHandle(author) else {
      throw ValidationError("--author must be 1 to 30 lower-case letters, digits, dots or underscores.")
    }
    guard (0...16).contains(workers) else { throw ValidationError("--workers must be 0 to 16.") }
    _ = try foreign.addresses(among: paths)
  }

  func run() async throws {
    let tools = try FFmpegTools()
    if workers > 0 { try sandbox.check() }
    let instance = try await options.open(captioner: workers > 0 ? captioner.make(tools) : nil)
    let summary = try await untilSignal {
      try await withWorkers(workers, instance, tools) { try await takeAll(instance, tools) }
    }
    Console.say(
      "imported \(summary.imported), already there \(summary.known), refused \(summary.refused.count)")
    for refusal in summary.refused { Console.say("  refused  \(refusal)") }
    if !summary.refused.isEmpty { throw ExitCode(1) }
  }

  struct Summary: Sendable {
    var imported = 0
    var known = 0
    var refused: [String] = []
  }

  /// Where a video comes from.
  enum Source: Sendable {
    case file(URL)
    case stream(ForeignStreams.Stream)

    var name: String {
      switch self {
      case .file(let url): Console.printable(url.lastPathComponent)
      case .stream(let stream): Console.printable(stream.name)
      }
    }
  }

  private func takeAll(_ instance: Instance, _ tools: FFmpegTools) async throws -> Summary {
    var summary = Summary()
    let streams = ForeignStreams(reach: try foreign.reach(to: paths))
    var sources: [Source] = []
    for path in paths {
      guard let address = try foreign.addresses(among: [path]).first else {
        sources += SourceFiles.find(path).map(Source.file)
        continue
      }
      do {
        let found = try await streams.streams(at: address, first: foreign.first)
        Console.say("\(Console.printable(path)): \(found.count) \(found.count == 1 ? "stream" : "streams")")
        sources += found.map(Source.stream)
      } catch let failure as StreamFailure {
        summary.refused.append(
          "\(Console.printable(path)): \(Console.printable("\(failure)", scalars: 1000))")
      }
    }
    let home = Home(instance: instance, tools: tools, streams: streams)
    // As many at a time as there are workers: the copies of sources never pile up.
    try await withThrowingTaskGroup(of: (String, Result).self) { group in
      for (number, source) in sources.enumerated() {
        if number >= max(1, workers), let ended = try await group.next() { summary.add(ended) }
        let counter = "\(number + 1)".padded(to: "\(sources.count)".count) + "/\(sources.count)"
        let line = ProgressLine("\(counter)  \(source.name)")
        group.addTask { (source.name, try await take(source, home, line)) }
      }
      while let ended = try await group.next() { summary.add(ended) }
    }
    return summary
  }

  enum Result: Sendable {
    case imported
    case known
    case refused(String)
  }

  /// Where everything goes.
  private struct Home: Sendable {
    let instance: Instance
    let tools: FFmpegTools
    let streams: ForeignStreams
  }

  private func take(_ source: Source, _ home: Home, _ line: ProgressLine) async throws -> Result {
    var line = line
    let began = ContinuousClock.now
    let instance = home.instance
    func refused(_ reason: String) -> Result {
      line.end("refused: \(reason)")
      return .refused("\(source.name): \(reason)")
    }
    do {
      guard case .accepted(let clipID) = try await takeIn(source, home, &line) else {
        line.end("already there")
        return .known
      }
      let job = try await instance.queue.waitForTranscode(of: clipID) {
        line.show($0)
      }
      guard job.state == .done else {
        let failure = job.failure ?? AppError(.transcodingFailed)
        guard try await instance.clips.playback(of: clipID) == nil else {
          line.end("imported, but not in every rendition: \(failure)")
          return .imported
        }
        throw failure
      }
      line.end("imported in \((ContinuousClock.now - began).inSeconds)")
      return .imported
    } catch let error as AppError {
      return refused("\(error.code.rawValue): \(error.message)")
    } catch let failure as StreamFailure {
      return refused(Console.printable("\(failure)", scalars: 1000))
    }
  }

  private func takeIn(
    _ source: Source, _ home: Home, _ line: inout ProgressLine
  ) async throws -> ClipImporter.Outcome {
    let intake = home.instance.intake
    switch source {
    case .file(let file):
      line.show("reading")
      return try await intake.take(
        fileAt: file, caption: caption.map(Caption.clean), authorHandle: author, authorName: author)
    case .stream(let stream):
      let folder = home.instance.workFolder.appendingPathComponent(
        "import-\(UInt64.random(in: 0...UInt64.max))")
      try PrivateFolder.make(folder)
      defer { try? FileManager.default.removeItem(at: folder) }
      line.show("fetching")
      let prefix = line.prefix
      let shown = SharedLine(line)
      let fetched = try await home.streams.fetch(stream, into: folder) { shown.show(part: $0) }
      line = ProgressLine(prefix)
      var file = fetched.file
      if let sound = fetched.sound {
        file = folder.appendingPathComponent("joined")
        try await home.tools.join(
          fetched.file, as: fetched.container, withSound: sound.file, as: sound.container, to: file,
          in: folder)
      }
      return try await intake.take(
        fileAt: file,
        caption: Caption.clean(caption ?? stream.caption ?? Caption.derived(from: stream.fileName)),
        authorHandle: author, authorName: author)
    }
  }
}

/// A line that is shown while something is fetched, from wherever that runs.
private final class SharedLine: Sendable {
  private let line: Mutex<ProgressLine>

  init(_ line: ProgressLine) { self.line = Mutex(line) }

  /// `part`: 0…1. By quarters, as everything else.
  func show(part: Double) {
    let quarters = Int(clamping: (part * 4).rounded(.towardZero), to: 0...4)
    line.withLock { $0.show("fetching \(quarters * 25) %") }
  }
}

extension Import.Summary {
  mutating func add(_ ended: (name: String, result: Import.Result)) {
    switch ended.result {
    case .imported: imported += 1
    case .known: known += 1
    case .refused(let reason): refused.append(reason)
    }
  }
}

/// The files that a path stands for.
enum SourceFiles {
  /// Deeper than any person's folders, shallow enough for the stack.
  private static let deepest = 64

  /// A file is itself; a folder is everything in it, sorted, without hidden names. Links to folders inside
  /// are not followed, so that loops are harmless.
  static func find(_ path: String) -> [URL] {
    var isFolder: ObjCBool = false
    let url = URL(fileURLWithPath: path)
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [url]
    }
    return list(url, depth: 0)
  }

  private static func list(_ folder: URL, depth: Int) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name -> [URL] in
      let url = folder.appendingPathComponent(name)
      switch FileStatus(of: url.path, followingLinks: false)?.kind {
      case .folder: return depth < deepest ? list(url, depth: depth + 1) : []
      case .link where FileStatus(of: url.path)?.kind == .folder: return []
      default: return [url]
      }
    }
  }
}
