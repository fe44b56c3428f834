internal import Contract
internal import CoreMetrics
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
public import Platform

/// How much one address may write, and one account. Guests have no name by which they could be held to less: anybody could
/// be any number of them.
public final class GuestLimits: Sendable {
  let rates: Rates
  let proxies: Int

  /// `rates`: whose buckets count; nil: this process's own. `proxies`: how many reverse proxies of the operator's own
  /// stand in front of this server.
  public init(time: any TimeSource, rates: Rates? = nil, proxies: Int) {
    self.rates = rates ?? Rates(cache: MemoryCache(time: time), time: time)
    self.proxies = proxies
  }

  func takeComment(by viewer: Viewer?, from request: Request, _ context: GatewayContext) async throws {
    try await take(.comments, account: viewer?.accountID, from: request, context)
  }

  func takeReaction(by viewer: Viewer?, from request: Request, _ context: GatewayContext) async throws {
    try await take(.reactions, account: viewer?.accountID, from: request, context)
  }

  func takeCaptions(by viewer: Viewer?, from request: Request, _ context: GatewayContext) async throws {
    try await take(.captions, account: viewer?.accountID, from: request, context)
  }

  /// A like, a bookmark, a follow, a block, a share.
  func takeMark(by viewer: Viewer?, from request: Request, _ context: GatewayContext) async throws {
    try await take(.marks, account: viewer?.accountID, from: request, context)
  }

  func takeEvents(by viewer: Viewer?, from request: Request, _ context: GatewayContext) async throws {
    try await take(.events, account: viewer?.accountID, from: request, context)
  }

  /// Answers on whose account the upload goes: an account's own, wherever it comes from, or that of a guest's address.
  func takeUpload(
    by viewer: Viewer?, from request: Request, _ context: GatewayContext
  ) async throws -> UploadOwner {
    if let viewer, !viewer.isGuest {
      try await take(.uploads, "account/\(viewer.id)")
      return .account(viewer.id)
    }
    return .guest(address: try await take(.uploads, from: request, context))
  }

  /// Takes a token for a request of this class, of the address's bucket; of the account's as well if there is one, and
  /// then the address has ten times as many, since many accounts may share it. Answers the address.
  @discardableResult
  func take(
    _ bucket: TokenBucket, account: String? = nil, from request: Request, _ context: GatewayContext
  ) async throws -> String {
    let address = ClientAddress.of(
      peer: context.remoteAddress?.ipAddress ?? "", forwarded: request.headers[.forwardedFor],
      proxies: proxies)
    if let account {
      try await take(bucket, "account/\(account)")
      try await take(bucket.shared, "address/\(address)")
    } else {
      try await take(bucket, "address/\(address)")
    }
    return address
  }

  func take(_ bucket: TokenBucket, _ key: String) async throws {
    guard let waitMs = await rates.take(key, from: bucket) else { return }
    CoreMetrics.Counter(label: "clipfeed_rate_limited_total", dimensions: [("class", bucket.name)])
      .increment()
    throw Refusal(.tooManyRequests, nil, [.retryAfter: "\((waitMs + 999) / 1000)"])
  }
}

/// The classes of routes that are limited.
extension TokenBucket {
  // A household or an office may share an address: several people who write, no machine.
  static let comments = TokenBucket("comments", burst: 20, intervalMs: 3000)
  static let reactions = TokenBucket("reactions", burst: 60, intervalMs: 500)
  static let uploads = TokenBucket("uploads", burst: 20, intervalMs: 6000)
  // Reading a file costs more than a comment; a clip may have sixteen at once.
  static let captions = TokenBucket("captions", burst: 32, intervalMs: 3000)
  // A thumb taps some times a second; a client sends a batch every few seconds.
  static let marks = TokenBucket("marks", burst: 60, intervalMs: 500)
  static let events = TokenBucket("events", burst: 60, intervalMs: 500)

  /// For all accounts of one address.
  var shared: TokenBucket {
    TokenBucket("\(name)-shared", burst: burst * 10, intervalMs: max(1, intervalMs / 10))
  }
}

enum ClientAddress {
  /// Each proxy adds the address it was called from at the end; what stands further left is the caller's own claim.
  static func of(peer: String, forwarded: String?, proxies: Int) -> String {
    // NB: a proxy sees bytes. To it a comma ends what the caller said, whatever letter the caller put in front of it.
    let hops = (forwarded ?? "").split(atByte: UInt8(ascii: ","))
    guard proxies > 0, hops.count >= proxies else { return network(of: peer) }
    let hop = String(hops[hops.count - proxies].withoutBlanks)
    return network(of: isAddress(hop) ? hop : peer)
  }

  /// Of IPv4 or IPv6. What is none was not written by a proxy.
  private static func isAddress(_ text: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    return !text.utf8.contains(0)
      && (inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1)
  }

  /// A subscriber of IPv6 has a /64 to choose addresses from, so that much counts as one.
  private static func network(of address: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    // An IPv4 address in the clothes of IPv6 keeps all of its bytes.
    let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
    return bytes.prefix(isMapped ? 16 : 8).map { String($0, radix: 16) }.joined(separator: ":")
  }
}
