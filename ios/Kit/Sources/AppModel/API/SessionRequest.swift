internal import Contract
internal import CoreTypes
internal import Foundation
internal import SignInSession

/// What of the API is about sessions themselves.
enum SessionRequest {
  static func refresh(_ token: String) throws -> WireRequest {
    WireRequest(
      "POST", Route.sessionRefresh.path(),
      headers: ["content-type": "application/json", "accept": "application/json"],
      body: try WireCoding.encode(SessionRefresh(refreshToken: token)))
  }

  /// The server counts guesses at a password by device where it knows the device, and nowhere else.
  static func wantsDevice(_ target: String) -> Bool {
    [Route.sessions.path(), Route.signIns.path()].contains { target == $0 || target.hasPrefix($0 + "/") }
  }
}

/// What an answer means for who is signed in.
enum SessionChange {
  case begins(Session)
  case ends

  /// Of one that succeeded.
  static func of(_ request: WireRequest, _ response: WireResponse) -> SessionChange? {
    switch (Route.find(request.target)?.route, request.method) {
    case (.accounts, "POST"), (.sessions, "POST"), (.secondStep, "POST"), (.passkeySessions, "POST"),
      (.signInAccounts, "POST"):
      return (try? WireCoding.decode(Session.self, from: response.body)).map { .begins($0) }
    case (.signInAnswers, "POST"):
      return (try? WireCoding.decode(SignInOutcome.self, from: response.body))?.session.map { .begins($0) }
    // A password that is reset ends every session of its account: ours, if it is ours.
    case (.sessions, "DELETE"), (.accountDeletion, "POST"), (.passwordReset, "PUT"): return .ends
    case (.session, "DELETE"):
      return request.target == Route.session.path(Route.currentSession) ? .ends : nil
    default: return nil
    }
  }
}

/// What is wrong with whoever asked, as the core counts it.
enum Refusal {
  /// A status is told only if our server says it: a stranger's 401 must not end a session.
  static func of(_ outcome: Result<WireResponse, any Error>) -> (
    status: Int32, problem: SignInSession.Problem
  ) {
    guard case .success(let response) = outcome, let problem = Problem(in: response) else {
      return (0, .other)
    }
    let status = Int32(clamping: response.status)
    switch ErrorCode(rawValue: problem.code) {
    case .accessTokenExpired: return (status, .accessTokenExpired)
    case .accessTokenInvalid: return (status, .accessTokenInvalid)
    case .sessionEnded: return (status, .sessionEnded)
    case .signInNeeded: return (status, .signInNeeded)
    case .refreshTokenInvalid: return (status, .refreshTokenInvalid)
    case .refreshTokenReused: return (status, .refreshTokenReused)
    default: return (status, .other)
    }
  }

  static func error(of outcome: Result<WireResponse, any Error>) -> any Error {
    switch outcome {
    case .failure(let error): error
    case .success(let response): Problem(in: response) ?? Problem(.unavailable, requestID: "")
    }
  }
}

/// Whether an answer is our server's. A public network answers with a page of its own, and what it says is no
/// answer to what was asked.
enum Interception {
  static func isOurs(_ response: WireResponse) -> Bool {
    switch response.status {
    case ..<300: response.body.isEmpty || (response.headers["content-type"] ?? "").contains("json")
    // The API sends nobody elsewhere.
    case 300..<400: response.status == 304
    case 511: false
    default: true
    }
  }
}

/// For how long an access token counts.
enum TokenLife {
  /// Longer than the server gives; what a wrong clock makes of it is no longer than this.
  private static let mostSeconds = 86_400.0

  /// By the difference of two times of the server's, so that this device's clock may be wrong by years.
  static func of(_ session: Session, _ response: WireResponse, at now: Date) -> (Double, Milliseconds) {
    let date = response.date ?? now
    let seconds = bounded(session.expiresAt.timeIntervalSince(date))
    return (seconds, milliseconds(seconds))
  }

  static func milliseconds(_ seconds: Double) -> Milliseconds {
    Milliseconds(Int64(bounded(seconds) * 1000))
  }

  private static func bounded(_ seconds: Double) -> Double {
    seconds.isFinite ? min(max(seconds, 0), mostSeconds) : 0
  }
}

/// An end to waiting, for what others wait for.
enum Patience {
  private static let limit = Duration.seconds(20)

  static func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(operation: work)
      group.addTask {
        try await Task.sleep(for: limit)
        throw URLError(.timedOut)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }
}
