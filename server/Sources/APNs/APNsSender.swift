internal import AsyncHTTPClient
internal import Contract
public import Devices
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
public import Platform
internal import Synchronization

/// The PushSending port on Apple's service: HTTP/2, one connection for as long as it lasts, a token that says
/// who we are.
///
/// It knows what Apple asks of a request and what its answers mean, and decides nothing of who is told what.
public final class APNsSender: PushSending {
  /// For a whole answer.
  public static let patience = Duration.seconds(20)
  static let attempts = 4
  private static let largestAnswer = 16_384

  /// Made for the first request: who never sends anything opens nothing.
  private let client = Mutex<HTTPClient?>(nil)
  private let tls: TLSConfiguration
  private let token: ProviderToken
  private let server: String?
  private let patience: TimeAmount

  /// Throws `invalid_parameter` if the key is none of P-256, or the certificates are none.
  public init(
    _ settings: APNsSettings, time: any TimeSource, patience: Duration = APNsSender.patience
  ) throws {
    self.patience = .nanoseconds(Int64(clamping: patience / .nanoseconds(1)))
    do {
      token = try ProviderToken(team: settings.team, keyID: settings.keyID, pem: settings.key, time: time)
    } catch {
      throw AppError(
        .invalidParameter, "The key for notifications is no key as Apple gives it out (.p8, P-256).")
    }
    var tls = TLSConfiguration.makeClientConfiguration()
    if let pem = settings.certificates {
      guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty
      else {
        throw AppError(.invalidParameter, "The certificates for notifications cannot be read.")
      }
      tls.trustRoots = .certificates(certificates)
    }
    self.tls = tls
    server = settings.server
  }

  private func opened() -> HTTPClient {
    client.withLock { client in
      if let client { return client }
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .seconds(10), read: patience, write: patience))
      configuration.tlsConfiguration = tls
      configuration.httpVersion = .automatic
      // Apple asks for connections that are kept: opening and closing them looks like an attack.
      configuration.connectionPool.idleTimeout = .minutes(60)
      // Who is not there is asked again when its time has come, and not within the request.
      configuration.connectionPool.retryConnectionEstablishment = false
      let made = HTTPClient(configuration: configuration)
      client = made
      return made
    }
  }

  public func end() async {
    let opened = client.withLock { client in
      defer { client = nil }
      return client
    }
    try? await opened?.shutdown()
  }

  public func send(_ notification: PushNotification, to target: PushTarget) async -> PushOutcome {
    do {
      var token = try await token.current()
      var answer = try await answer(to: notification, target, token)
      if answer.wantsNewToken, let renewed = try await self.token.renewed(insteadOf: token) {
        token = renewed
        answer = try await self.answer(to: notification, target, token)
      }
      return answer.outcome
    } catch is CancellationError {
      return .later(afterMs: nil)
    } catch let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error) {
      return .later(afterMs: nil)
    } catch {
      return .unavailable(afterMs: nil, Self.words(of: error))
    }
  }

  private func answer(
    to notification: PushNotification, _ target: PushTarget, _ token: String
  ) async throws -> APNsAnswer {
    let request = try request(for: notification, target, token)
    let response = try await response(to: request)
    guard response.version == .http2 else { throw NoHTTP2() }
    let body = try await response.body.collect(upTo: Self.largestAnswer)
    return APNsAnswer(
      status: response.status.code, retryAfter: response.headers.first(name: "retry-after"),
      body: Array(body.readableBytesView))
  }

  /// A connection that the other side ends (GOAWAY, an idle hour) may have taken the request or not: it goes
  /// to another one. NB: a second delivery takes the place of the first.
  private func response(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
    let client = opened()
    var attempt = 1
    while true {
      do {
        return try await client.execute(request, timeout: patience)
      } catch  where attempt < Self.attempts && !Task.isCancelled && Self.isOfAConnection(error) {
        // The pool may hand out the one that ends once more, until it has heard of that.
        try await Task.sleep(for: .milliseconds(50 << attempt))
        attempt += 1
      }
    }
  }

  private func request(
    for notification: PushNotification, _ target: PushTarget, _ token: String
  ) throws -> HTTPClientRequest {
    let host =
      target.environment == .sandbox ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com"
    var request = HTTPClientRequest(url: "\(server ?? host)/3/device/\(target.token)")
    request.method = .POST
    request.headers = [
      "authorization": "bearer \(token)", "apns-topic": target.topic, "apns-push-type": "alert",
      "apns-priority": notification.isUrgent ? "10" : "5",
      "apns-expiration": "\(notification.expiresMs / 1000)",
      "apns-collapse-id": APNsPayload.collapseID(of: notification.name),
      "content-type": "application/json",
    ]
    request.body = .bytes(ByteBuffer(bytes: try APNsPayload.bytes(of: notification)))
    return request
  }

  private static func isOfAConnection(_ error: any Error) -> Bool {
    guard let error = error as? HTTPClientError else { return true }
    return [.remoteConnectionClosed, .cancelled, .connectTimeout].contains(error)
  }

  /// Without addresses: a token is in them.
  private static func words(of error: any Error) -> String {
    switch error {
    case let error as HTTPClientError: error.shortDescription
    case is NoHTTP2: "the service does not speak HTTP/2"
    default: "\(type(of: error))"
    }
  }

  private struct NoHTTP2: Error {}
}
