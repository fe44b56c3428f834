internal import ArgumentParser
internal import Comments
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Platform

struct CommentsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comments", abstract: "Shows what people wrote, and removes what should not stay.",
    subcommands: [ListComments.self, RemoveComments.self])
}

struct ListComments: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the newest comments: id, clip, time and text.")

  @OptionGroup var options: DataOptions
  @Option(help: "Only those of the clip with this id.")
  var clip: String?
  @OptionGroup var limits: LimitOptions

  func run() async throws {
    let rows = try await options.open().comments(.open).newest(limits.limit, on: clip)
    if rows.isEmpty { Console.say("There are no comments.") }
    for comment in rows {
      let text = comment.text.replacing("\n", with: " / ")
      Console.say(
        "\(comment.id)  \(comment.clipID)  \(comment.createdAt.formatted(.iso8601))  \(Console.printable(text))"
      )
    }
  }
}

struct RemoveComments: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes comments for good; a running server shows them no longer.")

  @Argument(help: "The ids, as `clipfeed comments list` shows them.")
  var ids: [String]
  @OptionGroup var options: DataOptions

  func run() async throws {
    let comments = try await options.open().comments(.open)
    for id in ids {
      try await comments.remove(id)
      Console.say("removed  \(id)")
    }
  }
}
