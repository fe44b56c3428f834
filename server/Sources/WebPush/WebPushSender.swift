internal import AsyncHTTPClient
public import Contract
public import Devices
internal import Dialing
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
public import Platform

/// The PushSending port on the push services of browsers (RFC 8030).
///
/// It knows what they ask of a request and what their answers mean, and decides nothing of who is told what.
/// A service is a stranger whom another stranger named: it is on the open network and speaks https, the
/// connection goes to the address that was looked at, no redirect is followed, and what it answers is read no
/// further than its status.
public final class WebPushSender: PushSending, WebReaching {
  /// For a whole answer.
  public static let patience = Duration.seconds(20)
  /// Hosts to which connections are kept: there are few services, and anybody may name more.
  private static let hosts = 64
  private static let largestAnswer = 16_384
  private static let longestRetryS = 86_400

  public let key: String
  private let server: ServerKey
  private let network: OpenNetwork
  private let time: any TimeSource
  private let patience: Duration
  private let clients = PinnedClients(triesAgain: false, most: WebPushSender.hosts)

  /// `allowing`: addresses that may be written to although they are not of the open network.
  public init(
    _ server: ServerKey, allowing: [NetworkAddress] = [], time: any TimeSource,
    patience: Duration = WebPushSender.patience
  ) {
    self.server = server
    key = server.text
    network = OpenNetwork(allowing: allowing)
    self.time = time
    self.patience = patience
  }

  public func mayReach(_ new: NewWebDevice) -> Bool {
    guard let address = WebAddress(new.endpoint), network.mayBeAsked(address),
      // In its one spelling, in which it is asked.
      address.description.hasSameBytes(as: new.endpoint)
    else { return false }
    return Self.keys(WebKeys(p256dh: new.keys.p256dh, auth: new.keys.auth)) != nil
  }

  private static func keys(_ keys: WebKeys) -> (point: [UInt8], secret: [UInt8])? {
    guard let point = Base64URL.bytes(keys.p256dh), MessageEncryption.point(point) != nil,
      let secret = Base64URL.bytes(keys.auth), secret.count == 16
    else { return nil }
    return (point, secret)
  }

  public func send(_ notification: PushNotification, to target: PushTarget) async -> PushOutcome {
    guard let web = target.web, let address = WebAddress(target.token), let keys = Self.keys(web),
      let point = MessageEncryption.point(keys.point)
    else { return .gone(sinceMs: nil) }
    do {
      let body = try MessageEncryption.encrypt(
        WebPayload.bytes(of: notification), to: point, secret: keys.secret)
      let request = try request(body, notification, to: address)
      return try await Patience.within(patience) { [self] in try await answer(to: request, at: address) }
    } catch let failure as OpenNetwork.Failure {
      // A name that leads nowhere may be the network's fault; an inner address is nobody's to write to.
      return failure == .unknown ? .later(afterMs: nil) : .gone(sinceMs: nil)
    } catch {
      // NB: of this service alone. Others are not held up by it.
      return .later(afterMs: nil)
    }
  }

  private func request(
    _ body: [UInt8], _ notification: PushNotification, to address: WebAddress
  ) throws -> HTTPClientRequest {
    var request = HTTPClientRequest(url: address.description)
    request.method = .POST
    request.headers = [
      "authorization": try server.authorization(for: address.origin),
      "content-encoding": "aes128gcm", "content-type": "application/octet-stream",
      "ttl": "\(max(0, (notification.expiresMs - time.nowMs) / 1000))",
      "topic": WebPayload.topic(of: notification.name),
      "urgency": notification.isUrgent ? "high" : "normal",
      "user-agent": "Clipfeed",
    ]
    request.body = .bytes(ByteBuffer(bytes: body))
    return request
  }

  private func answer(to request: HTTPClientRequest, at address: WebAddress) async throws -> PushOutcome {
    let addresses = try await network.addresses(of: address)
    let client = clients.client(for: address.host, at: addresses)
    do {
      let response = try await client.execute(request, timeout: .seconds(30))
      let retry = response.headers.first(name: "retry-after")
        .flatMap { SafeInteger.read($0, in: 0...Self.longestRetryS) }.map { Int64($0) * 1000 }
      // Read, so that the connection can be used again, and thrown away: nothing in it is for us.
      _ = try? await response.body.collect(upTo: Self.largestAnswer)
      return Self.outcome(response.status.code, retryAfterMs: retry)
    } catch {
      clients.failed(client, for: address.host, at: addresses)
      throw error
    }
  }

  static func outcome(_ status: UInt, retryAfterMs: Int64?) -> PushOutcome {
    switch status {
    case 200...299: .taken
    case 404, 410: .gone(sinceMs: nil)
    case 429, 500...599: .later(afterMs: retryAfterMs)
    default: .refused("status \(status)")
    }
  }
}
