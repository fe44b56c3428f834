internal import ArgumentParser
internal import Composition
internal import Configured
internal import Contract
internal import FFmpeg
internal import Foundation
internal import Logging
internal import Measuring
internal import Options
internal import Platform

/// The command line. Each command opens an instance and wires what it needs; decisions live in the rooms.
@main
struct Clipfeed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clipfeed", abstract: "A short-video platform in one program.",
    subcommands: [
      ServeOptions.self, Import.self, UploadCommand.self, DemoCommand.self, Work.self, Migrate.self,
      MoveCommand.self, JobsCommand.self,
      CommentsCommand.self, CaptionsCommand.self, GenerationCommand.self, AccountsCommand.self,
      RankingCommand.self,
      ModerationCommand.self, WebhooksCommand.self,
      SweepCommand.self, VisibilityCommand.self, RotateKeysCommand.self, CheckConfigCommand.self, Doctor.self,
    ])

  static func main() async {
    // A reader of our output that goes away must not end a server.
    signal(SIGPIPE, SIG_IGN)
    PrivateFolder.keepOthersOut()
    do {
      let configured = try await configuration()
      let level = try configured.find(.log).value.flatMap { Logger.Level(rawValue: $0) } ?? .warning
      let option = ConfigurationOptions.argument(.logFormat, in: CommandLine.arguments)
      let format =
        try configured.find(.logFormat, option: option).value.flatMap(LogLines.Format.init) ?? .text
      LoggingSystem.bootstrap { label in
        LogLines(
          label, format: format, level: label == SecurityLog.label ? min(level, SecurityLog.level) : level)
      }
      await Configured.$current.withValue(configured) { await run() }
    } catch {
      refuse(error)
    }
    end(EXIT_SUCCESS)
  }

  /// Ends the process as it stands. `exit` would first have libraries take themselves apart, OpenSSL its
  /// locks, while a connection's thread may still be closing: now and then a command that had done its work
  /// ended by a crash.
  private static func end(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
  }

  /// Ends the process, since the configuration is wrong.
  private static func refuse(_ error: any Error) -> Never {
    for line in "\(error)".split(separator: "\n") { Console.complain("clipfeed: \(line)") }
    end(EX_CONFIG)
  }

  private static func configuration() async throws -> Configured {
    let environment = ProcessInfo.processInfo.environment
    // What has a command of its own to find faults must not fail on them before.
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.first != CheckConfigCommand.configuration.commandName,
      let file = ConfigurationOptions.file(in: arguments, environment: environment)
    else { return Configured(environment: environment) }
    return try await .reading(file, environment: environment)
  }

  private static func run() async {
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as AppError {
      Console.complain("clipfeed: \(error.message) (\(error.code.rawValue))")
      end(EXIT_FAILURE)
    } catch let error as ConfigurationFile.Wrong {
      refuse(error)
    } catch is CancellationError {
      // Stopped by a signal, and everything was put in order.
      end(130)
    } catch {
      let code = exitCode(for: error)
      let message = fullMessage(for: error)
      // Help is an error of success: it was asked for.
      if !message.isEmpty { code.isSuccess ? Console.say(message) : Console.complain(message) }
      end(code.rawValue)
    }
  }
}
