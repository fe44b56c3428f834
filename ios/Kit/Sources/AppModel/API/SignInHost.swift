public import Contract
internal import CoreTypes
public import Foundation
public import Observation
public import Playback
internal import SignInSession

/// Sends requests of the API in the name of whoever uses this device. The core's `SignInSession` decides when
/// one may go and under which token; this carries it out and reports. It keeps the tokens, and refuses to
/// know what is asked for, but for the few requests that begin or end a session.
///
/// Wiring, once, in the composition root:
///
///     let signIn = SignInHost(
///       over: HTTPTransport(base: server), store: KeychainStore(service: bundleIdentifier, server: server),
///       clock: SystemClock(), client: "Clipfeed/1.0 (iPhone; iOS 18.5)")
///     let client = Client(transport: signIn)
///     signIn.onChanged { account in … }   // somebody else, or nobody, asks from now on
///     signIn.onOver { announcements.post("You are signed out. Sign in again.") }
///
/// - A session that begins (signing up or in, by whatever way) is kept before its answer is handed on, one
///   that ends is forgotten: no screen has to be there for it.
/// - What cannot be read from the store is never written over by a guest's.
/// - What is sent by other means (parts of an upload, the live stream) asks for `headers()` first.
@MainActor @Observable public final class SignInHost {
  /// What waits for its turn, or for its answer.
  private struct Row {
    /// None for what is sent elsewhere.
    let request: WireRequest?
    var continuation: CheckedContinuation<WireResponse, any Error>?
    var task: Task<Void, Never>?
    /// What came of the last try, as whoever asked gets it.
    var outcome: Result<WireResponse, any Error>?
  }

  @ObservationIgnored private let transport: any Transport
  @ObservationIgnored let wallClock: @Sendable () -> Date
  @ObservationIgnored let clock: any HostClock
  @ObservationIgnored let client: String
  @ObservationIgnored let core: SignInCore
  @ObservationIgnored var safe: CredentialSafe
  @ObservationIgnored private var rows: [Int32: Row] = [:]
  @ObservationIgnored private var lastRequest: Int32 = 0
  // What the core was told of last.
  @ObservationIgnored private var reported: Credentials.Session?
  @ObservationIgnored private var account: Int32 = 0
  @ObservationIgnored private var token: Int32 = 0
  /// When the access token ends by the clock that nobody sets; unknown for one of an earlier start.
  @ObservationIgnored var tokenEnd: Instant?
  @ObservationIgnored private var refreshFailure: any Error = APIError.intercepted
  @ObservationIgnored private var changeListeners: [(SignedInAccount?) -> Void] = []
  @ObservationIgnored private var overListeners: [() -> Void] = []

  /// Whoever is signed in; `nil` for a guest, and as long as the store cannot be read.
  public internal(set) var signedIn: SignedInAccount?

  /// `client`: what the server's list of devices calls this one; it must stay the same from start to start.
  public init(
    over transport: any Transport, store: any CredentialStore, clock: any HostClock, client: String,
    wallClock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transport = transport
    self.clock = clock
    self.client = client
    self.wallClock = wallClock
    core = SignInCore(clock: clock)
    safe = CredentialSafe(store)
    core.carryOut = { [weak self] in self?.carryOut($0) }
    unlock()
  }

  /// `listener` hears of another account, or of nobody, from now on; not of another name.
  public func onChanged(_ listener: @escaping (SignedInAccount?) -> Void) { changeListeners.append(listener) }

  /// `listener` hears that the session ended by itself.
  public func onOver(_ listener: @escaping () -> Void) { overListeners.append(listener) }

  /// Reads the store if that was not possible so far: the system says when the device is unlocked.
  public func unlock() {
    guard safe.open() else { return }
    reportWho()
  }

  /// The server's newer word on the account.
  public func renew(_ account: Account) {
    guard safe.credentials.session?.account.id == account.id else { return }
    safe.credentials.session?.account.handle = account.handle
    safe.credentials.session?.account.name = account.name
    safe.save()
    signedIn = safe.credentials.session?.account
  }

  /// Keeps the session no longer.
  public func forget() {
    guard safe.credentials.session != nil else { return }
    safe.credentials.session = nil
    tokenEnd = nil
    safe.save()
    reportWho()
  }

  /// What a request brings that is sent by other means: a token that counts, if there is one.
  public func headers() async -> [String: String] {
    _ = try? await ask(nil, .sentElsewhere)
    return headers(for: Route.live.path())
  }

  // MARK: Who asks

  /// Who is signed in comes before what happens.
  private func reportWho() {
    let before = reported
    let now = safe.credentials.session
    guard before?.accessToken != now?.accessToken || before?.account.id != now?.account.id else { return }
    reported = now
    if let now {
      token &+= 1
      if now.account.id != before?.account.id { account &+= 1 }
    }
    signedIn = now?.account
    core.report(now == nil ? .guestFound : .accountFound(AccountID(account), TokenID(token)))
    guard now?.account.id != before?.account.id else { return }
    for listener in changeListeners { listener(now?.account) }
  }

  /// A session of the server's, in its `response`, begins or goes on.
  private func begin(_ session: Session, _ response: WireResponse) {
    guard let access = session.accessToken, let refresh = session.refreshToken else { return }
    let (seconds, life) = TokenLife.of(session, response, at: wallClock())
    let account = session.account
    safe.credentials.session = Credentials.Session(
      id: session.id,
      account: SignedInAccount(id: account.id, handle: account.handle, name: account.name),
      accessToken: access, refreshToken: refresh, until: wallClock().addingTimeInterval(seconds))
    tokenEnd = clock.now + life
    // Who was a guest is this account, or was merged into it: the guest's token counts no more.
    safe.credentials.guest = nil
    safe.save()
    reportWho()
  }

  // MARK: Requests

  private func ask(_ request: WireRequest?, _ kind: SignInSession.RequestKind) async throws -> WireResponse {
    unlock()
    // Written as nobody it would make another guest of somebody who is known here.
    guard safe.isOpen || kind != .writes else { throw APIError.credentialsLocked }
    safe.saveAgain()
    lastRequest &+= 1
    let number = lastRequest
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        rows[number] = Row(request: request, continuation: continuation)
        core.report(.requestWanted(APIRequestID(number), kind, life: life))
      }
    } onCancel: {
      Task { @MainActor in self.cancel(number) }
    }
  }

  private var life: Milliseconds {
    guard let session = safe.credentials.session else { return .zero }
    if let tokenEnd { return max(tokenEnd - clock.now, .zero) }
    return TokenLife.milliseconds(session.until.timeIntervalSince(wallClock()))
  }

  /// Whoever asked waits no longer. The core hears of it once the request has ended.
  private func cancel(_ number: Int32) {
    guard let row = rows[number] else { return }
    rows[number]?.continuation = nil
    row.task?.cancel()
    row.continuation?.resume(throwing: CancellationError())
  }

  private func carryOut(_ command: SignInSession.Command) {
    switch command {
    case .send(let request): send(request)
    case .fail(let request, let reason): fail(request, reason)
    // No other process of this app refreshes.
    case .awaitTurn: core.report(.turnCame)
    case .refresh: refresh()
    case .endTurn: break
    case .forgetSession:
      forget()
      for listener in overListeners { listener() }
    }
  }

  private func send(_ id: APIRequestID) {
    guard let row = rows[id.rawValue] else { return }
    guard let request = row.request else {
      return end(id, .success(WireResponse(status: 204, headers: [:], body: Data())))
    }
    guard row.continuation != nil else {
      rows[id.rawValue] = nil
      return core.report(.requestFailed(id, status: 0, .other))
    }
    let session = safe.credentials.session?.id
    rows[id.rawValue]?.task = Task { [weak self] in
      let outcome = await self?.outcome(of: request)
      if let outcome { self?.came(outcome, to: request, id, of: session) }
    }
  }

  private func came(
    _ outcome: Result<WireResponse, any Error>, to request: WireRequest, _ id: APIRequestID,
    of session: String?
  ) {
    guard case .success(let response) = outcome, response.status < 400 else {
      rows[id.rawValue]?.outcome = outcome
      let (status, problem) = Refusal.of(outcome)
      return core.report(.requestFailed(id, status: status, problem))
    }
    switch SessionChange.of(request, response) {
    case .begins(let new): begin(new, response)
    case .ends where session == safe.credentials.session?.id: forget()
    case .ends, nil: break
    }
    end(id, outcome)
    core.report(.requestAnswered(id))
  }

  private func fail(_ id: APIRequestID, _ reason: SignInSession.Reason) {
    let over = Problem(.sessionEnded, detail: "You are signed out. Sign in again.", requestID: "")
    switch reason {
    case .answered, .ended: end(id, rows[id.rawValue]?.outcome ?? .failure(over))
    case .signedOut: end(id, .failure(over))
    case .refreshFailed: end(id, .failure(refreshFailure))
    }
  }

  private func end(_ id: APIRequestID, _ outcome: Result<WireResponse, any Error>) {
    rows.removeValue(forKey: id.rawValue)?.continuation?.resume(with: outcome)
  }

  private func refresh() {
    guard let token = safe.credentials.session?.refreshToken,
      let request = try? SessionRequest.refresh(token)
    else { return core.report(.refreshFailed(status: 0)) }
    Task { [weak self] in
      let outcome = await self?.outcome(of: request, isTimed: true)
      if let outcome { self?.refreshed(outcome, by: token) }
    }
  }

  private func refreshed(_ outcome: Result<WireResponse, any Error>, by token: String) {
    // Somebody signed out or in meanwhile: that stays.
    guard safe.credentials.session?.refreshToken == token else { return core.report(.refreshAnswered) }
    if case .success(let response) = outcome, response.status < 400 {
      if let session: Session = try? WireCoding.decode(from: response.body), session.accessToken != nil {
        begin(session, response)
        return core.report(.refreshAnswered)
      }
      refreshFailure = APIError.intercepted
      return core.report(.refreshFailed(status: 0))
    }
    refreshFailure = Refusal.error(of: outcome)
    core.report(.refreshFailed(status: Refusal.of(outcome).status))
  }

  // MARK: One exchange

  private func outcome(of request: WireRequest, isTimed: Bool = false) async -> Result<
    WireResponse, any Error
  > {
    do {
      return .success(try await exchange(request, isTimed: isTimed))
    } catch {
      return .failure(error)
    }
  }

  private func exchange(_ request: WireRequest, isTimed: Bool) async throws -> WireResponse {
    let guest = safe.credentials.session == nil ? safe.credentials.guest : nil
    let response = try await deliver(request, isTimed: isTimed)
    guard let guest, Refusal.of(.success(response)) == (401, .accessTokenInvalid) else { return response }
    // A guest's token that counts no more must not stay in the way, as no cookie of a browser does.
    if safe.credentials.guest == guest {
      safe.credentials.guest = nil
      safe.save()
    }
    guard safe.credentials.session == nil else { return response }
    return try await deliver(request, isTimed: isTimed)
  }

  private func deliver(_ request: WireRequest, isTimed: Bool) async throws -> WireResponse {
    var signed = request
    // The refresh shows its own token.
    let isRefresh = Route.sessionRefresh.matches(request.target)
    signed.headers.merge(headers(for: request.target, isRefresh: isRefresh)) { $1 }
    let transport = transport
    let response =
      isTimed
      ? try await Patience.wait { [signed] in try await transport.send(signed) }
      : try await transport.send(signed)
    guard Interception.isOurs(response) else { throw APIError.intercepted }
    let before = safe.credentials
    safe.credentials.take(setCookie: response.headers["set-cookie"])
    if safe.credentials != before { safe.save() }
    return response
  }

  private func headers(for target: String, isRefresh: Bool = false) -> [String: String] {
    var headers = ["user-agent": client]
    let credentials = safe.credentials
    var cookies: [String] = []
    if let session = credentials.session {
      if !isRefresh { headers["authorization"] = "Bearer \(session.accessToken)" }
    } else if let guest = credentials.guest {
      headers["authorization"] = "Bearer \(guest.value)"
      // As a cookie too: the server gives another one when its keys change, and to nobody but who has this.
      cookies.append(guest.field)
    }
    if let device = credentials.device, SessionRequest.wantsDevice(target) { cookies.append(device.field) }
    if !cookies.isEmpty { headers["cookie"] = cookies.joined(separator: "; ") }
    return headers
  }
}

extension SignInHost: Transport {
  nonisolated public func send(_ request: WireRequest) async throws -> WireResponse {
    // Media are nobody's business, and no other origin ever sees a token.
    guard request.target.hasPrefix("/api/") else { return try await transport.send(request) }
    let isReading = ["GET", "HEAD", "OPTIONS"].contains(request.method)
    return try await ask(request, isReading ? .reads : .writes)
  }
}
