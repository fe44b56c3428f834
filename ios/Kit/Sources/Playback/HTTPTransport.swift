public import Contract
public import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Requests by URLSession: ranges of media as they come, and calls of the API.
public final class HTTPTransport: SegmentTransport, Contract.Transport {
  /// As long as the server may take for its next word.
  public static let patience: TimeInterval = 15

  private let base: URL
  private let delegate = RangeDelegate()
  private let session: URLSession
  private let open = SessionEnd()

  /// `base` is the instance's own address.
  public init(base: URL, patience: TimeInterval = HTTPTransport.patience) {
    self.base = base
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = patience
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 4
    // Who asks is for whoever adds the headers.
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// Ends what runs. The transport is of no use afterwards: each request is cancelled.
  public func invalidate() { open.end { session.invalidateAndCancel() } }

  public func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    var wire = URLRequest(url: request.url)
    wire.setValue(
      "bytes=\(request.offset)-\(request.offset + request.size - 1)", forHTTPHeaderField: "Range")
    wire.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    guard let task = try? open.make({ session.dataTask(with: wire) }) else {
      return AsyncThrowingStream { $0.finish(throwing: CancellationError()) }
    }
    let delegate = delegate
    return AsyncThrowingStream { continuation in
      delegate.add(request, continuation, to: task.taskIdentifier)
      continuation.onTermination = { _ in
        delegate.remove(task.taskIdentifier)
        task.cancel()
      }
      task.resume()
    }
  }

  public func send(_ request: WireRequest) async throws -> WireResponse {
    guard let url = URL(string: request.target, relativeTo: base) else { throw URLError(.badURL) }
    var wire = URLRequest(url: url)
    wire.httpMethod = request.method
    wire.httpBody = request.body
    for (name, value) in request.headers { wire.setValue(value, forHTTPHeaderField: name) }
    let (body, response) = try await answer(to: wire)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var headers: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers[name.lowercased()] = value
    }
    return WireResponse(status: response.statusCode, headers: headers, body: body)
  }

  /// NB: not by the session's own `data(for:)`, which makes its task when nobody knows: the end may come
  /// before.
  private func answer(to request: URLRequest) async throws -> (Data, URLResponse?) {
    let (answers, continuation) = AsyncThrowingStream.makeStream(of: (Data, URLResponse?).self)
    let task = try open.make {
      session.dataTask(with: request) { body, response, error in
        if error == nil { continuation.yield((body ?? Data(), response)) }
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    task.resume()
    for try await answer in answers { return answer }
    throw URLError(.cancelled)
  }
}

/// Hands the bytes of ranges on, in order, to whoever reads them.
private final class RangeDelegate: NSObject, URLSessionDataDelegate {
  private struct Running {
    let request: RangeRequest
    let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    var received = 0
    var isAccepted = false
  }

  private let running = Mutex<[Int: Running]>([:])

  func add(
    _ request: RangeRequest, _ continuation: AsyncThrowingStream<Data, any Error>.Continuation, to task: Int
  ) {
    running.withLock { $0[task] = Running(request: request, continuation: continuation) }
  }

  func remove(_ task: Int) { running.withLock { _ = $0.removeValue(forKey: task) } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let http = response as? HTTPURLResponse
    let refused = running.withLock { running -> (TransferFailure, Running)? in
      guard let transfer = running[dataTask.taskIdentifier] else { return nil }
      let failure = TransferFailure.of(
        status: http?.statusCode ?? 0, contentRange: http?.value(forHTTPHeaderField: "Content-Range"),
        request: transfer.request)
      running[dataTask.taskIdentifier]?.isAccepted = failure == nil
      return failure.map { ($0, transfer) }
    }
    if let (failure, transfer) = refused { transfer.continuation.finish(throwing: failure) }
    completionHandler(refused == nil ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let transfer = running.withLock { running -> Running? in
      running[dataTask.taskIdentifier]?.received += data.count
      return running[dataTask.taskIdentifier]
    }
    guard let transfer, transfer.isAccepted else { return }
    if transfer.received > transfer.request.size {
      transfer.continuation.finish(throwing: TransferFailure.server)
    } else {
      transfer.continuation.yield(data)
    }
  }

  /// Media may lie elsewhere. The API sends nobody elsewhere, and its tokens would go along.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let isOfMedia = running.withLock { $0[task.taskIdentifier] != nil }
    completionHandler(isOfMedia ? request : nil)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = running.withLock({ $0[task.taskIdentifier] }) else { return }
    if error == nil, transfer.isAccepted, transfer.request.isAnswered(by: transfer.received) {
      transfer.continuation.finish()
    } else {
      transfer.continuation.finish(throwing: TransferFailure.network)
    }
  }
}
