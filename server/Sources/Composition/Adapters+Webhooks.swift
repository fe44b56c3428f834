internal import Contract
internal import Devices
internal import Logging
internal import Measuring
internal import Notifications
internal import Platform
internal import Webhooks

/// Whoever an endpoint is of hears that it was switched off; of the operator's the log and a metric say so.
extension NewsEverywhere: WebhookTelling {
  func switchedOff(
    _ webhook: String, of account: String?, because problem: WebhookProblem, in transaction: any Transaction
  ) throws {
    guard let account else {
      transaction.afterCommit("webhook \(webhook) is off") {
        Logger(label: "clipfeed.webhooks").warning(
          "a webhook of the operator's was switched off",
          metadata: ["webhook": "\(webhook)", "problem": "\(problem.rawValue)"])
      }
      return
    }
    if try notifications.note(.switchedOff(webhook: webhook), to: account, in: transaction) {
      try hint(account, in: transaction)
    }
    try devices.tell(account, switchedOff: webhook, in: transaction)
  }
}

extension MetricSource {
  /// The operator's endpoints, by state.
  static func webhooks(of store: WebhookStore) -> MetricSource {
    MetricSource("webhooks") {
      let items = try await store.list(of: nil).items
      return [("on", items.count(where: \.enabled)), ("off", items.count { !$0.enabled })].map {
        MetricSample("clipfeed_operator_webhooks", [("state", $0.0)], Double($0.1))
      }
    }
  }
}
