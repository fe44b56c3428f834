internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import Platform
internal import Synchronization

/// One request to a bucket. Any may be sent twice: that comes to the same, or leaves what is swept later.
struct S3Call: Sendable {
  enum Payload: Sendable {
    case none
    case bytes([UInt8])
    /// A piece of a file, read while it is sent; the server refuses it if the bytes are not those of the
    /// hash.
    case file(FileBody, sha256: String)
  }

  var method: HTTPMethod
  /// Nil: the bucket itself.
  var key: String?
  var query: [SigV4.Pair] = []
  var headers: [SigV4.Pair] = []
  var payload = Payload.none
}

/// Signs requests and gets them done: tries again, with growing and random pauses, what may be tried again,
/// and mends a clock that is wrong. It knows the rules of HTTP and of signatures, not what objects mean.
struct S3Client: Sendable {
  static let shared = HTTPClient(configuration: configuration())
  /// How often a request is sent at most; with the pauses that is some five seconds of a storage that does
  /// not work.
  static let attempts = 5
  static let firstPauseMs = 100
  static let longestPauseMs = 3000
  /// A page of a listing, generously.
  static let largestAnswer = 4 << 20

  let bucket: S3Bucket
  let http: HTTPClient
  let clock: StorageClock
  var attempts = Self.attempts

  static func configuration() -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(5), read: .seconds(30), write: .seconds(30)))
    configuration.httpVersion = .http1Only
    // Each viewer who is served through this process holds one while bytes flow.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
    return configuration
  }

  /// The answer, if it is of the 2xx; else what went wrong.
  func answer(_ call: S3Call) async throws -> S3Answer {
    try await perform(call) { response in
      try await Self.collected(response)
    }
  }

  /// As `answer`, for answers that are XML and may tell of an error with status 200.
  func xml(_ call: S3Call, _ name: String) async throws -> XMLElement {
    try await perform(call) { try await Self.collected($0).xml(name) }
  }

  /// Lets `take` read a good answer. It is called again with another answer if it throws something that can
  /// be tried again.
  func perform<Value>(_ call: S3Call, _ take: (HTTPClientResponse) async throws -> Value) async throws
    -> Value
  {
    var attempt = 1
    var hasMendedClock = false
    while true {
      let offset = clock.offsetMs
      do {
        let response = try await send(call)
        clock.learn(response.headers.first(name: "date"))
        if (200..<300).contains(response.status.code) { return try await take(response) }
        throw S3Failure(try await Self.collected(response))
      } catch {
        guard !Task.isCancelled, !(error is CancellationError) else { throw CancellationError() }
        // Ours, not the storage's: a file that cannot be read, a taker that wants no more.
        guard !(error is AppError || error is TakerFailed) else { throw error }
        let failure = S3Failure(error)
        if failure.status == 403, clock.isOther(than: offset), !hasMendedClock {
          hasMendedClock = true
          continue
        }
        guard attempt < attempts, failure.isTransient else { throw failure }
        try await Self.pause(after: attempt)
        attempt += 1
      }
    }
  }

  /// An address at which anyone may do this until it expires. `at`: signed as if it were made then.
  func presigned(
    _ method: String, _ key: String, query: [SigV4.Pair] = [], headers: [SigV4.Pair] = [], seconds: Int,
    at ms: Int64? = nil
  ) -> String {
    let request = SigV4.Request(
      method: method, path: bucket.path(key), query: query, headers: [("host", bucket.host)] + headers)
    let query = bucket.signer.presignedQuery(request, seconds: seconds, at: ms ?? clock.nowMs)
    return "\(bucket.origin)\(request.path)?\(query)"
  }

  /// Full jitter: any time up to a limit that doubles, so that many who failed together do not come back
  /// together.
  static func pause(after attempt: Int) async throws {
    let limit = min(longestPauseMs, firstPauseMs << min(attempt, 10))
    try await Task.sleep(for: .milliseconds(Int.random(in: 1...limit)))
  }

  private func send(_ call: S3Call) async throws -> HTTPClientResponse {
    let path = bucket.path(call.key)
    var parts = SigV4.Request(
      method: call.method.rawValue, path: path, query: call.query,
      headers: [("host", bucket.host)] + call.headers)
    let hash: String
    let size: Int
    var body: HTTPClientRequest.Body?
    switch call.payload {
    case .none: (hash, size) = (ContentHash.of([UInt8]()), 0)
    case .bytes(let bytes):
      (hash, size) = (ContentHash.of(bytes), bytes.count)
      body = .bytes(ByteBuffer(bytes: bytes))
    case .file(let file, let sha256):
      (hash, size) = (sha256, file.range.count)
      body = .stream(file, length: .known(Int64(size)))
    }
    parts.headers = bucket.signer.signed(parts, payloadHash: hash, at: clock.nowMs)
    let query = SigV4.encodedQuery(call.query)
    var request = HTTPClientRequest(url: "\(bucket.origin)\(path)\(query.isEmpty ? "" : "?\(query)")")
    request.method = call.method
    request.headers = HTTPHeaders(parts.headers.map { ($0.name, $0.value) })
    if body == nil, call.method == .PUT || call.method == .POST { body = .bytes(ByteBuffer()) }
    request.body = body
    // The deadline is for the beginning of the answer: a minute, and more for what is sent at 50 kB/s or
    // faster.
    return try await http.execute(request, timeout: .seconds(60 + Int64(size / 50_000)))
  }

  private static func collected(_ response: HTTPClientResponse) async throws -> S3Answer {
    let body = try await response.body.collect(upTo: largestAnswer)
    return S3Answer(
      status: UInt(response.status.code), headers: response.headers, body: Array(body.readableBytesView))
  }
}

/// Carries what the taker of a blob's bytes threw past everything that would try again.
struct TakerFailed: Error { let error: any Error }

/// The time by which the storage judges signatures: ours, and how far its own is from it if that is more than
/// a minute, since a server with a wrong clock must not lose its storage.
final class StorageClock: Sendable {
  static let toleranceMs: Int64 = 60_000

  private let time: any TimeSource
  private let offset = Mutex<Int64>(0)

  init(time: any TimeSource) { self.time = time }

  var offsetMs: Int64 { offset.withLock { $0 } }
  var nowMs: Int64 { time.nowMs + offsetMs }

  func learn(_ date: String?) {
    guard let theirs = date.flatMap(Timestamps.http) else { return }
    let difference = theirs - time.nowMs
    // Small differences are the seconds of the header and the way of the answer.
    offset.withLock { $0 = abs(difference) > Self.toleranceMs ? difference : 0 }
  }

  func isOther(than earlier: Int64) -> Bool { abs(offsetMs - earlier) > Self.toleranceMs }
}
