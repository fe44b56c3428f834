internal import ArgumentParser
internal import Composition
internal import Foundation
internal import Generation
internal import Options
internal import Platform

struct PromptRulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Shows and changes the expressions of which nothing is made; servers go by them at once.",
    subcommands: [ListPromptRules.self, AddPromptRule.self, RemovePromptRules.self],
    defaultSubcommand: ListPromptRules.self)
}

struct ListPromptRules: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists them: id, time and expression.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let rules = try await options.open().generations().promptRules()
    if rules.isEmpty { Console.say("There are no rules.") }
    for rule in rules {
      let shown = Console.printable(rule.pattern, scalars: 200)
      Console.say("\(rule.id)  \(rule.createdAt.formatted(.iso8601))  \(shown)")
    }
  }
}

struct AddPromptRule: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds one, which is looked for anywhere in a prompt; case and accents make no difference.",
    discussion: """
      There are . [abc] [^a-z] \\b \\B \\d \\D \\s \\S \\w \\W ^ $ ( ) (?: ) | * + ? {2} {2,} {2,5}, and \\ before a \
      sign that stands for itself. ^ and $ are the ends of the whole prompt, whose lines are joined by blanks.
      """)

  @Argument(help: "The expression, in quotation marks of your shell; behind -- if it begins with a hyphen.")
  var pattern: String
  @OptionGroup var options: DataOptions

  func run() async throws {
    let rule = try await options.open().generations().addPromptRule(pattern)
    Console.say("added  \(rule.id)")
  }
}

struct RemovePromptRules: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Removes some.")

  @Argument(help: "The ids, as `clipfeed generation rules` shows them.")
  var ids: [String]
  @OptionGroup var options: DataOptions

  func run() async throws {
    let generations = try await options.open().generations()
    var isComplete = true
    for id in ids {
      if try await generations.removePromptRule(id) {
        Console.say("removed  \(id)")
      } else {
        isComplete = false
        Console.say("left     \(id)  there is no such rule")
      }
    }
    if !isComplete { throw ExitCode(1) }
  }
}

struct RefusedPrompts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refused",
    abstract: "Lists prompts of the last 30 days that were refused: time, account, kind, rule and prompt.")

  @OptionGroup var options: DataOptions
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let rows = try await options.open().generations().refusedPrompts(limits.limit)
    if rows.isEmpty { Console.say("No prompt was refused in the last 30 days.") }
    for row in rows {
      let rule = Console.printable(row.rule, scalars: 200)
      let prompt = Console.printable(row.prompt.replacing("\n", with: " / "), scalars: 200)
      Console.say("\(row.at.formatted(.iso8601))  \(row.account)  \(row.kind)  \(rule)  \(prompt)")
    }
  }
}
