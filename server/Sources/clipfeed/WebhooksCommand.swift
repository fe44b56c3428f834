internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Webhooks

struct WebhooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhooks",
    abstract: "Shows, adds and removes the addresses that hear of what happens to everybody.",
    subcommands: [ListWebhooks.self, AddWebhook.self, RemoveWebhook.self, TestWebhook.self],
    defaultSubcommand: ListWebhooks.self)
}

struct ListWebhooks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists your addresses: id, state, address, events, and what became of the last messages.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let store = try await options.open().webhooks()
    let items = try await store.list(of: nil).items
    if items.isEmpty { Console.say("No address of yours hears of anything.") }
    for item in items {
      let state = item.enabled ? "on" : item.problem.map { "off, \($0.rawValue)" } ?? "off"
      let events = item.events.map(\.rawValue).joined(separator: " ")
      Console.say("\(item.id)  \(state)  \(Console.printable(item.address))  \(events)")
      for delivery in try await store.deliveries(to: item.id, of: nil).items.prefix(3) {
        let answer = delivery.status.map { "status \($0)" } ?? delivery.problem?.rawValue ?? "-"
        Console.say(
          "    \(delivery.createdAt.formatted(.iso8601))  \(delivery.event)  \(delivery.state.rawValue)  "
            + "\(delivery.tries)  \(answer)")
      }
    }
  }
}

struct AddWebhook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Has an address hear of what happens, and prints its secret, which is printed once.")

  @Argument(help: "An address of https on the open network, or one that webhook-addresses allows.")
  var address: String
  @Option(help: "What it hears of, with commas between. Without it: everything.")
  var events: String?
  @OptionGroup var options: DataOptions
  @OptionGroup var webhooks: WebhookOptions

  func validate() throws {
    guard let events else { return }
    for word in events.split(separator: ",") where WebhookEvent(rawValue: String(word)) == nil {
      let known = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(word) is no event; there are \(known).")
    }
  }

  func run() async throws {
    let instance = try await options.open()
    webhooks.apply(to: instance, origin: nil)
    let chosen =
      events.map { $0.split(separator: ",").compactMap { WebhookEvent(rawValue: String($0)) } } ?? []
    let new = NewWebhook(address: address, events: chosen.isEmpty ? WebhookEvent.allCases : chosen)
    let made = try await instance.webhooks().add(new, by: nil)
    Console.say("\(made.webhook.id)  \(made.secret)")
  }
}

struct RemoveWebhook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes an address of yours with all that waits for it.")

  @Argument(help: "The id, as `clipfeed webhooks` shows it.")
  var id: String
  @OptionGroup var options: DataOptions

  func run() async throws {
    try await options.open().webhooks().remove(id, by: nil)
    Console.say("removed  \(id)")
  }
}

struct TestWebhook: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Has a running server send an address of yours a message of no meaning.")

  @Argument(help: "The id, as `clipfeed webhooks` shows it.")
  var id: String
  @OptionGroup var options: DataOptions

  func run() async throws {
    _ = try await options.open().webhooks().test(id, by: nil)
    Console.say("waits  \(id)")
  }
}
