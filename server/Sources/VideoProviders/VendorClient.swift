internal import AsyncHTTPClient
internal import Dialing
internal import Foundation
internal import Generation
internal import NIOCore
internal import NIOHTTP1
internal import Platform

/// Asks one vendor, with an end to everything: time, size, and nowhere else than where it may
/// (`VendorReach`). Whatever goes wrong is a `ProviderFailure`, and no secret is in any.
struct VendorClient: Sendable {
  /// Of all answers but the video. The largest that mean something have a few kilobytes.
  static let largestAnswer = 1 << 20
  /// For a whole answer. Pictures of some megabytes go there before it.
  static let patience = Duration.seconds(60)
  /// Servers that compute begin some answers late.
  static let silence = Duration.seconds(40)
  /// As vendors ask us to wait, at most.
  static let longestWait = 3600.0

  let reach: VendorReach
  /// Go to the vendor itself alone.
  let credentials: [(String, String)]
  let secrets: [String]
  var patience = Self.patience

  /// For questions, which may be asked again where a kept connection has ended.
  private static let kept = PinnedClients(triesAgain: false, most: 32, silence: silence)

  struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data
  }

  struct Body: Sendable {
    let bytes: [UInt8]
    let type: String

    static func json(_ value: some Encodable) throws -> Body {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(value) else { throw ProviderFailure(.invalid, "no JSON of it") }
      return Body(bytes: Array(data), type: "application/json")
    }
  }

  func get(_ place: WebAddress?, headers: [(String, String)] = []) async throws -> Answer {
    try await ask(.GET, place, headers, nil)
  }

  func post(_ body: Body, to place: WebAddress?, headers: [(String, String)] = []) async throws -> Answer {
    try await ask(.POST, place, headers, body)
  }

  func delete(_ place: WebAddress?, headers: [(String, String)] = []) async throws -> Answer {
    try await ask(.DELETE, place, headers, nil)
  }

  private func ask(
    _ method: HTTPMethod, _ place: WebAddress?, _ headers: [(String, String)], _ body: Body?
  ) async throws -> Answer {
    guard let place else { throw ProviderFailure(.invalid, "no address can be made of it") }
    var request = HTTPClientRequest(url: place.description)
    request.method = method
    request.headers = HTTPHeaders(
      [("accept", "application/json"), ("user-agent", "Clipfeed")] + credentials + headers)
    if let body {
      request.headers.add(name: "content-type", value: body.type)
      request.body = .bytes(ByteBuffer(bytes: body.bytes))
    }
    return try await failing { [self, request] in
      try await Patience.within(patience) {
        // NB: what begins something is never sent over a connection that may be at its end: nobody could tell
        // whether it arrived.
        if method == .POST {
          let fresh = PinnedClients(triesAgain: false, silence: Self.silence)
          defer { withExtendedLifetime(fresh) {} }
          return try await exchange(request, at: place, by: fresh)
        }
        do {
          return try await exchange(request, at: place, by: Self.kept)
        } catch let error as HTTPClientError where error == .remoteConnectionClosed {
          return try await exchange(request, at: place, by: Self.kept)
        }
      }
    }
  }

  private func exchange(
    _ request: HTTPClientRequest, at place: WebAddress, by clients: PinnedClients
  ) async throws -> Answer {
    let addresses = try await reach.addresses(of: place)
    let client = clients.client(for: place.host, at: addresses)
    do {
      let response = try await client.execute(request, timeout: .seconds(120))
      let body = try await response.body.collect(upTo: Self.largestAnswer)
      return Answer(
        status: Int(response.status.code), headers: response.headers, body: Data(body.readableBytesView))
    } catch {
      if !(error is CancellationError), !(error is NIOTooManyBytesError) {
        clients.failed(client, for: place.host, at: addresses)
      }
      throw error
    }
  }

  // MARK: What an answer means

  /// A good answer. Throws what another one means; `missing`: that there is no such thing.
  func value<Value: Decodable>(
    _ type: Value.Type, in answer: Answer, missing: ProviderFailure.Code
  ) throws -> Value {
    guard (200...299).contains(answer.status) else { throw failure(answer, missing: missing) }
    do {
      return try JSONDecoder().decode(type, from: answer.body)
    } catch {
      let kind = answer.headers.first(name: "content-type") ?? "no type"
      throw ProviderFailure.of(
        .providerError, "status \(answer.status), but no answer as it should be: \(kind)", without: secrets)
    }
  }

  /// A video that is not known there, or not any more, has ended: to ask once more changes nothing.
  func gone(_ answer: Answer) -> VideoStatus? {
    [404, 410].contains(answer.status) ? .failed(failure(answer, missing: .expired)) : nil
  }

  func failure(_ answer: Answer, missing: ProviderFailure.Code) -> ProviderFailure {
    let complaint = VendorComplaint(answer: answer.body)
    return .of(
      complaint.code(status: answer.status, missing: missing), retryAfter: Self.wait(answer.headers),
      "status \(answer.status) \(complaint.words)", without: secrets)
  }

  /// Of a video that failed. `code`: nil: what the complaint means.
  func failure(_ complaint: VendorComplaint, code: ProviderFailure.Code? = nil) -> ProviderFailure {
    .of(code ?? complaint.code, complaint.words, without: secrets)
  }

  /// Seconds, where it asks for patience.
  static func wait(_ headers: HTTPHeaders, now: Date = Date()) -> Double? {
    for name in ["retry-after-ms", "openai-poll-after-ms"] {
      if let ms = headers.first(name: name).flatMap({ SafeInteger.read($0) }) {
        return min(Double(ms) / 1000, longestWait)
      }
    }
    guard let text = headers.first(name: "retry-after") else { return nil }
    if let seconds = SafeInteger.read(text) { return min(Double(seconds), longestWait) }
    let dates = DateFormatter()
    dates.locale = Locale(identifier: "en_US_POSIX")
    dates.timeZone = TimeZone(identifier: "GMT")
    dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return dates.date(from: text).map { min(max(0, $0.timeIntervalSince(now)), longestWait) }
  }

  /// What the work throws, as a `ProviderFailure`.
  func failing<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let failure as ProviderFailure {
      throw failure
    } catch is Patience.Over {
      throw ProviderFailure(.timeout, "no whole answer in time")
    } catch is CancellationError {
      throw ProviderFailure(.timeout, "the answer was not waited for")
    } catch is NIOTooManyBytesError {
      throw ProviderFailure(.providerError, "an answer of more than \(Self.largestAnswer >> 10) KB")
    } catch let error as HTTPClientError {
      let late: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .tlsHandshakeTimeout, .cancelled,
        .getConnectionFromPoolTimeout,
      ]
      throw ProviderFailure(late.contains(error) ? .timeout : .providerError, error.shortDescription)
    } catch {
      // NB: not its description, which may quote the request.
      throw ProviderFailure(.providerError, "no connection (\(type(of: error)))")
    }
  }
}
