internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Moderation
internal import Options
internal import Platform

struct ModerationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moderation", abstract: "Shows what is reported, and what moderators did about it.",
    discussion: "Cases are decided in the browser: make an account a moderator by `clipfeed accounts role`.",
    subcommands: [ListCases.self, ShowModerationLog.self])
}

struct ListCases: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cases",
    abstract: "Lists cases: id, when it was last reported, by how many, for what, and what it is.")

  @OptionGroup var options: DataOptions
  @Option(help: "open, appealed or closed.")
  var state = "open"
  @OptionGroup var limits: LimitOptions

  func validate() throws {
    guard ModerationCase.State(rawValue: state) != nil else {
      throw ValidationError("--state must be one of open, appealed, closed.")
    }
  }

  func run() async throws {
    let store = try await options.open().moderation()
    let page = try await store.cases(
      ModerationCase.State(rawValue: state) ?? .open, cursor: nil, limit: limits.limit)
    if page.items.isEmpty { Console.say("There are no cases that are \(state).") }
    for one in page.items {
      let reasons = one.reasons.map(\.reason.rawValue).joined(separator: ",")
      let text = one.text.replacing("\n", with: " / ")
      Console.say(
        "\(one.id)  \(one.reportedAt.formatted(.iso8601))  \(one.reporters)  \(reasons)  \(one.kind.rawValue) \(one.subjectId)  \(Console.printable(text))"
      )
    }
  }
}

struct ShowModerationLog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Shows what moderators did, oldest first, and whether the log was changed.",
    discussion: """
      Each entry holds the hash of the one before. The last line says how many entries hold, and the last hash: kept somewhere \
      else, it shows later that none was cut off. The exit status is 1 where the log does not hold.
      """)

  @OptionGroup var options: DataOptions

  func run() async throws {
    let database = try await options.open().database
    var last: ModerationLog.Entry?
    do {
      try await ModerationLog.verify(in: database) { entry in
        let at = Date(timeIntervalSince1970: Double(entry.atMs) / 1000).formatted(.iso8601)
        Console.say(
          "\(entry.number)  \(at)  \(entry.event)  \(entry.caseID)  by \(entry.actor ?? "nobody that is known")  \(Console.printable(entry.detail))"
        )
        last = entry
      }
    } catch let error as ModerationLog.Broken {
      Console.say("The log was changed: entry \(error.number) does not follow from the one before.")
      throw ExitCode.failure
    }
    guard let last else {
      Console.say("Nobody has decided anything yet.")
      return
    }
    Console.say("\(last.number) entries hold; the last hash is \(last.hash).")
  }
}
