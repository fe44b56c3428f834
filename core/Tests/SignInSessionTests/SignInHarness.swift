import CoreTypes
import SignInSession

/// The machine with a clock that a test moves by hand; commands are words that can be read.
struct SignInHarness {
  var session = SignInSession()
  var now = Instant(0)
  private(set) var commands: [String] = []

  mutating func send(_ events: SignInSession.Event...) {
    for event in events {
      session.handle(event, at: now) { commands.append(Self.text($0)) }
    }
  }

  /// `life` in s.
  mutating func want(_ requests: Int32..., writes: Bool = false, life: Int64 = 500) {
    for request in requests {
      send(.requestWanted(APIRequestID(request), writes ? .writes : .reads, life: Milliseconds(life * 1_000)))
    }
  }

  mutating func find(account: Int32 = 1, token: Int32) {
    send(.accountFound(AccountID(account), TokenID(token)))
  }

  mutating func answer(_ request: Int32) { send(.requestAnswered(APIRequestID(request))) }

  mutating func refuse(_ request: Int32, _ problem: SignInSession.Problem) {
    send(.requestFailed(APIRequestID(request), status: 401, problem))
  }

  mutating func fail(_ request: Int32, status: Int32) {
    send(.requestFailed(APIRequestID(request), status: status, .other))
  }

  /// The turn comes, and what other tabs keep is seen.
  mutating func takeTurn() {
    send(.turnCame)
    wait(100)
  }

  mutating func wait(_ time: Int64) {
    now = now + Milliseconds(time)
    if let due = session.nextWake, due <= now { send(.woke) }
  }

  mutating func take() -> [String] {
    defer { commands = [] }
    return commands
  }

  private static func text(_ command: SignInSession.Command) -> String {
    switch command {
    case .send(let request): "send \(request.rawValue)"
    case .fail(let request, let reason): "fail \(request.rawValue) \(reason)"
    default: "\(command)"
    }
  }
}
