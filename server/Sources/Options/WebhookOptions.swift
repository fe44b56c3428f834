public import ArgumentParser
public import Composition
internal import Configured
internal import Platform
internal import WebhookClient
internal import Webhooks

/// Whether accounts may have webhooks, and where they may go.
public struct WebhookOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.accountWebhooks)) var accountWebhooks: String?
  @Option(help: ArgumentHelp(.webhookAddresses)) var webhookAddresses: String?

  public init() {}

  public mutating func validate() throws {
    accountWebhooks = try settled(.accountWebhooks, accountWebhooks)
    webhookAddresses = try settled(.webhookAddresses, webhookAddresses)
    for word in words where NetworkAddress(word) == nil {
      throw ValidationError("\(Setting.webhookAddresses.places): \(word) is no address like 10.0.0.5.")
    }
  }

  private var words: [String] { (webhookAddresses ?? "").split(separator: " ").map(String.init) }

  /// `origin`: by which people reach this server; nil: messages name no addresses.
  public func apply(to instance: Instance, origin: String?) {
    instance.webhookSetup.send(
      by: WebhookSender(allowing: words.compactMap { NetworkAddress($0) }),
      forAccounts: accountWebhooks == "on", origin: origin)
  }
}
