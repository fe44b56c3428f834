internal import Accounts
internal import ArgumentParser
internal import Configured
internal import Foundation
internal import Logging
internal import MailProgram
internal import ServiceLifecycle

/// By which program people are written to.
struct MailOptions: ParsableArguments {
  @Option(name: .customLong("mail-command"), help: ArgumentHelp(.mailCommand)) var command: String?
  @Option(name: .customLong("mail-from"), help: ArgumentHelp(.mailFrom)) var from: String?

  /// Nil: nobody is written to.
  var words: [String]? { command.flatMap(CommandLineWords.split) }

  mutating func validate() throws {
    command = try settled(.mailCommand, command)
    from = try settled(.mailFrom, from)
    guard let command else { return }
    guard CommandLineWords.split(command)?.isEmpty == false else {
      throw ValidationError("\(Setting.mailCommand.places) has a quotation mark that does not end.")
    }
    guard let from, from.contains("@"), from.unicodeScalars.allSatisfy({ (0x20..<0x7F).contains($0.value) })
    else {
      throw ValidationError(
        "\(Setting.mailCommand.places) needs \(Setting.mailFrom.places), an e-mail address.")
    }
  }

  /// Nil: nobody is written to. Throws if the program is not there.
  func make() throws -> MailProgram? {
    guard let words, let from else { return nil }
    return try MailProgram(command: words, from: from)
  }
}

/// Writes to people, and forgets sessions that nobody came back to, as long as the process runs.
struct AccountUpkeep: Service {
  static let interval = Duration.seconds(3600)
  /// Between two looks for messages that another process left, or that were not taken.
  static let mailInterval = Duration.seconds(60)

  let accounts: Accounts

  func run() async throws {
    let logger = Logger(label: "clipfeed.accounts")
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await accounts.runErrands { logger.warning("a message was not sent", metadata: ["error": "\($0)"]) }
        }
        group.addTask {
          await repeatedly(every: Self.mailInterval, "a notice was not sent", logger) {
            try await accounts.sendNotices()
          }
        }
        group.addTask {
          await repeatedly(every: Self.interval, "sessions cannot be swept now", logger) {
            try await accounts.sweep()
          }
        }
        group.addTask {
          await repeatedly(every: Self.interval, "a provider was not told of a farewell", logger) {
            try await accounts.sayFarewells()
          }
        }
      }
    }
  }

  private func repeatedly(
    every interval: Duration, _ failure: Logger.Message, _ logger: Logger, _ work: () async throws -> Void
  ) async {
    while !Task.isCancelled {
      do {
        try await work()
      } catch {
        logger.warning(failure, metadata: ["error": "\(error)"])
      }
      try? await Task.sleep(for: interval)
    }
  }
}
