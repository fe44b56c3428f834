internal import Accounts
internal import ArgumentParser
internal import Composition
internal import Contract
internal import Exports
internal import FFmpeg
internal import Foundation
internal import Options
internal import Platform

extension AccountsCommand {
  struct Take: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Takes an archive that somebody exported, here or elsewhere, into their account.",
      discussion: """
        The archive is looked at whole before anything of it is taken: every size, every checksum, every path. Clips are \
        converted as uploads are, and waited for; then come captions, likes, bookmarks and comments. Once more of the same \
        changes nothing, so an import that was cut off is begun again. What cannot be taken is said at the end. Exit status 1: \
        the archive was not taken.
        """)

    @Argument(help: "The archive, a tar file.")
    var archive: String
    @Argument(help: "The handle of the account that takes it, with or without @.")
    var handle: String
    @OptionGroup var options: DataOptions
    @Option(help: "How many videos are converted at the same time; 0 leaves that to a running server.")
    var workers = 1
    @OptionGroup var sandbox: SandboxOptions

    func validate() throws {
      guard (0...16).contains(workers) else { throw ValidationError("--workers must be 0 to 16.") }
    }

    func run() async throws {
      let tools = try FFmpegTools()
      if workers > 0 { try sandbox.check() }
      let instance = try await options.open()
      let (url, name, count) = (URL(fileURLWithPath: archive), handle, workers)
      let report: ArchiveImport.Report
      do {
        report = try await untilSignal {
          try await withWorkers(count, instance, tools) { try await instance.takeArchive(url, into: name) }
        }
      } catch let failure as ArchiveFailure {
        Console.complain("clipfeed: \(Console.printable("\(failure)", scalars: 1000))")
        throw ExitCode(1)
      }
      SecurityLog.note("archive-import", account: try await instance.accounts().account(handle: name).id)
      for (kind, number) in report.taken.sorted(by: { $0.key < $1.key }) { Console.say("\(number)  \(kind)") }
      if !report.left.isEmpty { Console.say("not taken:") }
      for line in report.left { Console.say("  \(Console.printable(line, scalars: 1000))") }
    }
  }
}
