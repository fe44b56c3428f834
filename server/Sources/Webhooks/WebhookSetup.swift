public import Platform
internal import Synchronization

/// What an instance is told of webhooks. One for all of a process; until it is told otherwise none is sent,
/// and no provider is heard.
public final class WebhookSetup: Sendable {
  private struct State {
    var sender: (any WebhookSending)?
    var servesAccounts = false
    var origin: String?
    var keys: [String: WebhookKey] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// `origin`: by which people reach this server; nil: messages name no addresses.
  public func send(by sender: any WebhookSending, forAccounts: Bool, origin: String?) {
    state.withLock {
      $0.sender = sender
      $0.servesAccounts = forAccounts
      $0.origin = origin
    }
  }

  /// Keys of providers of videos, by their names.
  public func hear(_ keys: [String: WebhookKey]) { state.withLock { $0.keys = keys } }

  var sender: (any WebhookSending)? { state.withLock { $0.sender } }
  var servesAccounts: Bool { state.withLock { $0.servesAccounts && $0.sender != nil } }
  var origin: String? { state.withLock { $0.origin } }

  func key(of provider: String) -> WebhookKey? { state.withLock { $0.keys[provider] } }
}
