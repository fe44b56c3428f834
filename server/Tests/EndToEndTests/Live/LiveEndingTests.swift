import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import Live
@testable import PlatformTesting
@testable import ServerTesting

/// A stream of live events lasts no longer than the right to it.
@Suite(.everyEngine) struct LiveEndingTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let accounts: Accounts
  private let new = NewAccount("mara")

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
  }

  enum Ending: CaseIterable { case signOut, suspension, deletion, password, role }

  private func end(_ ending: Ending, _ session: Session, by accounts: Accounts) async throws {
    switch ending {
    case .signOut: try await accounts.signOut(refreshToken: try #require(session.refreshToken))
    case .suspension: try await accounts.setSuspended(true, handle: "mara")
    case .deletion:
      try await accounts.delete(session.account.id, AccountDeletion(password: new.password))
    case .password:
      try await accounts.changePassword(
        of: session.account.id, session: nil,
        PasswordChange(currentPassword: new.password, newPassword: "another long one"))
    case .role: try await accounts.setRole(.moderator, handle: "mara")
    }
  }

  private func hub() -> LiveHub {
    LiveHub(log: bench.instance.liveLog, bus: MemoryCache(), time: clock, pollEvery: .seconds(100_000))
  }

  private func listen(_ port: Int, _ session: Session) async throws -> OpenSocket {
    let socket = try OpenSocket(port: port)
    let token = try #require(session.accessToken)
    try socket.send("GET /api/v1/live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n")
    let start = try #require(try await socket.read(through: "event: ready\ndata: {}\n\n\r\n"))
    #expect(start.hasPrefix("HTTP/1.1 200 "), "\(start)")
    return socket
  }

  @Test(arguments: Ending.allCases, [false, true])
  func aStreamEndsWithTheSessionAndWithTheAccountAsItWas(_ ending: Ending, _ isElsewhere: Bool) async throws {
    let session = try await accounts.signUp(new, guest: nil, client: "")
    let other =
      isElsewhere
      ? try await bench.another().accounts(hashing: CountingPasswords(), time: clock) : accounts
    let hub = hub()
    try await bench.instance.serving(accounts: accounts, time: clock, live: hub) { transport in
      let socket = try await listen(transport.port, session)
      try await end(ending, session, by: other)
      // What another process has ended is looked up this often.
      clock.advance(ms: 2000)
      await hub.poll(beating: false)
      #expect(try await socket.read(through: "0\r\n\r\n") == "0\r\n\r\n", "nothing comes before its end")
    }
  }

  @Test func otherSessionsAndGuestsGoOnListening() async throws {
    let first = try await accounts.signUp(new, guest: nil, client: "")
    let second = try await accounts.signIn(
      NewSession(handle: "mara", password: new.password, transport: .token), guest: nil, client: "")
    let hub = hub()
    let streams = LiveStreams(hub: hub, accounts: accounts)
    let viewer = try await accounts.viewer(ofAccessToken: try #require(second.accessToken))
    let guest = Viewer(id: "guest", standing: .guest)
    let opened = try [viewer, guest].map { try #require(try streams.open($0, after: nil) as? LiveStream) }
    try await end(.signOut, first, by: accounts)
    clock.advance(ms: 2000)
    await hub.poll(beating: false)
    for stream in opened {
      stream.signals.raise(.heartbeat)
      #expect(await stream.signals.wait() == .heartbeat)
    }
  }

  @Test func whoComesBackWithANewTokenIsNotSentAwayAgain() async throws {
    let session = try await accounts.signUp(new, guest: nil, client: "")
    try await end(.role, session, by: accounts)
    clock.advance(ms: 2001)
    let fresh = try await accounts.refresh(try #require(session.refreshToken), client: "")
    let viewer = try await accounts.viewer(ofAccessToken: try #require(fresh.accessToken))
    let hub = hub()
    let opened = try LiveStreams(hub: hub, accounts: accounts).open(viewer, after: nil)
    let stream = try #require(opened as? LiveStream)
    await hub.poll(beating: false)
    stream.signals.raise(.heartbeat)
    #expect(await stream.signals.wait() == .heartbeat)
  }
}
