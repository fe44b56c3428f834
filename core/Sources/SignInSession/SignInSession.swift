public import CoreTypes

/// When a request of the API may go, and under which token: an access token is refreshed before it is over,
/// by one refresh for all that wait, and the first thing that a guest leaves goes alone, since two at once
/// would make two guests.
///
/// It refuses to know what is asked for, how requests travel, and what tokens look like.
///
/// Invariants:
/// - Each request ends once: it is answered, or it fails.
/// - What an account wanted goes as that account or not at all. What a guest wanted may go as an account.
/// - A request is sent twice at most, the second time after its token was refused, and by another one.
/// - At most one refresh is under way, in a turn; each turn that was asked for is ended once. Nothing is sent
///   by a token that is being refreshed.
/// - Nothing that a guest writes is sent while something else that a guest writes is under way, until one of
///   them was answered. What only reads does not wait for it.
/// - A session is forgotten only if the server refused the token that is kept.
/// - Nothing waits unless a turn or something that a guest writes is under way.
public struct SignInSession: Sendable {
  /// A token that would be over while a request travels is refreshed before.
  public static let margin = Milliseconds(15_000)
  /// What another tab or process has kept is seen so late at most.
  public static let lateness = Milliseconds(100)

  private struct Holder: Sendable {
    var account: AccountID
    var token: TokenID
  }

  private struct Request: Sendable {
    enum Stage: Sendable { case waitingForGuest, waitingForToken, sent }

    let id: APIRequestID
    let kind: RequestKind
    /// Whoever wanted it, by the token that it goes by or that is refreshed for it; `nil` for a guest.
    var holder: Holder?
    var stage: Stage
    /// Its token was refused once.
    var isRepeated = false

    /// It makes a guest, if there is none yet.
    var isOfGuest: Bool { holder == nil && kind == .writes }
  }

  private enum Refresh: Sendable {
    case none
    case awaitingTurn
    /// Has the turn, and looks whether another tab has refreshed.
    case looking(until: Instant)
    case asking(TokenID)
  }

  private var holder: Holder?
  /// In the order in which they came.
  private var requests: [Request] = []
  private var refresh = Refresh.none
  /// Something that this guest left was answered, so the device has the guest's token.
  private var isIntroduced = false

  public init() {}

  public var nextWake: Instant? {
    if case .looking(let until) = refresh { until } else { nil }
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .accountFound(let account, let token): find(Holder(account: account, token: token), emit)
    case .guestFound: leave(emit)
    case .requestWanted(let id, let kind, let life): want(id, kind, life: life, emit)
    case .requestAnswered(let id): answered(id, emit)
    case .requestFailed(let id, let status, let problem): failed(id, status: status, problem, emit)
    case .turnCame: takeTurn(at: now, emit)
    case .refreshAnswered: refreshAnswered(emit)
    case .refreshFailed(let status): refreshFailed(status: status, emit)
    case .woke: wake(at: now, emit)
    }
  }

  // MARK: Who is signed in

  private mutating func find(_ found: Holder, _ emit: (Command) -> Void) {
    guard holder?.token != found.token else { return }
    holder = found
    release(emit)
  }

  private mutating func leave(_ emit: (Command) -> Void) {
    guard holder != nil else { return }
    holder = nil
    // The guest that the account was before is no more.
    isIntroduced = false
    release(emit)
  }

  // MARK: Requests

  private mutating func want(
    _ id: APIRequestID, _ kind: RequestKind, life: Milliseconds, _ emit: (Command) -> Void
  ) {
    guard !requests.contains(where: { $0.id == id }) else { return }
    let index = requests.count
    requests.append(Request(id: id, kind: kind, holder: holder, stage: .waitingForGuest))
    if holder != nil, life < Self.margin {
      wait(index, emit)
    } else if holder != nil {
      sendFresh(index, emit)
    } else if kind != .writes || !isIntroducing {
      send(index, emit)
    }
  }

  private mutating func answered(_ id: APIRequestID, _ emit: (Command) -> Void) {
    guard let index = sent(id) else { return }
    let request = requests.remove(at: index)
    guard request.isOfGuest, holder == nil else { return }
    isIntroduced = true
    release(emit)
  }

  private mutating func failed(
    _ id: APIRequestID, status: Int32, _ problem: Problem, _ emit: (Command) -> Void
  ) {
    guard let index = sent(id) else { return }
    let request = requests[index]
    let isRefused = status == 401 && problem != .other
    if isRefused, let before = request.holder, !request.isRepeated {
      requests[index].isRepeated = true
      if holder?.account == before.account, holder?.token != before.token { return sendFresh(index, emit) }
      if problem == .accessTokenExpired, holder?.token == before.token { return wait(index, emit) }
      if problem == .accessTokenExpired { return fail(index, .signedOut, emit) }
    }
    let isOver = isRefused && problem != .accessTokenExpired
    fail(index, isOver ? .ended : .answered, emit)
    if isOver { forget(request.holder?.token, emit) }
    // The next one takes its place.
    if request.isOfGuest, !isIntroducing,
      let next = requests.firstIndex(where: { $0.stage == .waitingForGuest })
    {
      send(next, emit)
    }
  }

  private func sent(_ id: APIRequestID) -> Int? {
    requests.firstIndex { $0.id == id && $0.stage == .sent }
  }

  /// A guest is being made.
  private var isIntroducing: Bool {
    !isIntroduced && requests.contains { $0.isOfGuest && $0.stage == .sent }
  }

  private mutating func send(_ index: Int, _ emit: (Command) -> Void) {
    emit(.send(requests[index].id))
    requests[index].holder = holder
    requests[index].stage = .sent
    if requests[index].kind == .sentElsewhere { requests.remove(at: index) }
  }

  /// By the token that is there, unless it is being refreshed.
  private mutating func sendFresh(_ index: Int, _ emit: (Command) -> Void) {
    if isRefreshing { wait(index, emit) } else { send(index, emit) }
  }

  /// What is sent elsewhere goes all the same: what becomes of it says more than nothing.
  private mutating func fail(_ index: Int, _ reason: Reason, _ emit: (Command) -> Void) {
    let request = requests.remove(at: index)
    emit(request.kind == .sentElsewhere ? .send(request.id) : .fail(request.id, reason))
  }

  /// Lets those go that wait, if they are still wanted by whoever is there.
  private mutating func release(_ emit: (Command) -> Void) {
    while let index = requests.firstIndex(where: { $0.stage != .sent }) {
      let wanting = requests[index].holder?.account
      if wanting == nil || wanting == holder?.account {
        send(index, emit)
      } else {
        fail(index, .signedOut, emit)
      }
    }
  }

  // MARK: The refresh

  /// The token that is kept. NB: whoever waits waits for another one in its place, since that lets them go.
  private var isRefreshing: Bool {
    if case .asking(let old) = refresh, old == holder?.token { true } else { isAwaited }
  }

  /// Until there is another token.
  private mutating func wait(_ index: Int, _ emit: (Command) -> Void) {
    requests[index].holder = holder
    requests[index].stage = .waitingForToken
    beginRefresh(emit)
  }

  private mutating func beginRefresh(_ emit: (Command) -> Void) {
    guard case .none = refresh else { return }
    refresh = .awaitingTurn
    emit(.awaitTurn)
  }

  private mutating func takeTurn(at now: Instant, _ emit: (Command) -> Void) {
    guard case .awaitingTurn = refresh else { return }
    refresh = .looking(until: now + Self.lateness)
  }

  private mutating func wake(at now: Instant, _ emit: (Command) -> Void) {
    guard case .looking(let until) = refresh, now >= until else { return }
    // Another was first, and its token is ours.
    guard let holder, isAwaited else { return endTurn(emit) }
    refresh = .asking(holder.token)
    emit(.refresh)
  }

  private mutating func refreshAnswered(_ emit: (Command) -> Void) {
    guard case .asking(let old) = refresh else { return }
    endTurn(emit)
    // NB: a host that cannot keep what it got goes on with it.
    if holder?.token == old { release(emit) }
    if isAwaited { beginRefresh(emit) }
  }

  private mutating func refreshFailed(status: Int32, _ emit: (Command) -> Void) {
    guard case .asking(let old) = refresh else { return }
    endTurn(emit)
    if status == 401 { forget(old, emit) }
    while holder?.token == old, let index = requests.firstIndex(where: { $0.stage == .waitingForToken }) {
      fail(index, .refreshFailed, emit)
    }
    if isAwaited { beginRefresh(emit) }
  }

  private mutating func endTurn(_ emit: (Command) -> Void) {
    refresh = .none
    emit(.endTurn)
  }

  private var isAwaited: Bool { requests.contains { $0.stage == .waitingForToken } }

  /// The server refused this token for good.
  private mutating func forget(_ token: TokenID?, _ emit: (Command) -> Void) {
    guard let holder, holder.token == token else { return }
    emit(.forgetSession)
    leave(emit)
  }
}
