import Contract
import Foundation
import Synchronization

@testable import AppModel

/// Answers requests as a test says, and remembers them in their order.
final class AnsweringTransport: Transport {
  private let log = Mutex<[WireRequest]>([])
  private let answer: @Sendable (WireRequest) async throws -> WireResponse

  init(_ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse) { self.answer = answer }

  var requests: [WireRequest] { log.withLock { $0 } }

  /// `METHOD /path` of each.
  var lines: [String] { requests.map { "\($0.method) \($0.target)" } }

  var keys: [String] { requests.compactMap { $0.headers["idempotency-key"] } }

  func send(_ request: WireRequest) async throws -> WireResponse {
    log.withLock { $0.append(request) }
    return try await answer(request)
  }
}

/// No answer came.
struct Unreachable: Error {}

extension WireResponse {
  static func json(_ value: some Encodable, status: Int = 200) throws -> WireResponse {
    WireResponse(status: status, headers: [:], body: try WireCoding.encode(value))
  }

  static func problem(_ code: ErrorCode) throws -> WireResponse {
    try json(Problem(code, requestID: "r"), status: code.status)
  }
}

extension Clip {
  static func sample(_ id: String, by author: String = "author", comments: Commenting = .open) -> Clip {
    Clip(
      id: id, caption: "A clip", createdAt: Date(timeIntervalSince1970: 0),
      author: Author(id: author, handle: author, name: author.capitalized), counts: Counts(),
      comments: comments, width: 540, height: 960,
      poster: Poster(url: "/p", width: 540, height: 960, placeholder: ""),
      playback: Playback(durationMs: 1000, hlsUrl: "/media/x.m3u8", renditions: []))
  }
}

extension Message {
  static func sample(_ id: String, _ text: String, isOwn: Bool = false) -> Message {
    Message(id: id, isOwn: isOwn, text: text, createdAt: Date(timeIntervalSince1970: 0))
  }
}

@MainActor final class SomeViewer: ViewerPort {
  var viewerID: String?
  init(_ id: String?) { viewerID = id }
}

/// Opens once; whoever came before waits.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Keys `k1`, `k2`, …
func countingKeys() -> () -> String {
  let count = Mutex(0)
  return { "k\(count.withLock { $0 += 1; return $0 })" }
}
