import Contract
import Foundation
import Synchronization

/// Answers each request as a test says, or not at all until the task is cancelled.
final class ScriptedTransport: Transport {
  private let asked = Mutex<[WireRequest]>([])
  private let answer: @Sendable (WireRequest) async throws -> WireResponse?

  init(_ answer: @escaping @Sendable (WireRequest) async throws -> WireResponse? = { _ in nil }) {
    self.answer = answer
  }

  /// The method and the path of each request, and how many there were.
  var calls: [String] { asked.withLock { $0.map { "\($0.method) \($0.target)" } } }
  var requests: [WireRequest] { asked.withLock { $0 } }

  func send(_ request: WireRequest) async throws -> WireResponse {
    asked.withLock { $0.append(request) }
    if let response = try await answer(request) { return response }
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }

  static func json(_ value: some Encodable, status: Int = 200) throws -> WireResponse {
    WireResponse(
      status: status, headers: ["content-type": "application/json"], body: try WireCoding.encode(value))
  }

  static func problem(_ code: ErrorCode) throws -> WireResponse {
    let problem = Problem(code, requestID: "r")
    return WireResponse(
      status: problem.status, headers: ["content-type": "application/problem+json"],
      body: try WireCoding.encode(problem))
  }
}
