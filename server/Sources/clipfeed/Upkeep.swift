internal import ArgumentParser
internal import FFmpeg
internal import Foundation
internal import LocalBlobs
internal import Platform
internal import SQLite

struct Work: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts videos for the servers on the same data.")

  @OptionGroup var options: DataOptions
  @Option(help: "How many videos are converted at the same time.")
  var workers = 1

  func run() async throws {
    let instance = try await Instance.open(options.data)
    let tools = try FFmpegTools()
    Console.say("Clipfeed works on \(instance.folder.path)")
    do {
      try await untilSignal {
        try await withWorkers(workers, instance, tools) {
          while true { try await Task.sleep(for: .seconds(3600)) }
        }
      }
    } catch is CancellationError {
      Console.say("Clipfeed has stopped.")
    }
  }
}

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Brings the database to the newest schema.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let applied = try await Instance.open(options.data, migrating: false).migrate()
    Console.say(applied.isEmpty ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", "))")
  }
}

struct Jobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Lists the jobs that wait, run, or have failed.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let jobs = try await Instance.open(options.data).queue.open()
    if jobs.isEmpty { Console.say("No job waits, runs or has failed.") }
    for job in jobs {
      let about: String =
        switch job.state {
        case .running: "\(job.step) \(job.progressPermille / 10) %"
        case .failed: "\(job.failureCode ?? "?"): \(job.failureDetail ?? "")"
        case .queued where job.failureCode != nil:
          "again after \(job.failureCode ?? ""), attempt \(job.attempts)"
        default: ""
        }
      Console.say("\(job.state.rawValue)  \(job.kind)  \(job.key)  \(about)")
    }
  }
}

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Checks what this machine needs to run Clipfeed.")

  @OptionGroup var options: DataOptions
  @Option(help: "The folder of the web client.")
  var web = "../web"

  func run() async throws {
    var isHealthy = true
    func check(_ what: String, _ remedy: String, _ look: () async throws -> String) async {
      do {
        Console.say("ok    \(what): \(try await look())")
      } catch {
        isHealthy = false
        Console.say("FAIL  \(what): \(error)\n      \(remedy)")
      }
    }
    await check("ffmpeg", "Install it: apt-get install ffmpeg") {
      let (version, missing) = try await FFmpegTools().check(in: FileManager.default.temporaryDirectory)
      guard missing.isEmpty else { throw Fault("it lacks \(missing.joined(separator: ", "))") }
      return version
    }
    await check("confinement of ffmpeg", "Run in a container or under a kernel that allows namespaces.") {
      FFmpegTools.confinement
    }
    await check("data folder and SQLite", "Choose a folder that can be written: --data FOLDER") {
      let instance = try await Instance.open(options.data)
      try await instance.media.checkWritable()
      return "\(instance.folder.path), SQLite \(try await instance.database.version())"
    }
    await check("web client", "Start from the repository, or say where it is: --web FOLDER") {
      let page = URL(fileURLWithPath: web).appendingPathComponent("index.html").path
      guard FileManager.default.isReadableFile(atPath: page) else { throw Fault("\(page) is not there") }
      return web
    }
    await check("core.wasm", "Build it: make wasm") {
      let file = URL(fileURLWithPath: web).appendingPathComponent("core.wasm").path
      guard let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int else {
        throw Fault("\(file) is not there")
      }
      return "\(size) bytes"
    }
    if !isHealthy { throw ExitCode(1) }
  }

  private struct Fault: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
