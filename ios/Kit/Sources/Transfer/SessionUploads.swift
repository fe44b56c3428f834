public import Contract
internal import Playback

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Bytes of uploads by URLSession: one that lives as long as the app, or (with a configuration for the
/// background) one that outlives it. Who made it says which; how its events are heard is the same.
public final class SessionUploads: UploadTransport {
  private let running = RunningParts()
  private let session: URLSession
  private let open = SessionEnd()
  private let delegate: SessionUploadsDelegate

  public init(configuration: URLSessionConfiguration) {
    delegate = SessionUploadsDelegate(running: running)
    // Answers are told by JSON and headers alone; nothing of an upload is worth a cache.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// Ends what runs. The transport is of no use afterwards.
  public func invalidate() { open.end { session.invalidateAndCancel() } }

  public func send(
    _ part: PartUpload, sent: @escaping @Sendable (Int) -> Void
  ) async throws -> WireResponse {
    var request = URLRequest(url: part.url)
    request.httpMethod = part.method
    for (name, value) in part.headers { request.setValue(value, forHTTPHeaderField: name) }
    let task = try open.make { session.uploadTask(with: request, fromFile: part.body) }
    delegate.events.begun()
    let (running, number) = (running, task.taskIdentifier)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        running.begin(number, sent: sent, continuation)
        guard !Task.isCancelled else { return running.end(number, CancellationError()) }
        task.resume()
      }
    } onCancel: {
      task.cancel()
      // NB: the session may tell of it much later, or (before it began) never.
      running.end(number, CancellationError())
    }
  }

  public func abortEarlier() async {
    let running = running
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      session.getAllTasks { tasks in
        for task in tasks where !running.has(task.taskIdentifier) { task.cancel() }
        done.resume()
      }
    }
  }

  /// The app was started, or woken, to hear what became of its uploads: `done` is called once all of it has
  /// been told.
  public func finishEvents(_ done: @escaping @Sendable () -> Void) { delegate.events.onceAnnounced(done) }
}

/// Hands on what the session tells. Events of tasks that an earlier run began concern nobody: the server is
/// asked.
private final class SessionUploadsDelegate: NSObject, URLSessionDataDelegate {
  private let running: RunningParts
  let events = FinishedEvents()

  init(running: RunningParts) { self.running = running }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    running.moved(task.taskIdentifier, Int(clamping: totalBytesSent))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    running.received(dataTask.taskIdentifier, data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard error == nil, let response = task.response as? HTTPURLResponse else {
      return running.end(task.taskIdentifier, error ?? URLError(.badServerResponse))
    }
    var headers: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields {
      headers[name.lowercased()] = value
    }
    running.end(task.taskIdentifier, status: response.statusCode, headers: headers)
  }

  #if !canImport(FoundationNetworking)
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { events.announced() }
  #endif
}
