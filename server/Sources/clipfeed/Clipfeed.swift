internal import ArgumentParser
internal import Contract
internal import FFmpeg
internal import Foundation
internal import Logging
internal import Platform

/// The command line. Each command opens an instance and wires what it needs; decisions live in the rooms.
@main
struct Clipfeed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clipfeed", abstract: "A short-video platform in one program.",
    subcommands: [
      Serve.self, Import.self, UploadCommand.self, DemoCommand.self, Work.self, Migrate.self,
      JobsCommand.self,
      CommentsCommand.self, CaptionsCommand.self,
      SweepCommand.self, VisibilityCommand.self, RotateKeysCommand.self, Doctor.self,
    ])

  static func main() async {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel =
        ProcessInfo.processInfo.environment["CLIPFEED_LOG"].flatMap { Logger.Level(rawValue: $0) } ?? .warning
      return handler
    }
    // A reader of our output that goes away must not end a server.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as AppError {
      Console.complain("clipfeed: \(error.message) (\(error.code.rawValue))")
      Foundation.exit(1)
    } catch is CancellationError {
      // Stopped by a signal, and everything was put in order.
      Foundation.exit(130)
    } catch {
      exit(withError: error)
    }
  }
}

/// What every command shares: which instance it is about.
struct DataOptions: ParsableArguments {
  @Option(
    help:
      "The folder that holds the database unless it is PostgreSQL, the media unless they are in a bucket, and work."
  )
  var data = "./var"
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var storage: StorageOptions

  func open(migrating: Bool = true, captioner: OperatorCaptioner? = nil) async throws -> Instance {
    try await Instance.open(
      data, storage: storage.storage, database: database.place, captioner: captioner, migrating: migrating)
  }
}
