internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
public import Platform

/// How much one address may write. Guests have no name by which they could be held to less.
public final class GuestLimits: Sendable {
  private let comments: RateLimit
  private let reactions: RateLimit
  private let uploads: RateLimit
  private let captions: RateLimit
  private let marks: RateLimit
  private let events: RateLimit
  let proxies: Int

  /// `proxies`: how many reverse proxies of the operator's own stand in front of this server.
  public init(time: any TimeSource, proxies: Int) {
    // A household or an office may share an address: several people who write, no machine.
    comments = RateLimit(burst: 20, intervalMs: 3000, time: time)
    reactions = RateLimit(burst: 60, intervalMs: 500, time: time)
    uploads = RateLimit(burst: 20, intervalMs: 6000, time: time)
    // Reading a file costs more than a comment; a clip may have sixteen at once.
    captions = RateLimit(burst: 32, intervalMs: 3000, time: time)
    // A thumb taps some times a second; a client sends a batch every few seconds.
    marks = RateLimit(burst: 60, intervalMs: 500, time: time)
    events = RateLimit(burst: 60, intervalMs: 500, time: time)
    self.proxies = proxies
  }

  func takeComment(from request: Request, _ context: GatewayContext) throws {
    try take(from: comments, request, context)
  }

  func takeReaction(from request: Request, _ context: GatewayContext) throws {
    try take(from: reactions, request, context)
  }

  func takeCaptions(from request: Request, _ context: GatewayContext) throws {
    try take(from: captions, request, context)
  }

  /// A like, a bookmark, a follow, a share.
  func takeMark(from request: Request, _ context: GatewayContext) throws {
    try take(from: marks, request, context)
  }

  func takeEvents(from request: Request, _ context: GatewayContext) throws {
    try take(from: events, request, context)
  }

  /// Answers on whose account the upload goes.
  func takeUpload(from request: Request, _ context: GatewayContext) throws -> String {
    "guest:" + (try take(from: uploads, request, context))
  }

  @discardableResult
  private func take(from limit: RateLimit, _ request: Request, _ context: GatewayContext) throws -> String {
    let address = ClientAddress.of(
      peer: context.remoteAddress?.ipAddress ?? "", forwarded: request.headers[.forwardedFor],
      proxies: proxies)
    guard let waitMs = limit.take(address) else { return address }
    throw Refusal(.tooManyRequests, nil, [.retryAfter: "\((waitMs + 999) / 1000)"])
  }
}

enum ClientAddress {
  /// Each proxy adds the address it was called from at the end; what stands further left is the caller's own claim.
  static func of(peer: String, forwarded: String?, proxies: Int) -> String {
    let hops = (forwarded ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
    let address = proxies > 0 && hops.count >= proxies ? String(hops[hops.count - proxies]) : peer
    return network(of: String(address.prefix(64)))
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
