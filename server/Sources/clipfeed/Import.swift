internal import ArgumentParser
internal import Contract
internal import FFmpeg
internal import Foundation
internal import Platform
internal import Videos

struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Takes videos in: files, and folders with all that is in them.")

  @Argument(help: "Files and folders.")
  var paths: [String]
  @OptionGroup var options: DataOptions
  @Option(help: "The handle of the author.")
  var author = "me"
  @Option(help: "The caption; without it, each file's name becomes its caption.")
  var caption: String?
  @Option(help: "How many videos are converted at the same time; 0 leaves that to a running server.")
  var workers = 1
  @OptionGroup var captioner: CaptionerOptions
  @OptionGroup var sandbox: SandboxOptions

  func validate() throws {
    guard Caption.isHandle(author) else {
      throw ValidationError("--author must be 1 to 30 lower-case letters, digits, dots or underscores.")
    }
    guard (0...16).contains(workers) else { throw ValidationError("--workers must be 0 to 16.") }
  }

  func run() async throws {
    let tools = try FFmpegTools()
    if workers > 0 { try sandbox.check() }
    let instance = try await options.open(captioner: workers > 0 ? captioner.make(tools) : nil)
    let files = paths.flatMap(SourceFiles.find)
    let summary = try await untilSignal {
      try await withWorkers(workers, instance, tools) { try await takeAll(files, instance) }
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

  private func takeAll(_ files: [URL], _ instance: Instance) async throws -> Summary {
    var summary = Summary()
    // As many at a time as there are workers: the copies of sources never pile up.
    try await withThrowingTaskGroup(of: (String, Result).self) { group in
      for (number, file) in files.enumerated() {
        if number >= max(1, workers), let ended = try await group.next() { summary.add(ended) }
        let counter = "\(number + 1)".padded(to: "\(files.count)".count) + "/\(files.count)"
        let name = Console.printable(file.lastPathComponent)
        group.addTask { (name, try await take(file, instance, ProgressLine("\(counter)  \(name)"))) }
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

  private func take(_ file: URL, _ instance: Instance, _ line: ProgressLine) async throws -> Result {
    var line = line
    let began = ContinuousClock.now
    do {
      line.show("reading")
      let outcome = try await instance.intake.take(
        fileAt: file, caption: caption.map(Caption.clean), authorHandle: author, authorName: author)
      guard case .accepted(let clipID) = outcome else {
        line.end("already there")
        return .known
      }
      let job = try await instance.waitForJob(of: clipID) {
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
      line.end("refused: \(error.code.rawValue): \(error.message)")
      return .refused(
        "\(Console.printable(file.lastPathComponent)): \(error.code.rawValue): \(error.message)")
    }
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

  /// A file is itself; a folder is everything in it, sorted, without hidden names. Links to folders inside are not
  /// followed, so that loops are harmless.
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
