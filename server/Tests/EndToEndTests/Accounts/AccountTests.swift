import Argon2
import Contract
import Foundation
import Platform
import SQLite
import Synchronization
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Stands for every feature that keeps something by viewer.
private final class Traces: ViewerMerging, ViewerErasing {
  let merged = Mutex<[String]>([])
  let erased = Mutex<[String]>([])
  func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    merged.withLock { $0.append("\(guest) \(account)") }
  }
  func erase(_ viewer: String, in transaction: any Transaction) throws {
    erased.withLock { $0.append(viewer) }
  }
}

private struct Faces: AuthorProfiles {
  func makeFace(id: String, handle: String, name: String, in transaction: any Transaction) throws {
    guard handle != "imported" else { throw AppError(.handleTaken, field: "handle") }
  }
  func renameFace(id: String, name: String, in transaction: any Transaction) throws {}
}

@Suite(.everyEngine) struct AccountTests {
  private let bench: TestInstance
  private let clock = TestTime()
  private let hashing = CountingPasswords()
  private let mail = KeptMail()
  private let traces = Traces()
  private let accounts: Accounts
  private let identities: Identities
  private let guests = GuestTokens(secret: "guests")

  init() async throws {
    bench = try await TestInstance()
    accounts = Accounts(
      database: bench.instance.database, time: clock, hashing: hashing,
      accessTokens: try await bench.instance.accounts(time: clock).accessTokens,
      refreshKeys: TokenKeys(secret: "key"), cursorKeys: TokenKeys(secret: "cursors"),
      around: .init(
        faces: Faces(), merging: [traces], erasing: [traces], mail: mail, origin: "https://clips.example"))
    identities = Identities(guests: guests, accounts: accounts, time: clock)
  }

  private func signIn(_ handle: String, _ password: String, guest: String? = nil) async throws -> Session {
    try await accounts.signIn(
      NewSession(handle: handle, password: password, transport: .token), guest: guest, client: "test")
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  private func sent() async throws -> [Mail] {
    accounts.finishOutbox()
    await accounts.runOutbox { Issue.record($0) }
    return mail.all
  }

  // MARK: Signing up

  @Test func whoSignsUpIsSignedIn() async throws {
    let session = try await accounts.signUp(NewAccount("Mara"), guest: nil, client: "test")
    #expect(session.account.handle == "mara" && session.account.name == "mara")
    let viewer = try await identities.account(ofAccessToken: try #require(session.accessToken))
    #expect(viewer == Viewer(id: session.account.id, standing: .account(session: session.id, role: .member)))
    #expect(try await signIn("MARA", "correct horse").account == session.account)
  }

  @Test func theAccountTakesTheGuestsIdAndTheGuestIsNoMore() async throws {
    let guest = guests.make(at: clock)
    #expect(try await identities.guest(ofToken: guest.token)?.id == guest.id)
    let session = try await accounts.signUp(NewAccount("mara"), guest: guest.id, client: "")
    #expect(session.account.id == guest.id)
    identities.guestsChanged()
    // Otherwise whoever has the guest's token would be the account.
    #expect(try await identities.guest(ofToken: guest.token) == nil)
    #expect(traces.merged.withLock { $0 } == [])
  }

  @Test func aGuestWhoSignsUpTwiceAtOnceMakesTwoAccounts() async throws {
    let guest = guests.make(at: clock).id
    let one = try await accounts.signUp(NewAccount("one"), guest: guest, client: "")
    let other = try await accounts.signUp(NewAccount("other"), guest: guest, client: "")
    #expect(one.account.id == guest && other.account.id != guest)
  }

  @Test(arguments: ["mara", "MARA", "@mara", "imported", "admin"])
  func aHandleIsHadByOneOnly(_ handle: String) async throws {
    _ = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    #expect(
      await refusal { try await accounts.signUp(NewAccount(handle), guest: nil, client: "") } == .handleTaken)
    #expect(try await accounts.newest(10).count == 1)
  }

  @Test func fiftyAtOnceForOneHandleMakeOneAccount() async throws {
    let results = await withTaskGroup(of: ErrorCode?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await refusal { try await accounts.signUp(NewAccount("mara"), guest: nil, client: "") }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0 == nil } == 1)
    #expect(results.count { $0 == .handleTaken } == 19)
  }

  @Test func aTakenAddressIsAnsweredLikeAnyOther() async throws {
    let owner = try await accounts.signUp(NewAccount("first", email: "a@b.example"), guest: nil, client: "")
    #expect(owner.account.email == nil && owner.account.pendingEmail == "a@b.example")
    let other = try await accounts.signUp(NewAccount("other", email: "A@b.example"), guest: nil, client: "")
    #expect(other.account.email == nil && other.account.pendingEmail == "A@b.example")
    let mails = try await sent()
    #expect(mails.map(\.to) == ["a@b.example", "A@b.example"])
    let tokens = mails.compactMap { $0.text.firstMatch(of: /#confirm=(\S+)/)?.output.1 }.map(String.init)
    try await accounts.confirmEmail(tokens[0])
    #expect(await refusal { try await accounts.confirmEmail(tokens[0]) } == .linkOver)
    #expect(await refusal { try await accounts.confirmEmail(tokens[1]) } == .emailTaken)
    #expect(try await signIn("a@B.example", "correct horse").account.id == owner.account.id)
  }

  // MARK: Signing in

  @Test func whateverIsWrongCostsOneComparisonAndGivesOneAnswer() async throws {
    _ = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    for (handle, password) in [
      ("mara", "wrong horse"), ("nobody", "correct horse"), ("", ""), ("a@b.example", "correct horse"),
      ("mara", String(repeating: "x", count: 100_000)), ("x' OR '1'='1", "x' OR '1'='1"),
      ("mara\u{0}", "correct horse"),
    ] {
      hashing.forget()
      #expect(await refusal { try await signIn(handle, password) } == .credentialsWrong)
      let compared = hashing.comparedWith
      #expect(compared.count == 1)
      #expect(compared.allSatisfy { $0.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$") })
    }
  }

  @Test func anAddressThatIsNotConfirmedOpensNothing() async throws {
    _ = try await accounts.signUp(NewAccount("mara", email: "a@b.example"), guest: nil, client: "")
    #expect(await refusal { try await signIn("a@b.example", "correct horse") } == .credentialsWrong)
  }

  @Test func whatAGuestLeftGoesToTheAccountThatSignsIn() async throws {
    let account = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    _ = try await signIn("mara", "correct horse", guest: "g")
    _ = try await signIn("mara", "correct horse", guest: account)
    _ = try await signIn("mara", "correct horse")
    _ = await refusal { try await signIn("mara", "wrong horse", guest: "h") }
    #expect(traces.merged.withLock { $0 } == ["g \(account)"])
  }

  /// As another server may take somebody for a guest who has just signed up.
  @Test func nothingOfAnAccountGoesToAnotherThatSignsIn() async throws {
    let mara = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    _ = try await accounts.signUp(NewAccount("other"), guest: nil, client: "")
    _ = try await signIn("other", "correct horse", guest: mara)
    try await accounts.delete(mara, AccountDeletion(password: "correct horse"))
    _ = try await signIn("other", "correct horse", guest: mara)
    #expect(traces.merged.withLock { $0 } == [])
    // What is still to be removed is not given to a newcomer.
    #expect(try await accounts.signUp(NewAccount("third"), guest: mara, client: "").account.id != mara)
  }

  @Test func aWeakerHashIsMadeAnewWhenThePasswordIsKnown() async throws {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let weak = try await Argon2Passwords(parameters: .init(memoryKiB: 32, passes: 1, lanes: 1)).hash(
      Array("correct horse".utf8))
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET password_hash = ? WHERE id = ?", [.text(weak), .text(session.account.id)])
    }
    _ = try await signIn("mara", "correct horse")
    _ = try await signIn("mara", "correct horse")
    #expect(hashing.comparedWith.last?.hasPrefix("$argon2id$v=19$m=64,") == true)
  }

  // MARK: Passwords

  @Test func aChangedPasswordEndsEveryOtherSession() async throws {
    let first = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let second = try await signIn("mara", "correct horse")
    try await accounts.changePassword(
      of: first.account.id, session: first.id,
      PasswordChange(currentPassword: "correct horse", newPassword: "battery staple"))
    #expect(await refusal { try await signIn("mara", "correct horse") } == .credentialsWrong)
    #expect(
      await refusal { try await accounts.refresh(try #require(second.refreshToken), client: "test") }
        == .sessionEnded)
    #expect(
      await refusal { try await identities.account(ofAccessToken: try #require(second.accessToken)) }
        == .sessionEnded)
    _ = try await identities.account(ofAccessToken: try #require(first.accessToken))
    _ = try await accounts.refresh(try #require(first.refreshToken), client: "")
  }

  /// Whoever knew the old password may have asked for it, and has the link.
  @Test(arguments: [false, true])
  func anAddressThatWaitsIsGoneWithTheOldPassword(_ isReset: Bool) async throws {
    let id = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    let thief = "thief@b.example"
    _ = try await accounts.change(id, AccountChange(email: thief, password: "correct horse"))
    func link() async throws -> String {
      try #require(
        try await accounts.link(.email, email: thief, of: id, lifeMs: Accounts.confirmationLifeMs))
    }
    let before = try await link()
    if isReset {
      try await accounts.reset(try await accounts.resetToken(handle: "mara"), to: "battery staple")
    } else {
      try await accounts.changePassword(
        of: id, session: nil, PasswordChange(currentPassword: "correct horse", newPassword: "battery staple"))
    }
    // The second was on its way meanwhile.
    for token in [before, try await link()] {
      #expect(await refusal { try await accounts.confirmEmail(token) } == .linkOver)
    }
    let account = try await accounts.account(id)
    #expect(account.email == nil && account.pendingEmail == nil)
  }

  @Test func theOldPasswordIsNeededForANewOne() async throws {
    let id = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    let wrong = PasswordChange(currentPassword: "wrong horse", newPassword: "battery staple")
    #expect(
      await refusal { try await accounts.changePassword(of: id, session: nil, wrong) } == .passwordWrong)
    let weak = PasswordChange(currentPassword: "correct horse", newPassword: "password")
    #expect(
      await refusal { try await accounts.changePassword(of: id, session: nil, weak) } == .passwordTooCommon)
  }

  @Test func aLinkSetsAPasswordOnceAndEndsEverySession() async throws {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let token = try await accounts.resetToken(handle: "@Mara")
    #expect(await refusal { try await accounts.reset(token, to: "password") } == .passwordTooCommon)
    try await accounts.reset(token, to: "battery staple")
    #expect(await refusal { try await accounts.reset(token, to: "battery staple 2") } == .linkOver)
    #expect(
      await refusal { try await accounts.refresh(try #require(session.refreshToken), client: "") }
        == .sessionEnded)
    _ = try await signIn("mara", "battery staple")
  }

  @Test(arguments: ["", ".", "x", "x.y", "a.b.c", String(repeating: "x", count: 5000)])
  func whatIsNoLinkIsOver(_ token: String) async throws {
    #expect(await refusal { try await accounts.reset(token, to: "battery staple") } == .linkOver)
    #expect(await refusal { try await accounts.confirmEmail(token) } == .linkOver)
  }

  @Test func aLinkEndsByItselfAndOneOfAnotherPurposeOpensNothing() async throws {
    _ = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let token = try await accounts.resetToken(handle: "mara")
    #expect(await refusal { try await accounts.confirmEmail(token) } == .linkOver)
    clock.advance(ms: Accounts.operatorLinkLifeMs + 1)
    #expect(await refusal { try await accounts.reset(token, to: "battery staple") } == .linkOver)
  }

  @Test func aResetIsWrittenToTheConfirmedAddressAndToNobodyElse() async throws {
    _ = try await accounts.signUp(NewAccount("bare"), guest: nil, client: "")
    _ = try await accounts.signUp(NewAccount("pending", email: "p@b.example"), guest: nil, client: "")
    let mara = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET email = 'M@b.example', email_key = 'm@b.example' WHERE id = ?", [.text(mara)])
    }
    for name in ["bare", "pending", "p@b.example", "nobody", "x@y.example", "@MARA", "m@b.example", ""] {
      accounts.requestReset(of: name)
    }
    for _ in 0..<5 { accounts.requestReset(of: "mara") }
    let resets = try await sent().filter { $0.text.contains("#reset=") }
    // No more than three are open at a time: strangers can ask for them.
    #expect(resets.map(\.to) == ["M@b.example", "M@b.example", "M@b.example"])
    let token = try #require(
      resets[0].text.firstMatch(of: /https:\/\/clips\.example\/#reset=(\S+)/)?.output.1)
    try await accounts.reset(String(token), to: "battery staple")
  }

  // MARK: Changing and deleting

  @Test func anAddressIsChangedWithThePasswordOnly() async throws {
    let id = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    #expect(
      await refusal { try await accounts.change(id, AccountChange(email: "a@b.example")) } == .passwordWrong)
    let changed = try await accounts.change(
      id, AccountChange(name: "Mara  Lind", email: "a@b.example", password: "correct horse"))
    #expect(changed.name == "Mara Lind" && changed.pendingEmail == "a@b.example" && changed.email == nil)
    let none = try await accounts.change(id, AccountChange(email: "", password: "correct horse"))
    #expect(none.pendingEmail == nil && none.name == "Mara Lind")
    // What was sent before confirms nothing any more.
    #expect(try await sent().isEmpty)
  }

  @Test func whoGivesTheAddressThatIsConfirmedWaitsForNoOther() async throws {
    let id = try await accounts.signUp(NewAccount("mara", email: "a@b.example"), guest: nil, client: "")
      .account.id
    func link(_ email: String) async throws -> String {
      try #require(
        try await accounts.link(.email, email: email, of: id, lifeMs: Accounts.confirmationLifeMs))
    }
    try await accounts.confirmEmail(try await link("a@b.example"))
    _ = try await accounts.change(id, AccountChange(email: "typo@b.example", password: "correct horse"))
    let typo = try await link("typo@b.example")
    let account = try await accounts.change(
      id, AccountChange(email: "a@b.example", password: "correct horse"))
    #expect(account.email == "a@b.example" && account.pendingEmail == nil)
    #expect(await refusal { try await accounts.confirmEmail(typo) } == .linkOver)
  }

  @Test func aDeletedAccountLeavesNothingAndItsHandleIsFree() async throws {
    let session = try await accounts.signUp(NewAccount("mara", email: "a@b.example"), guest: nil, client: "")
    #expect(
      await refusal {
        try await accounts.delete(session.account.id, AccountDeletion(password: "wrong horse"))
      }
        == .passwordWrong)
    _ = try await accounts.resetToken(handle: "mara")
    try await accounts.delete(session.account.id, AccountDeletion(password: "correct horse"))
    #expect(traces.erased.withLock { $0 } == [session.account.id])
    for table in ["accounts", "sessions", "account_links"] {
      let rows = try await bench.instance.database.read { try $0.query("SELECT * FROM \(table)").count }
      #expect(rows == 0, "\(table)")
    }
    #expect(
      await refusal { try await identities.account(ofAccessToken: try #require(session.accessToken)) }
        == .sessionEnded)
    _ = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
  }

  // MARK: The operator

  @Test func aSuspensionAndARoleAreKnownWithTheNextToken() async throws {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let token = try #require(session.accessToken)
    try await accounts.setSuspended(true, handle: "mara")
    // Not an end: the client refreshes, and learns.
    #expect(await refusal { try await identities.account(ofAccessToken: token) } == .accessTokenExpired)
    clock.advance(ms: 1)
    let next = try await accounts.refresh(try #require(session.refreshToken), client: "")
    #expect(next.account.suspended)
    #expect(try await identities.account(ofAccessToken: try #require(next.accessToken)).isSuspended)
    clock.advance(ms: 1)
    try await accounts.setSuspended(false, handle: "mara")
    try await accounts.setRole(.moderator, handle: "mara")
    clock.advance(ms: 1)
    let last = try await accounts.refresh(try #require(next.refreshToken), client: "")
    let viewer = try await identities.account(ofAccessToken: try #require(last.accessToken))
    #expect(viewer.role == .moderator && !viewer.isSuspended)
  }

  /// The comparison of a password takes its time, in which anything may happen.
  @Test func aRepeatedSignUpSaysWhatIsSoOnceItIsAnswered() async throws {
    struct Interrupted: PasswordHashing {
      let inner: CountingPasswords
      let work: @Sendable () async throws -> Void
      var decoy: String { inner.decoy }
      func hash(_ password: [UInt8]) async throws -> String { try await inner.hash(password) }
      func isOutdated(_ hash: String) -> Bool { inner.isOutdated(hash) }
      func isRight(_ password: [UInt8], for hash: String) async throws -> Bool {
        try await work()
        return try await inner.isRight(password, for: hash)
      }
    }
    _ = try await accounts.signUp(NewAccount("mara"), idempotencyKey: "k", guest: nil, client: "")
    let slow = Accounts(
      database: bench.instance.database, time: clock,
      hashing: Interrupted(inner: hashing) { [accounts, clock] in
        try await accounts.setSuspended(true, handle: "mara")
        clock.advance(ms: 1)
      }, accessTokens: accounts.accessTokens, refreshKeys: TokenKeys(secret: "key"),
      cursorKeys: TokenKeys(secret: "cursors"), around: .init(faces: Faces()))
    let again = try await slow.signUp(NewAccount("mara"), idempotencyKey: "k", guest: nil, client: "")
    #expect(again.account.suspended)
    #expect(try await identities.account(ofAccessToken: try #require(again.accessToken)).isSuspended)
  }

  @Test func anotherProcessHearsOfARevocationWithinSeconds() async throws {
    let other = Accounts(
      database: bench.instance.database, time: clock, hashing: hashing, accessTokens: accounts.accessTokens,
      refreshKeys: TokenKeys(secret: "key"), cursorKeys: TokenKeys(secret: "cursors"),
      around: .init(faces: Faces()))
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let token = try #require(session.accessToken)
    _ = try await other.viewer(ofAccessToken: token)
    try await accounts.endSession(session.id, of: session.account.id)
    clock.advance(ms: Revocations.pollMs)
    #expect(await refusal { try await other.viewer(ofAccessToken: token) } == .sessionEnded)
  }
}
