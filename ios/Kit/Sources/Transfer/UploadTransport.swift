public import Contract
public import Foundation

/// One request with bytes of an upload, whose body is a whole file: what outlives an app can be sent no other
/// way.
public struct PartUpload: Equatable, Sendable {
  public let method: String
  public let url: URL
  public let headers: [String: String]
  /// It stays as it is until the request has ended.
  public let body: URL

  public init(method: String, url: URL, headers: [String: String], body: URL) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// Carries the bytes of uploads.
///
/// - An answer of any status is an answer; it throws if there was none (`URLError.timedOut`: nobody said
///   anything).
/// - `sent` is told how many bytes of the body have left so far, at least every few seconds while some do.
/// - Once the task that waits has been cancelled, the request is aborted, and the call returns at once.
/// - It sends a body again only if it is sent from its first byte on, as the first time.
public protocol UploadTransport: Sendable {
  func send(_ part: PartUpload, sent: @escaping @Sendable (Int) -> Void) async throws -> WireResponse
  /// Aborts what an earlier run of the app left on its way. What of it has arrived the server tells.
  func abortEarlier() async
}

/// Headers that say who asks, for requests that are sent elsewhere than the API's: it waits for a token that
/// counts, and never fails, since what the server answers says more than nothing.
public typealias UploadCredentials = @Sendable () async -> [String: String]
