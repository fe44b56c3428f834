public import CoreTypes
public import MachineHost
public import SignInSession
import Wire

/// The events and commands as rows of words: see docs/design/sign-in.md.
extension SignInSession.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word().flatMap({ SignInEventKind(rawValue: $0) }),
      let event = Self.read(kind, &row), row.isAtEnd
    else { return nil }
    self = event
  }

  private static func read(_ kind: SignInEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .woke: .woke
    case .accountFound: readAccount(&row)
    case .guestFound: .guestFound
    case .requestWanted: readWish(&row)
    case .requestAnswered: row.apiRequest().map { .requestAnswered($0) }
    case .requestFailed: readFailure(&row)
    case .turnCame: .turnCame
    case .refreshAnswered: .refreshAnswered
    case .refreshFailed: row.small().map { .refreshFailed(status: $0) }
    }
  }

  private static func readAccount(_ row: inout WordReader) -> Self? {
    guard let account = row.small(), let token = row.small() else { return nil }
    return .accountFound(AccountID(account), TokenID(token))
  }

  private static func readWish(_ row: inout WordReader) -> Self? {
    guard let request = row.apiRequest(),
      let kind = row.small().flatMap({ SignInSession.RequestKind(rawValue: $0) }),
      let life = row.milliseconds()
    else { return nil }
    return .requestWanted(request, kind, life: life)
  }

  private static func readFailure(_ row: inout WordReader) -> Self? {
    guard let request = row.apiRequest(), let status = row.small(),
      let problem = row.small().flatMap({ SignInSession.Problem(rawValue: $0) })
    else { return nil }
    return .requestFailed(request, status: status, problem)
  }
}

extension WordReader {
  fileprivate mutating func apiRequest() -> APIRequestID? { small().map { APIRequestID($0) } }
}

extension SignInSession.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .send(let request): words.row(SignInCommandKind.send, request.rawValue)
    case .fail(let request, let reason): words.row(SignInCommandKind.fail, request.rawValue, reason.rawValue)
    case .awaitTurn: words.row(SignInCommandKind.awaitTurn)
    case .refresh: words.row(SignInCommandKind.refresh)
    case .endTurn: words.row(SignInCommandKind.endTurn)
    case .forgetSession: words.row(SignInCommandKind.forgetSession)
    }
  }
}

extension SignInSession: HostedMachine {
  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64]
  ) -> Bool {
    guard let event = Event(words: event) else { return false }
    handle(event, at: now) { $0.append(to: &words) }
    return true
  }
}
