import AppModel
import Contract
import CoreTypes
import Foundation
import Playback
import Synchronization

/// A clock that goes when it is told to.
@MainActor final class SteppedClock: HostClock {
  private(set) var now: Instant
  private var alarm: (at: Instant, ring: @MainActor () -> Void)?
  private var sleeper: CheckedContinuation<Void, Never>?

  init(_ now: Int64 = 0) { self.now = Instant(now) }

  func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) {
    alarm = (instant, ring)
    sleeper?.resume()
    sleeper = nil
  }

  /// Sets the time alone.
  func set(_ time: Int64) { now = Instant(time) }

  func advance(_ milliseconds: Int64) { now = now + Milliseconds(milliseconds) }

  /// Lets the time come for which somebody wants to be woken, once somebody does.
  func ring() async {
    if alarm == nil { await withCheckedContinuation { sleeper = $0 } }
    guard let alarm else { return }
    self.alarm = nil
    now = max(now, alarm.at)
    alarm.ring()
  }
}

/// Holds each request until it is answered by hand, in the order in which they came.
final class ParkedTransport: Contract.Transport {
  struct Parked: Sendable {
    let request: WireRequest
    let continuation: CheckedContinuation<WireResponse, any Error>

    /// What was sent.
    func body<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try WireCoding.decode(Value.self, from: request.body ?? Data())
    }

    func answer(_ status: Int, _ body: some Encodable & Sendable, headers: [String: String] = [:]) {
      let type = status < 400 ? "application/json" : Problem.contentType
      let all = headers.merging(["content-type": type]) { old, _ in old }
      let bytes = (try? WireCoding.encode(body)) ?? Data()
      continuation.resume(returning: WireResponse(status: status, headers: all, body: bytes))
    }

    func answer(_ status: Int, headers: [String: String] = [:], text: String = "") {
      continuation.resume(returning: WireResponse(status: status, headers: headers, body: Data(text.utf8)))
    }

    func refuse(_ code: ErrorCode) { answer(code.status, Problem(code, requestID: "r")) }
    func fail(_ code: URLError.Code) { continuation.resume(throwing: URLError(code)) }
  }

  private struct State {
    var parked: [Parked] = []
    var receivers: [CheckedContinuation<Parked, Never>] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// How many requests have come.
  var count: Int { state.withLock { $0.count } }
  /// How many nobody has looked at.
  var waiting: Int { state.withLock { $0.parked.count } }

  func send(_ request: WireRequest) async throws -> WireResponse {
    try await withCheckedThrowingContinuation { continuation in
      let parked = Parked(request: request, continuation: continuation)
      let receiver = state.withLock { state -> CheckedContinuation<Parked, Never>? in
        state.count += 1
        guard state.receivers.isEmpty else { return state.receivers.removeFirst() }
        state.parked.append(parked)
        return nil
      }
      receiver?.resume(returning: parked)
    }
  }

  /// The next request that comes, or has come.
  func next() async -> Parked {
    await withCheckedContinuation { receiver in
      let parked = state.withLock { state -> Parked? in
        guard state.parked.isEmpty else { return state.parked.removeFirst() }
        state.receivers.append(receiver)
        return nil
      }
      if let parked { receiver.resume(returning: parked) }
    }
  }
}

func sampleAccount(_ id: String = "ada") -> Account {
  Account(
    id: id, handle: id, name: id.capitalized, role: "member", createdAt: Date(timeIntervalSince1970: 1_000))
}

/// Ends ten minutes after `epoch`.
func sampleSession(_ number: Int = 1, of account: String = "ada") -> Session {
  Session(
    id: "session", account: sampleAccount(account), accessToken: "access\(number)",
    refreshToken: "refresh\(number)", expiresAt: epoch.addingTimeInterval(600),
    refreshExpiresAt: epoch.addingTimeInterval(86_400 * 60))
}

/// Thu, 01 Jan 2026 00:00:00 GMT, the server's time in all of these tests.
let epoch = Date(timeIntervalSince1970: 1_767_225_600)
let serverDate = ["date": "Thu, 01 Jan 2026 00:00:00 GMT"]

/// A host over requests that are answered by hand.
@MainActor struct SignInBench {
  let transport = ParkedTransport()
  let clock = SteppedClock()
  let store: MemoryCredentialStore
  let host: SignInHost
  var client: Client { Client(transport: host) }

  init(store: MemoryCredentialStore = MemoryCredentialStore(), now: Date = epoch) {
    self.store = store
    host = SignInHost(
      over: transport, store: store, clock: clock, client: "Clipfeed/1.0 (iPhone; iOS 18.0)",
      wallClock: { now })
  }

  /// Somebody who has just signed in by the first token.
  static func signedIn(store: MemoryCredentialStore = MemoryCredentialStore(), now: Date = epoch) async throws
    -> SignInBench
  {
    let bench = SignInBench(store: store, now: now)
    async let session = bench.client.signIn(
      NewSession(handle: "ada", password: "correct horse", transport: .token))
    await bench.transport.next().answer(200, sampleSession(), headers: serverDate)
    _ = try await session
    return bench
  }
}
