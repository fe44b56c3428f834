public import AsyncHTTPClient
internal import Foundation
internal import NIOCore
public import Platform
internal import Synchronization

/// Clients that connect to the very address that was looked at: a name that is looked up once more may lead
/// elsewhere.
public final class PinnedClients: Sendable {
  public static let shared = PinnedClients()

  /// Whether a connection that cannot be made is tried for as long as a request has time.
  private let triesAgain: Bool

  /// How many hosts have one; nil: whoever asks names few.
  private let most: Int?

  /// For how long a server may say nothing before its answer and within it.
  private let silence: Duration

  public init(triesAgain: Bool = true, most: Int? = nil, silence: Duration = .seconds(10)) {
    self.triesAgain = triesAgain
    self.most = most
    self.silence = silence
  }

  /// NB: a client that is let go without being shut down ends the process.
  deinit {
    for pinned in known.withLock({ $0.clients.values.map(\.client) }) {
      Task { try? await pinned.shutdown() }
    }
  }

  private struct Pinned {
    let address: NetworkAddress
    let client: HTTPClient
    var used: UInt64 = 0
  }

  private struct Known {
    var clients: [String: Pinned] = [:]
    /// Grows with each use.
    var clock: UInt64 = 0
  }

  private let known = Mutex(Known())
  /// Longer than any request takes.
  private static let lastRequest = Duration.seconds(60)

  public func client(for host: String, at addresses: [NetworkAddress]) -> HTTPClient {
    let (client, old) = known.withLock { known -> (HTTPClient, [HTTPClient]) in
      known.clock += 1
      if var pinned = known.clients[host], addresses.contains(pinned.address) {
        pinned.used = known.clock
        known.clients[host] = pinned
        return (pinned.client, [])
      }
      var old = known.clients[host].map { [$0.client] } ?? []
      let pinned = Pinned(address: addresses[0], client: make(host, addresses[0]), used: known.clock)
      known.clients[host] = pinned
      if let most, known.clients.count > most,
        let last = known.clients.min(by: { $0.value.used < $1.value.used })
      {
        known.clients[last.key] = nil
        old.append(last.value.client)
      }
      return (pinned.client, old)
    }
    for client in old { Self.end(client) }
    return client
  }

  /// The next request tries another address, if there is one.
  public func failed(_ client: HTTPClient, for host: String, at addresses: [NetworkAddress]) {
    known.withLock { known in
      guard addresses.count > 1, let pinned = known.clients[host], pinned.client === client,
        let place = addresses.firstIndex(of: pinned.address)
      else { return }
      let next = addresses[(place + 1) % addresses.count]
      known.clients[host] = Pinned(address: next, client: make(host, next), used: pinned.used)
      Self.end(client)
    }
  }

  private static func end(_ client: HTTPClient) {
    Task {
      try? await Task.sleep(for: lastRequest)
      try? await client.shutdown()
    }
  }

  /// NB: no redirect is followed. Documents and secrets are at their addresses or nowhere.
  private func make(_ host: String, _ address: NetworkAddress) -> HTTPClient {
    let silence = TimeAmount.nanoseconds(Int64(clamping: silence / .nanoseconds(1)))
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: silence))
    configuration.httpVersion = .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
    configuration.connectionPool.retryConnectionEstablishment = triesAgain
    configuration.dnsOverride = [host: address.description]
    return HTTPClient(configuration: configuration)
  }
}
