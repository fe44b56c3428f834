internal import AsyncHTTPClient
internal import Dispatch
internal import Foundation
internal import NIOCore
internal import Platform
internal import Synchronization

/// Which addresses of a provider are asked: a name that a stranger's document chose may lead anywhere, also to what listens on
/// this machine or in its network alone and trusts whoever can reach it.
enum ProviderReach: Sendable {
  /// Those of the open network.
  case open
  /// This machine's as well: the operator wrote it down so.
  case machine
  /// All: the operator says that the provider is in an inner network.
  case inner

  func allows(_ address: NetworkAddress) -> Bool {
    address.isPublic || self == .inner || (self == .machine && address.isLoopback)
  }

  /// The addresses of a host, all of which may be asked. Throws `ProviderClient.Failed`.
  func addresses(of host: String) async throws -> [NetworkAddress] {
    let all = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: NetworkAddress.all(of: host)) }
    }
    guard !all.isEmpty else { throw ProviderClient.Failed(description: "its name \(host) is not known") }
    for address in all where !allows(address) {
      throw ProviderClient.Failed(
        description: "\(host) is at \(address), which is no address of the open network; if it is meant, say "
          + "sign-in-…-inner: on")
    }
    return all
  }
}

/// Clients that connect to the very address that was looked at: a name that is looked up once more may lead elsewhere.
final class PinnedClients: Sendable {
  static let shared = PinnedClients()

  private struct Pinned {
    let address: NetworkAddress
    let client: HTTPClient
  }

  private let clients = Mutex<[String: Pinned]>([:])
  /// Longer than any request takes.
  private static let lastRequest = Duration.seconds(60)

  func client(for host: String, at addresses: [NetworkAddress]) -> HTTPClient {
    let (client, old) = clients.withLock { clients -> (HTTPClient, HTTPClient?) in
      let known = clients[host]
      if let known, addresses.contains(known.address) { return (known.client, nil) }
      let pinned = Pinned(address: addresses[0], client: Self.make(host, addresses[0]))
      clients[host] = pinned
      return (pinned.client, known?.client)
    }
    if let old { Self.end(old) }
    return client
  }

  /// The next request tries another address, if there is one.
  func failed(_ client: HTTPClient, for host: String, at addresses: [NetworkAddress]) {
    clients.withLock { clients in
      guard addresses.count > 1, let known = clients[host], known.client === client,
        let place = addresses.firstIndex(of: known.address)
      else { return }
      let next = addresses[(place + 1) % addresses.count]
      clients[host] = Pinned(address: next, client: Self.make(host, next))
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
  private static func make(_ host: String, _ address: NetworkAddress) -> HTTPClient {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5), read: .seconds(10)))
    configuration.httpVersion = .http1Only
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
    configuration.dnsOverride = [host: address.description]
    return HTTPClient(configuration: configuration)
  }
}
