internal import AsyncHTTPClient
internal import Contract
internal import Dialing
internal import NIOCore
internal import NIOHTTP1
public import Platform
public import Webhooks

/// The WebhookSending port by HTTP.
///
/// An endpoint is a stranger whom another stranger named: it is on the open network and speaks https, the
/// connection goes to the address that was looked at, no redirect is followed, and what it answers is read no
/// further than its status and `Retry-After`. Nothing of it is shown to anybody: whoever names an address
/// must not read what lies there.
public final class WebhookSender: WebhookSending {
  /// For a whole answer.
  public static let patience = Duration.seconds(10)
  /// For what comes behind the head of an answer, so that the connection can be used again.
  private static let bodyPatience = Duration.seconds(1)
  /// Hosts to which connections are kept: anybody may name more.
  private static let hosts = 64
  private static let largestAnswer = 16_384
  private static let longestRetryS = 86_400

  private let network: OpenNetwork
  private let patience: Duration
  private let clients = PinnedClients(triesAgain: false, most: WebhookSender.hosts)

  /// `allowing`: addresses that may be written to although they are not of the open network; those of this
  /// machine by http too.
  public init(allowing: [NetworkAddress] = [], patience: Duration = WebhookSender.patience) {
    network = OpenNetwork(allowing: allowing)
    self.patience = patience
  }

  public func mayReach(_ address: String) -> Bool {
    guard let place = WebAddress(address), network.mayBeAsked(place) else { return false }
    // In its one spelling, in which it is asked.
    return place.description.hasSameBytes(as: address)
  }

  public func send(_ message: SignedMessage, to address: String) async -> WebhookOutcome {
    guard let place = WebAddress(address) else { return .unanswered(.addressRefused) }
    do {
      return try await Patience.within(patience) { [self] in try await answer(to: message, at: place) }
    } catch let failure as OpenNetwork.Failure {
      // A name that leads nowhere may be the network's fault; an inner address is nobody's to write to.
      return .unanswered(failure == .unknown ? .unreachable : .addressRefused)
    } catch is Patience.Over {
      return .unanswered(.timeout)
    } catch {
      return .unanswered(.unreachable)
    }
  }

  private static func request(_ message: SignedMessage, to place: WebAddress) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: place.description)
    request.method = .POST
    request.headers = [
      "content-type": "application/json", "user-agent": "Clipfeed", WebhookHeader.id: message.id,
      WebhookHeader.timestamp: "\(message.timestamp)", WebhookHeader.signature: message.signatures,
    ]
    request.body = .bytes(ByteBuffer(bytes: message.body))
    return request
  }

  private func answer(to message: SignedMessage, at place: WebAddress) async throws -> WebhookOutcome {
    let addresses = try await network.addresses(of: place)
    let client = clients.client(for: place.host, at: addresses)
    do {
      let response = try await client.execute(Self.request(message, to: place), timeout: .seconds(30))
      let retry = response.headers.first(name: "retry-after")
        .flatMap { SafeInteger.read($0, in: 0...Self.longestRetryS) }.map { Int64($0) * 1000 }
      let body = response.body
      // Read, so that the connection can be used again, and thrown away: nothing in it is for us.
      _ = try? await Patience.within(Self.bodyPatience) { try await body.collect(upTo: Self.largestAnswer) }
      return .answered(status: Int(clamping: response.status.code), retryAfterMs: retry)
    } catch {
      clients.failed(client, for: place.host, at: addresses)
      throw error
    }
  }
}
