internal import Contract
internal import CoreMetrics
internal import Foundation
internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird
public import Platform

/// How much one address may write, and one account. Guests have no name by which they could be held to less:
/// anybody could be any number of them.
public final class RequestLimits: Sendable {
  let rates: Rates
  let proxies: Int

  /// `rates`: whose buckets count; nil: this process's own. `proxies`: how many reverse proxies of the
  /// operator's own stand in front of this server.
  public init(time: any TimeSource, rates: Rates? = nil, proxies: Int) {
    self.rates = rates ?? Rates(shared: MemoryCache(time: time), time: time)
    self.proxies = proxies
  }

  /// Takes the tokens that the route asks for.
  func take(
    _ limit: RouteLimit, by viewer: Viewer?, upload: String, from request: Request, _ context: GatewayContext
  ) async throws {
    switch limit {
    case .free: return
    case .caller(let bucket):
      try await take(keys(bucket, of: viewer?.accountID, from: request, context))
    case .address(let bucket): try await take(keys(bucket, of: nil, from: request, context))
    case .viewer(let bucket): try await take(keys(bucket, of: viewer?.id, from: request, context))
    case .upload(let bucket):
      try await take(
        [BucketKey("upload/\(upload)", .uploadPieces)]
          + keys(bucket, of: viewer?.accountID, from: request, context))
    }
  }

  /// On whose account an upload goes: an account's own, wherever it comes from, or that of a guest's address.
  func owner(of viewer: Viewer?, from request: Request, _ context: GatewayContext) -> UploadOwner {
    if let account = viewer?.accountID { return .account(account) }
    return .guest(address: address(of: request, context))
  }

  /// The buckets of a class: of the address and of the networks that it is in; of the account as well if
  /// there is one, and then the address has ten times as many, since many accounts may share it.
  private func keys(
    _ bucket: TokenBucket, of account: String?, from request: Request, _ context: GatewayContext
  ) -> [BucketKey] {
    let ofAddress = account == nil ? bucket : bucket.shared
    let networks = ClientNetwork.all(of: address(of: request, context)).map { network in
      BucketKey(
        "address/\(network.name)",
        network.factor == 1 ? ofAddress : ofAddress.widened(by: network.factor))
    }
    return (account.map { [BucketKey("account/\($0)", bucket)] } ?? []) + networks
  }

  func address(of request: Request, _ context: GatewayContext) -> String {
    ClientAddress.of(
      peer: context.remoteAddress?.ipAddress ?? "", forwarded: request.headers[.forwardedFor],
      proxies: proxies)
  }

  /// As an operator reads it, and as a firewall takes it.
  func shownAddress(of request: Request, _ context: GatewayContext) -> String {
    ClientAddress.whole(
      peer: context.remoteAddress?.ipAddress ?? "", forwarded: request.headers[.forwardedFor],
      proxies: proxies)
  }

  func take(_ bucket: TokenBucket, _ key: String) async throws {
    try await take([BucketKey(key, bucket)])
  }

  private func take(_ wanted: [BucketKey]) async throws {
    guard let waitMs = await rates.take(wanted) else { return }
    let label = wanted.first?.bucket.name ?? ""
    CoreMetrics.Counter(label: "clipfeed_rate_limited_total", dimensions: [("class", label)]).increment()
    throw Refusal(.tooManyRequests, nil, [.retryAfter: "\((waitMs + 999) / 1000)"])
  }
}

enum ClientAddress {
  /// Each proxy adds the address it was called from at the end; what stands further left is the caller's own
  /// claim.
  static func of(peer: String, forwarded: String?, proxies: Int) -> String {
    AddressNetwork.of(whole(peer: peer, forwarded: forwarded, proxies: proxies))
  }

  static func whole(peer: String, forwarded: String?, proxies: Int) -> String {
    // NB: a proxy sees bytes. To it a comma ends what the caller said, whatever letter the caller put in
    // front of it.
    let hops = (forwarded ?? "").split(atByte: UInt8(ascii: ","))
    guard proxies > 0, hops.count >= proxies else { return peer }
    let hop = String(hops[hops.count - proxies].withoutBlanks)
    return isAddress(hop) ? hop : peer
  }

  /// Of IPv4 or IPv6. What is none was not written by a proxy.
  private static func isAddress(_ text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    return !text.utf8.contains(0)
      && (inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1)
  }

  /// Whether whoever asks sits on the server's own machine, as its operator does. NB: a request that names a
  /// hop which no proxy of ours is counted for comes from one that was not said, and not from this machine.
  static func isOnThisMachine(_ request: Request, _ context: GatewayContext, proxies: Int) -> Bool {
    guard isLoopback(context.remoteAddress?.ipAddress ?? "") else { return false }
    guard let forwarded = request.headers[.forwardedFor] else { return true }
    let hops = forwarded.split(atByte: UInt8(ascii: ","))
    return proxies > 0 && hops.count >= proxies
      && isLoopback(String(hops[hops.count - proxies].withoutBlanks))
  }

  private static func isLoopback(_ address: String) -> Bool { NetworkAddress(address)?.isLoopback ?? false }
}

/// An address and the networks around it. Each has a bucket, with more tokens the wider it is: whoever has a
/// whole network to choose addresses from has as many as that network, and no more.
struct ClientNetwork: Equatable {
  let name: String
  /// How many times the tokens of one address it has.
  let factor: Int64

  /// `address`: as `ClientAddress` says it, which of IPv6 is a /64.
  static func all(of address: String) -> [ClientNetwork] {
    let own = ClientNetwork(name: address, factor: 1)
    let groups = address.split(atByte: UInt8(ascii: ":"), omittingEmpty: false)
    // A subscriber has a /56 or a /48; a mobile network gives each of 256 phones a /64 of the same /56.
    if groups.count == 8 {
      func network(_ count: Int) -> String { groups.prefix(count).joined(separator: ":") + "/\(count * 8)" }
      return [own, ClientNetwork(name: network(7), factor: 8), ClientNetwork(name: network(6), factor: 32)]
    }
    // Of IPv4, in the clothes of IPv6 or without.
    let bytes = groups.count == 16 ? groups : address.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    guard [4, 16].contains(bytes.count) else { return [own] }
    let wide = bytes.dropLast().joined(separator: bytes.count == 4 ? "." : ":") + "/24"
    return [own, ClientNetwork(name: wide, factor: 64)]
  }
}

extension HTTPField.Name {
  static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
