import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// An account that asks for a code as well, whichever way somebody comes.
@Suite(.everyEngine) struct SecondFactorTests {
  private static let right = "correct horse"
  private static let owner = OwnerProof(password: right)

  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let mail = KeptMail()
  private let corp = Voucher("corp")
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(
      mail: mail, origin: "https://clips.example", hashing: CountingPasswords(), providers: [corp],
      time: clock)
  }

  /// Somebody whose app makes codes, and the codes for whoever has lost it.
  private struct Owner {
    let id: String
    let session: Session
    let secret: [UInt8]
    let recovery: [String]
  }

  private func secret(of account: String) async throws -> [UInt8] {
    try #require(
      try await bench.instance.database.read { try accounts.secondFactors.codeApp(of: account, in: $0) }
    ).secret
  }

  private func code(_ secret: [UInt8], _ offset: Int64 = 0) -> String {
    TimeCode.code(secret, step: TimeCode.step(atMs: clock.nowMs) + offset)
  }

  /// A code that is none of those that count about now.
  private func wrongCode(_ secret: [UInt8]) -> String {
    let right = Set((-2...2).map { code(secret, $0) })
    return (0...5).map { String(repeating: "\($0)", count: 6) }.first { !right.contains($0) } ?? ""
  }

  /// A code of the app that was not used yet.
  private func next(_ owner: Owner) -> String {
    clock.advance(ms: TimeCode.stepMs)
    return code(owner.secret)
  }

  private func mara() async throws -> Owner {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let id = session.account.id
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET email = 'm@b.example', email_key = 'm@b.example' WHERE id = ?", [.text(id)])
    }
    _ = try await accounts.beginCodeApp(of: id, Self.owner)
    let secret = try await secret(of: id)
    let codes = try await accounts.confirmCodeApp(of: id, code: code(secret))
    return Owner(id: id, session: session, secret: secret, recovery: codes.items)
  }

  private func challenge(_ password: String = right) async throws -> String {
    do {
      _ = try await accounts.signIn(
        NewSession(handle: "mara", password: password, transport: .token), guest: nil, client: "")
    } catch let error as AppError where error.code == .secondStepNeeded {
      return try #require(error.challenge)
    }
    throw AppError(.internalError, "no second step was asked for")
  }

  @discardableResult
  private func step(_ challenge: String, _ code: String, guest: String? = nil) async throws -> Session {
    try await accounts.takeSecondStep(
      SecondStep(challenge: challenge, code: code, transport: .token), guest: guest, client: "Firefox/1"
    ).session
  }

  private func kinds(of account: String) async throws -> [String] {
    try await accounts.notices(of: account, cursor: nil, limit: 100).items.map(\.kind)
  }

  // MARK: Setting up

  @Test func anAppCountsOnceACodeOfItHasCome() async throws {
    let id = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    #expect(await refusal { try await accounts.confirmCodeApp(of: id, code: "123456") } == .codeAppMissing)
    let wrong = OwnerProof(password: "wrong horse")
    #expect(await refusal { try await accounts.beginCodeApp(of: id, wrong) } == .passwordWrong)
    let setup = try await accounts.beginCodeApp(of: id, Self.owner)
    let secret = try await secret(of: id)
    #expect(setup.secret == Base32.text(secret) && setup.secret.utf8.count == 32)
    #expect(
      setup.uri
        == "otpauth://totp/clips.example:mara?secret=\(setup.secret)&issuer=clips.example")
    // Nothing is asked for yet.
    _ = try await accounts.signIn(
      NewSession(handle: "mara", password: Self.right, transport: .token), guest: nil, client: "")
    #expect(try await accounts.secondFactors(of: id) == SecondFactors())
    #expect(await refusal { try await accounts.confirmCodeApp(of: id, code: "12345") } == .codeWrong)
    #expect(
      await refusal { try await accounts.confirmCodeApp(of: id, code: code(secret, 2)) } == .codeWrong)
    let codes = try await accounts.confirmCodeApp(of: id, code: code(secret))
    #expect(Set(codes.items).count == Limits.recoveryCodes)
    #expect(
      try await accounts.secondFactors(of: id)
        == SecondFactors(
          codeAppSince: Date(timeIntervalSince1970: 1_800_000_000), recoveryCodes: Limits.recoveryCodes))
    #expect(await refusal { try await accounts.beginCodeApp(of: id, Self.owner) } == .codeAppSetUp)
    #expect(
      await refusal { try await accounts.confirmCodeApp(of: id, code: code(secret, 1)) } == .codeAppSetUp)
    #expect(try await kinds(of: id).first == "code_app_on")
  }

  @Test func aSetupThatWaitedTooLongOrWasBegunAnewIsNone() async throws {
    let id = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    _ = try await accounts.beginCodeApp(of: id, Self.owner)
    let first = try await secret(of: id)
    _ = try await accounts.beginCodeApp(of: id, Self.owner)
    #expect(await refusal { try await accounts.confirmCodeApp(of: id, code: code(first)) } == .codeWrong)
    let second = try await secret(of: id)
    clock.advance(ms: Limits.codeAppSetupMs)
    #expect(
      await refusal { try await accounts.confirmCodeApp(of: id, code: code(second)) } == .codeAppMissing)
    clock.advance(ms: 1)
    try await accounts.sweep()
    let left = try await bench.instance.database.read {
      try accounts.secondFactors.codeApp(of: id, in: $0)
    }
    #expect(left == nil)
  }

  // MARK: Signing in

  @Test func theRightPasswordIsHalfOfIt() async throws {
    let owner = try await mara()
    let challenge = try await challenge()
    #expect(try await kinds(of: owner.id) == ["code_app_on"], "nobody is in yet")
    #expect(try await accounts.waiting(challenge) == owner.id)
    #expect(await refusal { try await step(challenge, wrongCode(owner.secret)) } == .codeWrong)
    let session = try await step(challenge, next(owner))
    #expect(session.account.id == owner.id)
    #expect(try await accounts.refresh(session.refreshToken ?? "", client: "").id == session.id)
    #expect(try await kinds(of: owner.id) == ["new_device", "code_app_on"])
    let another = next(owner)
    #expect(await refusal { try await step(challenge, another) } == .signInOver, "a challenge is good once")
    #expect(await refusal { try await accounts.waiting(challenge) } == .signInOver)
  }

  @Test func aCodeIsGoodOnce() async throws {
    let owner = try await mara()
    // The one that was shown when it was set up, too.
    let first = code(owner.secret)
    let early = try await challenge()
    #expect(await refusal { try await step(early, first) } == .codeWrong)
    let used = next(owner)
    try await step(early, used)
    let late = try await challenge()
    #expect(await refusal { try await step(late, used) } == .codeWrong)
    // One that is older than it, too, though it counts by the clock.
    #expect(await refusal { try await step(late, first) } == .codeWrong)
    try await step(late, code(owner.secret, 1))
  }

  @Test func oneOfTwoWhoBringTheSameCodeAtOnceIsIn() async throws {
    let owner = try await mara()
    let (one, other) = (try await challenge(), try await challenge())
    let code = next(owner)
    async let first = refusal { try await step(one, code) }
    async let second = refusal { try await step(other, code) }
    let outcomes = await [first, second]
    #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .codeWrong } == 1)
  }

  @Test func aRecoveryCodeTakesTheAppsPlaceOnceAndIsTold() async throws {
    let owner = try await mara()
    try await step(try await challenge(), owner.recovery[0])
    #expect(try await accounts.secondFactors(of: owner.id).recoveryCodes == Limits.recoveryCodes - 1)
    let challenge = try await challenge()
    #expect(await refusal { try await step(challenge, owner.recovery[0]) } == .codeWrong)
    try await step(challenge, owner.recovery[1].uppercased().replacing("-", with: " "))
    #expect(try await kinds(of: owner.id).filter { $0 == "recovery_code_used" }.count == 2)
    try await accounts.sendNotices()
    #expect(mail.all.contains { $0.subject == "A recovery code of @mara was used" })
    // Somebody else's codes are no codes.
    let paul = try await accounts.signUp(NewAccount("paul"), guest: nil, client: "").account.id
    _ = try await accounts.beginCodeApp(of: paul, Self.owner)
    let secret = try await secret(of: paul)
    let theirs = try await accounts.confirmCodeApp(of: paul, code: code(secret)).items
    let third = try await self.challenge()
    #expect(await refusal { try await step(third, theirs[0]) } == .codeWrong)
  }

  @Test func codesInTheDatabaseAreHashes() async throws {
    let owner = try await mara()
    let kept = try await bench.instance.database.read { transaction in
      try transaction.query("SELECT code_hash FROM recovery_codes", []).map { try $0.text("code_hash") }
    }
    #expect(kept.count == Limits.recoveryCodes && kept.allSatisfy { $0.utf8.count == 64 })
    #expect(Set(kept).isDisjoint(with: owner.recovery))
  }

  @Test func aChallengeWaitsForTenMinutesAndForTenSignIns() async throws {
    let owner = try await mara()
    let first = try await challenge()
    clock.advance(ms: Limits.secondStepMs + 1)
    let late = code(owner.secret)
    #expect(await refusal { try await step(first, late) } == .signInOver)
    let second = try await challenge()
    for _ in 0..<Limits.secondSteps {
      clock.advance(ms: 1)
      _ = try await challenge()
    }
    #expect(await refusal { try await accounts.waiting(second) } == .signInOver)
    for text in ["", ".", "none.none", "\(owner.id).", owner.id, "\(owner.id).x.y"] {
      #expect(await refusal { try await accounts.waiting(text) } == .signInOver)
    }
    try await accounts.sweep()
  }

  @Test func aNewPasswordLeavesTheSecondStepAndEndsWhatWaitsForIt() async throws {
    let owner = try await mara()
    let before = try await challenge()
    try await accounts.reset(try await accounts.resetToken(handle: "mara"), to: "battery staple")
    let code = next(owner)
    #expect(await refusal { try await step(before, code) } == .signInOver)
    let after = try await challenge("battery staple")
    try await step(after, code)
    let waiting = try await challenge("battery staple")
    try await accounts.changePassword(
      of: owner.id, session: nil,
      PasswordChange(currentPassword: "battery staple", newPassword: Self.right))
    #expect(await refusal { try await accounts.waiting(waiting) } == .signInOver)
    let third = try await challenge()
    try await accounts.endSessions(of: owner.id)
    #expect(await refusal { try await accounts.waiting(third) } == .signInOver)
  }

  @Test func whoComesByAProviderIsAskedForACodeToo() async throws {
    let owner = try await mara()
    func come(_ purpose: SignInPurpose?) async throws -> SignInAnswer {
      let start = try await accounts.beginSignIn(
        at: "corp", for: purpose, account: purpose == nil ? nil : owner.id)
      let state = try #require(URLComponents(string: start.authorizationUrl)?.queryItems?.first?.value)
      return SignInAnswer(transport: .token, flow: start.flow, state: state, code: "ada")
    }
    let ticket = try await accounts.endAccountSignIn(try await come(.connect), at: nil, account: owner.id)
    let identity = try await accounts.connect(
      NewIdentity(ticket: try #require(ticket.ticket), password: Self.right), to: owner.id)
    func enter() async throws -> String {
      do {
        _ = try await accounts.endSignIn(try await come(nil), at: nil, guest: nil, client: "")
      } catch let error as AppError where error.code == .secondStepNeeded {
        return try #require(error.challenge)
      }
      throw AppError(.internalError, "no second step was asked for")
    }
    try await step(try await enter(), next(owner))
    // What a provider vouched for that is disconnected by now is over.
    let waiting = try await enter()
    try await accounts.disconnect(identity.id, from: owner.id, IdentityRemoval(password: Self.right))
    #expect(await refusal { try await accounts.waiting(waiting) } == .signInOver)
  }

  @Test func theKeyOfASignUpOpensNothingOnceACodeIsAskedFor() async throws {
    let key = "a-key-of-a-sign-up"
    let id = try await accounts.signUp(NewAccount("paul"), idempotencyKey: key, guest: nil, client: "")
      .account.id
    _ = try await accounts.signUp(NewAccount("paul"), idempotencyKey: key, guest: nil, client: "")
    _ = try await accounts.beginCodeApp(of: id, Self.owner)
    _ = try await accounts.confirmCodeApp(of: id, code: code(try await secret(of: id)))
    #expect(
      await refusal {
        try await accounts.signUp(NewAccount("paul"), idempotencyKey: key, guest: nil, client: "")
      } == .handleTaken)
  }

  @Test func whoIsSuspendedIsAskedTooAndReads() async throws {
    let owner = try await mara()
    try await accounts.setSuspended(true, handle: "mara")
    let session = try await step(try await challenge(), next(owner))
    #expect(session.account.suspended)
  }

  // MARK: Turning off

  @Test func thePasswordOrAFreshCodeTurnsItOff() async throws {
    let owner = try await mara()
    for (proof, code) in [
      (OwnerProof(), ErrorCode.passwordWrong), (OwnerProof(password: "wrong horse"), .passwordWrong),
      (OwnerProof(code: wrongCode(owner.secret)), .codeWrong),
      (OwnerProof(code: owner.recovery[0]), .codeWrong),
      (OwnerProof(proof: "none"), .signInOver),
    ] {
      #expect(await refusal { try await accounts.removeCodeApp(of: owner.id, proof) } == code)
    }
    let fresh = OwnerProof(code: next(owner))
    try await accounts.removeCodeApp(of: owner.id, fresh)
    #expect(try await accounts.secondFactors(of: owner.id) == SecondFactors())
    #expect(
      await refusal { try await accounts.removeCodeApp(of: owner.id, Self.owner) } == .codeAppMissing)
    _ = try await accounts.signIn(
      NewSession(handle: "mara", password: Self.right, transport: .token), guest: nil, client: "")
    // Ids are in order by the millisecond.
    clock.advance(ms: 1)
    _ = try await accounts.beginCodeApp(of: owner.id, Self.owner)
    _ = try await accounts.confirmCodeApp(of: owner.id, code: code(try await secret(of: owner.id)))
    clock.advance(ms: 1)
    try await accounts.removeCodeApp(of: owner.id, Self.owner)
    #expect(
      try await kinds(of: owner.id).filter { $0.utf8.starts(with: "code_app".utf8) }
        == ["code_app_off", "code_app_on", "code_app_off", "code_app_on"])
  }

  @Test func newRecoveryCodesEndThoseBefore() async throws {
    let owner = try await mara()
    let codes = try await accounts.makeRecoveryCodes(of: owner.id, OwnerProof(code: next(owner))).items
    #expect(codes.count == Limits.recoveryCodes && Set(codes).isDisjoint(with: owner.recovery))
    let challenge = try await challenge()
    #expect(await refusal { try await step(challenge, owner.recovery[0]) } == .codeWrong)
    try await step(challenge, codes[0])
    #expect(try await kinds(of: owner.id).contains("recovery_codes_made"))
  }

  @Test func theOperatorHelpsWhoHasLostBoth() async throws {
    let owner = try await mara()
    #expect(try await accounts.endSecondFactor(handle: "mara"))
    #expect(try await !accounts.endSecondFactor(handle: "mara"))
    _ = try await accounts.signIn(
      NewSession(handle: "mara", password: Self.right, transport: .token), guest: nil, client: "")
    #expect(try await kinds(of: owner.id).contains("code_app_off"))
  }

  @Test func nothingIsLeftOfAnAccountThatIsDeleted() async throws {
    let owner = try await mara()
    _ = try await challenge()
    try await accounts.delete(owner.id, AccountDeletion(password: Self.right))
    for table in ["code_apps", "recovery_codes", "second_steps"] {
      let left = try await bench.instance.database.read {
        try $0.query("SELECT COUNT(*) AS n FROM \(table)", [])[0].integer("n")
      }
      #expect(left == 0, "\(table)")
    }
  }

  @Test func wrongCodesAreToldToTheOwnerOnceADay() async throws {
    let owner = try await mara()
    let challenge = try await challenge()
    for _ in 0..<7 {
      #expect(await refusal { try await step(challenge, wrongCode(owner.secret)) } == .codeWrong)
    }
    accounts.finishOutbox()
    await accounts.runOutbox { Issue.record($0) }
    #expect(try await kinds(of: owner.id).filter { $0 == "wrong_codes" }.count == 1)
    #expect(mail.all.contains { $0.subject == "Wrong codes for @mara" })
  }
}
