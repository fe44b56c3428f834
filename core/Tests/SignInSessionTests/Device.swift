import CoreTypes
import SignInSession

/// A device with its other tabs and a server: does at random what can happen there, and holds commands against what
/// a host can do. `broken` says what was wrong first.
struct Device {
  private struct Request {
    let kind: SignInSession.RequestKind
    /// Whoever wanted it; `nil` for a guest.
    let account: Int32?
    var token: Int32?
    var tries = 0
    var isSent = false
  }

  private enum Turn { case none, awaited, taken, refreshing(Int32) }

  private var session = SignInSession()
  private var now = Instant(0)
  /// What the device keeps: account and token.
  private var kept: (account: Int32, token: Int32)?
  private var lastToken: Int32 = 0
  private var lastRequest: Int32 = 0
  private var open: [Int32: Request] = [:]
  private var turn = Turn.none
  private var isIntroduced = false
  /// What the event that is being handled refused.
  private var refused: Int32?

  private(set) var broken: String?
  /// Refreshes, repeats, failures, sessions forgotten, guests held.
  private(set) var counts: [Int32] = [0, 0, 0, 0, 0]

  private mutating func require(_ holds: Bool, _ what: String) { if !holds { broken = broken ?? what } }

  // MARK: What happens

  mutating func step(_ generator: inout SeededGenerator) {
    pass(generator.next(below: 60))
    switch generator.next(below: 12) {
    case 0, 1, 2, 3:
      let kind = SignInSession.RequestKind(
        rawValue: Int32([0, 0, 1, 1, 1, 2][Int(generator.next(below: 6))]))!
      want(kind, life: generator.next(below: 4) == 0 ? 3_000 : 300_000)
    case 4, 5, 6, 7:
      let sent = open.filter(\.value.isSent).keys.sorted()
      if !sent.isEmpty { end(sent[Int(generator.next(below: Int64(sent.count)))], generator.next(below: 8)) }
    case 8: goOn()
    case 9: endRefresh(generator.next(below: 6))
    default: change(generator.next(below: 9))
    }
  }

  /// Everything that is under way comes to its end.
  mutating func settle() {
    for _ in 0..<40 {
      goOn()
      pass(100)
      endRefresh(0)
      for request in open.filter(\.value.isSent).keys.sorted() { end(request, 0) }
    }
    require(open.isEmpty, "\(open.count) requests without an end")
    if case .none = turn {} else { require(false, "a turn without an end") }
    require(session.nextWake == nil, "a wake for nothing")
  }

  private mutating func pass(_ time: Int64) {
    now = now + Milliseconds(time)
    if let due = session.nextWake, due <= now { handle(.woke) }
  }

  private mutating func want(_ kind: SignInSession.RequestKind, life: Int64) {
    lastRequest += 1
    open[lastRequest] = Request(kind: kind, account: kept?.account)
    handle(.requestWanted(APIRequestID(lastRequest), kind, life: Milliseconds(life)))
    guard kept == nil else { return }
    if kind != .writes { require(open[lastRequest]?.isSent ?? true, "a guest's reading is held") }
    if open[lastRequest]?.isSent == false { counts[4] += 1 }
  }

  private mutating func end(_ number: Int32, _ way: Int64) {
    let request = open[number]!
    let id = APIRequestID(number)
    if way < 5 {
      open[number] = nil
      if request.token == nil, request.kind == .writes, kept == nil { isIntroduced = true }
      handle(.requestAnswered(id))
    } else {
      open[number]!.isSent = false
      let problem: SignInSession.Problem = way == 5 ? .accessTokenExpired : way == 6 ? .sessionEnded : .other
      refused = way == 6 ? request.token : nil
      handle(.requestFailed(id, status: way == 7 ? 503 : 401, problem))
      refused = nil
    }
  }

  private mutating func goOn() {
    guard case .awaited = turn else { return }
    turn = .taken
    handle(.turnCame)
  }

  private mutating func endRefresh(_ way: Int64) {
    guard case .refreshing(let old) = turn else { return }
    switch way {
    case 0, 1, 2:
      if let account = kept?.account { keep(account) }
      handle(.refreshAnswered)
    case 3:
      refused = old
      handle(.refreshFailed(status: 401))
      refused = nil
    default: handle(.refreshFailed(status: 0))
    }
  }

  /// By another tab, or by a form.
  private mutating func change(_ way: Int64) {
    switch way {
    case 0: keep(1)
    case 1: keep(2)
    case 2, 3: if let account = kept?.account { keep(account) }
    case 4:
      if kept != nil { isIntroduced = false }
      kept = nil
      handle(.guestFound)
    default: break
    }
  }

  private mutating func keep(_ account: Int32) {
    lastToken += 1
    kept = (account, lastToken)
    handle(.accountFound(AccountID(account), TokenID(lastToken)))
  }

  // MARK: What the machine says

  private mutating func handle(_ event: SignInSession.Event) {
    var commands: [SignInSession.Command] = []
    session.handle(event, at: now) { commands.append($0) }
    for command in commands { follow(command) }
    if let wake = session.nextWake { require(wake > now, "a wake in the past") }
    let waits = open.values.contains { !$0.isSent }
    var isUnderWay = open.values.contains { $0.isSent && $0.token == nil && $0.kind == .writes }
    if case .none = turn {} else { isUnderWay = true }
    require(!waits || isUnderWay, "waits for nothing")
  }

  private mutating func follow(_ command: SignInSession.Command) {
    switch command {
    case .send(let id): send(id.rawValue)
    case .fail(let id, _):
      require(open[id.rawValue]?.isSent == false, "fails what is answered or under way")
      open[id.rawValue] = nil
      counts[2] += 1
    case .awaitTurn:
      if case .none = turn {} else { require(false, "two turns at once") }
      turn = .awaited
    case .refresh:
      if case .taken = turn {} else { require(false, "a refresh out of its turn") }
      require(kept != nil, "a refresh for nobody")
      turn = .refreshing(kept?.token ?? 0)
      counts[0] += 1
    case .endTurn:
      if case .none = turn { require(false, "ends no turn") }
      turn = .none
    case .forgetSession:
      require(kept != nil && kept?.token == refused, "forgets a session that was not refused")
      kept = nil
      isIntroduced = false
      counts[3] += 1
    }
  }

  private mutating func send(_ number: Int32) {
    guard let request = open[number], !request.isSent else {
      return require(false, "sends what is not there")
    }
    guard request.kind != .sentElsewhere else { return open[number] = nil }
    require(request.account == nil || request.account == kept?.account, "goes as somebody else")
    require(request.tries < 2, "is sent a third time")
    if request.tries == 1 {
      require(request.token != nil && request.token != kept?.token, "is sent again by the same token")
      counts[1] += 1
    }
    if case .refreshing(let old) = turn {
      require(kept?.token != old, "is sent by a token that is refreshed")
    }
    if kept == nil, request.kind == .writes, !isIntroduced {
      let others = open.values.contains { $0.isSent && $0.kind == .writes && $0.token == nil }
      require(!others, "two things that a guest leaves at once")
    }
    open[number]!.isSent = true
    open[number]!.tries += 1
    open[number]!.token = kept?.token
  }
}
