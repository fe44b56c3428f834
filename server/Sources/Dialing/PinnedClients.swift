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

  public init(triesAgain: Bool = true) { self.triesAgain = triesAgain }

  private struct Pinned {
    let address: NetworkAddress
    let client: HTTPClient
  }

  private let clients = Mutex<[String: Pinned]>([:])
  /// Longer than any request takes.
  private static let lastRequest = Duration.seconds(60)

  public func client(for host: String, at addresses: [NetworkAddress]) -> HTTPClient {
    let (client, old) = clients.withLock { clients -> (HTTPClient, HTTPClient?) in
      let known = clients[host]
      if let known, addresses.contains(known.address) { return (known.client, nil) }
      let pinned = Pinned(address: addresses[0], client: make(host, addresses[0]))
      clients[host] = pinned
      return (pinned.client, known?.client)
    }
    if let old { Self.end(old) }
    return client
  }

  /// The next request tries another address, if there is one.
  public func failed(_ client: HTTPClient, for host: String, at addresses: [NetworkAddress]) {
    clients.withLock { clients in
      guard addresses.count > 1, let known = clients[host], known.client === client,
        let place = addresses.firstIndex(of: known.address)
      else { return }
      let next = addresses[(place + 1) % addresses.count]
      clients[host] = Pinned(address: next, client: make(host, next))
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
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: .seconds(10)))
    configuration.httpVersion = .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
    configuration.connectionPool.retryConnectionEstablishment = triesAgain
    configuration.dnsOverride = [host: address.description]
    return HTTPClient(configuration: configuration)
  }
}
