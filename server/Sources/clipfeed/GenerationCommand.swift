internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Generation
internal import Options
internal import Platform

struct GenerationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generation",
    abstract:
      "Shows which clips are being made from words and what was spent, stops or repeats them, has rules for prompts.",
    subcommands: [
      ListGenerations.self, GenerationSpending.self, RetryGenerations.self, StopGenerations.self,
      PromptRulesCommand.self, RefusedPrompts.self,
    ], defaultSubcommand: ListGenerations.self)
}

struct ListGenerations: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "Lists those that are under way or failed: id, time, state, account, credits, provider, and why.")

  @OptionGroup var options: DataOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let rows = try await options.open().generations().overview(limits.limit)
    if rows.isEmpty { Console.say("No clip is being made from words, and none has failed.") }
    for row in rows {
      let how = row.state.isOver ? row.state.rawValue : "\(row.state.rawValue) \(row.permille / 10) %"
      let why = row.failureCode.map { "\($0), try \(row.attempts): \(row.failureDetail ?? "")" } ?? ""
      Console.say(
        "\(row.id)  \(row.createdAt.formatted(.iso8601))  \(how)  \(row.account ?? "-")  \(row.price)  "
          + "\(row.provider ?? "-")  \(Console.printable(why))")
    }
  }
}

struct GenerationSpending: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spending", abstract: "Shows the credits that were spent: day, account, credits, clips.")

  @OptionGroup var options: DataOptions
  @Option(help: "Of how many days, with today.")
  var days = 30

  func validate() throws {
    guard (1...3660).contains(days) else { throw ValidationError("--days must be 1 to 3660.") }
  }

  func run() async throws {
    let rows = try await options.open().generations().spending(days: days)
    if rows.isEmpty { Console.say("Nothing was spent.") }
    for row in rows {
      let day = row.day.formatted(.iso8601.year().month().day())
      Console.say("\(day)  \(row.account ?? "accounts that are gone")  \(row.credits)  \(row.generations)")
    }
  }
}

struct RetryGenerations: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Has failed ones made after all; it costs those who asked for them nothing.")

  @Argument(help: "The ids, as `clipfeed generation` shows them.")
  var ids: [String]
  @OptionGroup var options: DataOptions

  func run() async throws {
    let generations = try await options.open().generations()
    var isComplete = true
    for id in ids {
      do {
        try await generations.retry(id)
        Console.say("waits  \(id)")
      } catch let error as AppError where error.code == .generationNotFound {
        isComplete = false
        Console.say("left   \(id)  no such one has failed")
      }
    }
    if !isComplete { throw ExitCode(1) }
  }
}

struct StopGenerations: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract:
      "Cancels all that are under way and gives the credits back; a running server tells the providers.")

  @Flag(help: "Yes, all of them.")
  var all = false
  @OptionGroup var options: DataOptions

  func validate() throws {
    guard all else { throw ValidationError("This cancels what everybody is having made: say --all.") }
  }

  func run() async throws {
    let count = try await options.open().generations().stopAll()
    Console.say("cancelled  \(count)")
  }
}
