public import Foundation
internal import Playback
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The bytes of the live stream, as they come.
///
/// - It throws `EventStreamRefusal` where an answer came that is no stream, before any bytes.
/// - It ends without an error when the other side ended it, and throws when it was cut or nobody answered.
/// - Once the task that reads has been cancelled, the request is aborted.
public protocol EventStream: Sendable {
  func bytes(after lastEventID: String?) -> AsyncThrowingStream<Data, any Error>
}

/// An answer that is no stream: the token is over, the server is full, somebody in between answered.
public struct EventStreamRefusal: Error, Equatable {
  public let status: Int
}

/// By URLSession, here and on the phone.
public final class HTTPEventStream: EventStream {
  /// The server says something every 20 s: whoever is silent for longer is gone.
  private static let patience: TimeInterval = 45

  private let url: URL
  private let headers: @Sendable () async -> [String: String]
  private let delegate = StreamDelegate()
  private let session: URLSession
  private let open = SessionEnd()

  /// `headers`: what a request brings to be somebody's, asked for anew for each.
  public init(url: URL, headers: @escaping @Sendable () async -> [String: String]) {
    self.url = url
    self.headers = headers
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = Self.patience
    configuration.timeoutIntervalForResource = 86_400
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }

  /// Ends what runs. The stream is of no use afterwards.
  public func invalidate() { open.end { session.invalidateAndCancel() } }

  public func bytes(after lastEventID: String?) -> AsyncThrowingStream<Data, any Error> {
    // NB: bounded: a server that sends faster than anybody reads is cut, and takes no memory.
    AsyncThrowingStream(bufferingPolicy: .bufferingOldest(StreamDelegate.mostWaiting)) { continuation in
      let opening = Task { [url, headers, delegate, session, open] in
        var request = URLRequest(url: url)
        for (name, value) in await headers() { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let lastEventID { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
        guard !Task.isCancelled else { return continuation.finish(throwing: CancellationError()) }
        guard let task = try? open.make({ session.dataTask(with: request) }) else {
          return continuation.finish(throwing: CancellationError())
        }
        delegate.add(continuation, to: task.taskIdentifier)
        task.resume()
        await withTaskCancellationHandler {
          await delegate.ended(task.taskIdentifier)
        } onCancel: {
          task.cancel()
        }
      }
      continuation.onTermination = { _ in opening.cancel() }
    }
  }
}

private final class StreamDelegate: NSObject, URLSessionDataDelegate {
  /// Pieces of bytes that may wait for whoever reads.
  static let mostWaiting = 256

  private struct Running {
    let continuation: AsyncThrowingStream<Data, any Error>.Continuation
    var end: CheckedContinuation<Void, Never>?
  }

  private let running = Mutex<[Int: Running]>([:])

  func add(_ continuation: AsyncThrowingStream<Data, any Error>.Continuation, to task: Int) {
    running.withLock { $0[task] = Running(continuation: continuation) }
  }

  /// Returns once the request is over.
  func ended(_ task: Int) async {
    await withCheckedContinuation { end in
      let isOver = running.withLock { running in
        guard running[task] != nil else { return true }
        running[task]?.end = end
        return false
      }
      if isOver { end.resume() }
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let http = response as? HTTPURLResponse
    let status = http?.statusCode ?? 0
    let type = http?.value(forHTTPHeaderField: "Content-Type") ?? ""
    if status == 200, type.utf8.starts(with: "text/event-stream".utf8) { return completionHandler(.allow) }
    let continuation = running.withLock { $0[dataTask.taskIdentifier]?.continuation }
    continuation?.finish(throwing: EventStreamRefusal(status: status))
    completionHandler(.cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let continuation = running.withLock { $0[dataTask.taskIdentifier]?.continuation }
    guard let continuation else { return }
    if case .dropped = continuation.yield(data) {
      continuation.finish(throwing: ServerSentEvents.Failure.eventTooLong)
      dataTask.cancel()
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let over = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    if let error { over?.continuation.finish(throwing: error) } else { over?.continuation.finish() }
    over?.end?.resume()
  }
}
