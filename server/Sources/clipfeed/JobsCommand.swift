internal import ArgumentParser
internal import Composition
internal import Contract
internal import Options
internal import Platform
internal import Transcoding

struct JobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs",
    abstract: "Shows the jobs that wait, run, or have failed, and has failed ones done again.",
    subcommands: [ListJobs.self, RetryJobs.self], defaultSubcommand: ListJobs.self)
}

struct ListJobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the jobs that wait, run, or have failed: state, kind, clip, and why.")

  /// Jobs of a kind that wait for nothing but their turn.
  private static let named = 100

  @OptionGroup var options: DataOptions

  func run() async throws {
    let jobs = try await options.open().queue.open()
    if jobs.isEmpty { Console.say("No job waits, runs or has failed.") }
    // After an update each clip may wait for something: of a kind of which very many do, some are named.
    var waiting: [String: Int] = [:]
    for job in jobs {
      if job.state == .queued, job.failureCode == nil {
        waiting[job.kind, default: 0] += 1
        if waiting[job.kind, default: 0] > Self.named { continue }
      }
      let about: String =
        switch job.state {
        case .running: ProcessingReport(job).line
        case .failed: "\(job.failureCode ?? "?"): \(job.failureDetail ?? "")"
        case .queued where job.failureCode != nil:
          // What passes by itself is no attempt.
          "again after \(job.failureCode ?? "")\(job.attempts > 0 ? ", attempt \(job.attempts)" : "")"
        default: ""
        }
      Console.say("\(job.state.rawValue)  \(job.kind)  \(job.key)  \(about)")
    }
    for (kind, count) in waiting.sorted(by: { $0.key < $1.key }) where count > Self.named {
      Console.say("queued  \(kind)  and \(count - Self.named) more")
    }
  }
}

struct RetryJobs: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Has failed jobs done again, from the sources that are kept for a week.")

  @Argument(help: "The clips, as `clipfeed jobs` shows them.")
  var clips: [String] = []
  @Flag(help: "All that failed.")
  var all = false
  @OptionGroup var options: DataOptions

  func validate() throws {
    guard all == clips.isEmpty else { throw ValidationError("Name the clips, or say --all.") }
  }

  func run() async throws {
    let instance = try await options.open()
    let failed = Set(try await instance.queue.open().filter { $0.state == .failed }.map(\.key))
    var isComplete = true
    for clip in all ? failed.sorted() : clips {
      do {
        try await instance.failedJobs.tryAgain(clip)
        Console.say("queued  \(clip)")
      } catch let error as AppError where error.code == .jobNotFound {
        isComplete = false
        Console.say("left    \(clip)  \(error.message)")
      }
    }
    if !isComplete { throw ExitCode(1) }
  }
}
