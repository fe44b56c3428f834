import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Believes what it is given, which names the question, the key and the count in plain words.
private struct FakeReader: PasskeyReading {
  let site = "clips.example"

  /// `clientData`: the challenge; `attestation`: the credential, how often it signed, whether it knows who.
  func registration(_ clientData: [UInt8], _ attestation: [UInt8]) throws -> PasskeyRegistration {
    let parts = String(decoding: attestation, as: UTF8.self).split(separator: " ")
    guard parts.count == 3 else { throw AppError(.passkeyRefused) }
    return PasskeyRegistration(
      challenge: clientData, credential: Array(parts[0].utf8), key: Array("key of \(parts[0])".utf8),
      signCount: UInt32(parts[1]) ?? 0, isVerified: parts[2] == "verified")
  }

  /// `signature` must be the key.
  func assertion(
    _ clientData: [UInt8], _ authenticatorData: [UInt8], signature: [UInt8], by key: [UInt8]
  ) throws -> PasskeyAssertion {
    let parts = String(decoding: authenticatorData, as: UTF8.self).split(separator: " ")
    guard signature == key, parts.count == 2 else { throw AppError(.passkeyRefused) }
    return PasskeyAssertion(
      challenge: clientData, signCount: UInt32(parts[0]) ?? 0, isVerified: parts[1] == "verified")
  }
}

private struct NoFaces: AuthorProfiles {
  func makeFace(id: String, handle: String, name: String, in transaction: any Transaction) throws {}
  func renameFace(id: String, name: String, in transaction: any Transaction) throws {}
}

/// Keys of devices, and whose they are.
@Suite(.everyEngine) struct PasskeyTests {
  private static let owner = OwnerProof(password: "correct horse")

  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await Self.accounts(bench, clock, FakeReader())
  }

  private static func accounts(
    _ bench: TestInstance, _ clock: TestTime, _ reader: (any PasskeyReading)?
  ) async throws -> Accounts {
    Accounts(
      database: bench.instance.database, time: clock, hashing: CountingPasswords(),
      accessTokens: try await bench.instance.accounts(time: clock).accessTokens,
      refreshKeys: try await bench.instance.keys(.refreshTokens, clock).tokenKeys(),
      cursorKeys: TokenKeys(secret: "cursors"),
      around: .init(faces: NoFaces(), origin: "https://clips.example", passkeys: reader))
  }

  private func encoded(_ text: String) -> String { Base64URL.text(Array(text.utf8)) }

  private func signUp(_ handle: String = "mara") async throws -> String {
    try await accounts.signUp(NewAccount(handle), guest: nil, client: "").account.id
  }

  @discardableResult
  private func add(
    _ credential: String, to account: String, count: Int = 0, is who: String = "verified",
    name: String? = nil
  ) async throws -> Passkey {
    let setup = try await accounts.beginPasskey(of: account, Self.owner)
    return try await accounts.addPasskey(
      of: account,
      NewPasskey(
        clientData: setup.challenge, attestation: encoded("\(credential) \(count) \(who)"), name: name),
      client: "Firefox/1 (Windows)")
  }

  private func answer(
    _ credential: String, count: Int = 0, is who: String = "verified", user: String? = nil,
    question: String? = nil, challenge: String? = nil
  ) throws -> PasskeyAnswer {
    PasskeyAnswer(
      credential: encoded(credential), clientData: try question ?? accounts.passkeyQuestion().challenge,
      authenticatorData: encoded("\(count) \(who)"), signature: encoded("key of \(credential)"),
      user: user.map(encoded), challenge: challenge, transport: .token)
  }

  private func enter(_ answer: PasskeyAnswer) async throws -> Session {
    try await accounts.signIn(answer, guest: nil, client: "")
  }

  private func kinds(of account: String) async throws -> [String] {
    try await accounts.notices(of: account, cursor: nil, limit: 100).items.map(\.kind)
  }

  // MARK: Whose

  @Test func aKeyIsAddedCalledSomethingAndRemovedByItsOwner() async throws {
    let (mara, paul) = (try await signUp(), try await signUp("paul"))
    #expect(
      await refusal { try await accounts.beginPasskey(of: mara, OwnerProof(password: "wrong horse")) }
        == .passwordWrong)
    let setup = try await accounts.beginPasskey(of: mara, Self.owner)
    #expect(
      setup
        == PasskeySetup(
          challenge: setup.challenge, site: "clips.example", user: encoded(mara), handle: "mara",
          name: setup.name, known: []))
    let key = try await add("phone", to: mara)
    #expect(key.name == "Firefox on Windows" && key.usedAt == nil)
    #expect(try await accounts.beginPasskey(of: mara, Self.owner).known == [encoded("phone")])
    #expect(try await accounts.renamePasskey(key.id, of: mara, to: "My phone").name == "My phone")
    #expect(await refusal { try await accounts.renamePasskey(key.id, of: mara, to: "") } == .nameInvalid)
    // Nobody else's.
    #expect(await refusal { try await accounts.renamePasskey(key.id, of: paul, to: "x") } == .passkeyNotFound)
    #expect(
      await refusal { try await accounts.removePasskey(key.id, of: paul, Self.owner) } == .passkeyNotFound)
    #expect(await refusal { try await add("phone", to: paul) } == .passkeyTaken)
    #expect(
      await refusal { try await accounts.removePasskey(key.id, of: mara, OwnerProof()) } == .passwordWrong)
    try await accounts.removePasskey(key.id, of: mara, Self.owner)
    #expect(try await accounts.passkeys(of: mara) == Passkeys(items: [], site: "clips.example"))
    #expect(try await Set(kinds(of: mara)) == ["passkey_added", "passkey_removed"])
    #expect(await refusal { try await enter(try answer("phone")) } == .passkeyRefused)
  }

  @Test func aQuestionIsForOneAccountForAWhileAndOnce() async throws {
    let (mara, paul) = (try await signUp(), try await signUp("paul"))
    let setup = try await accounts.beginPasskey(of: mara, Self.owner)
    func add(_ challenge: String, _ credential: String, to account: String) async -> ErrorCode? {
      let new = NewPasskey(clientData: challenge, attestation: encoded("\(credential) 0 verified"))
      return await refusal { try await accounts.addPasskey(of: account, new) }
    }
    #expect(await add(setup.challenge, "a", to: paul) == .signInOver)
    #expect(await add(try accounts.passkeyQuestion().challenge, "a", to: mara) == .signInOver)
    #expect(await add(encoded("k1.make.\(mara).9999999999999.secret.tag"), "a", to: mara) == .signInOver)
    #expect(await add("", "a", to: mara) == .signInOver)
    #expect(await add(setup.challenge, "a", to: mara) == nil)
    #expect(await add(setup.challenge, "b", to: mara) == .signInOver, "once")
    let late = try await accounts.beginPasskey(of: mara, Self.owner)
    clock.advance(ms: Limits.passkeyMs)
    #expect(await add(late.challenge, "b", to: mara) == .signInOver)
    clock.advance(ms: 1)
    try await accounts.sweep()
  }

  @Test func aDeviceThatDoesNotKnowWhoHoldsItMakesNoKey() async throws {
    let mara = try await signUp()
    #expect(await refusal { try await add("phone", to: mara, is: "touched") } == .passkeyRefused)
    #expect(try await accounts.passkeys(of: mara).items.isEmpty)
  }

  @Test func anAccountHasAsManyAsItMay() async throws {
    let mara = try await signUp()
    for number in 0..<Limits.passkeys {
      clock.advance(ms: 1)
      try await add("key\(number)", to: mara)
    }
    #expect(await refusal { try await accounts.beginPasskey(of: mara, Self.owner) } == .passkeysTooMany)
    #expect(try await accounts.passkeys(of: mara).items.count == Limits.passkeys)
  }

  // MARK: Signing in

  @Test func aKeyOpensItsAccountByItself() async throws {
    let mara = try await signUp()
    try await add("phone", to: mara)
    clock.advance(ms: 5)
    let session = try await enter(try answer("phone", user: mara))
    #expect(session.account.id == mara)
    #expect(
      try await accounts.passkeys(of: mara).items.map(\.usedAt)
        == [Date(timeIntervalSince1970: 1_800_000_000.005)])
    #expect(try await accounts.refresh(session.refreshToken ?? "", client: "").id == session.id)
    #expect(try await kinds(of: mara).first == "new_device")
    #expect(await refusal { try await enter(try answer("phone", is: "touched")) } == .passkeyRefused)
    #expect(await refusal { try await enter(try answer("phone", user: "somebody")) } == .passkeyRefused)
    #expect(await refusal { try await enter(try answer("unknown")) } == .passkeyRefused)
    var forged = try answer("phone")
    forged.signature = encoded("key of another")
    #expect(await refusal { try await enter(forged) } == .passkeyRefused)
  }

  @Test func whatWasSignedIsGoodOnce() async throws {
    let mara = try await signUp()
    try await add("phone", to: mara)
    let answer = try answer("phone")
    _ = try await enter(answer)
    #expect(await refusal { try await enter(answer) } == .signInOver)
    // A question for making a key is none for signing in.
    let setup = try await accounts.beginPasskey(of: mara, Self.owner)
    #expect(
      await refusal { try await enter(try self.answer("phone", question: setup.challenge)) } == .signInOver)
    let early = try self.answer("phone")
    clock.advance(ms: Limits.passkeyMs)
    #expect(await refusal { try await enter(early) } == .signInOver)
  }

  @Test func oneOfTwoWhoBringTheSameAnswerAtOnceIsIn() async throws {
    let mara = try await signUp()
    try await add("phone", to: mara)
    let answer = try answer("phone")
    async let first = refusal { try await enter(answer) }
    async let second = refusal { try await enter(answer) }
    let outcomes = await [first, second]
    #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .signInOver } == 1)
  }

  @Test func aKeyThatCountsMustHaveCountedOn() async throws {
    let mara = try await signUp()
    try await add("stick", to: mara, count: 4)
    _ = try await enter(try answer("stick", count: 7))
    for count in [7, 6, 0] {
      #expect(await refusal { try await enter(try answer("stick", count: count)) } == .passkeyRefused)
    }
    _ = try await enter(try answer("stick", count: 8))
    // One that never counts says 0 for ever.
    try await add("phone", to: mara)
    for _ in 0..<2 { _ = try await enter(try answer("phone")) }
  }

  @Test func behindAPasswordItIsTheSecondStep() async throws {
    let (mara, paul) = (try await signUp(), try await signUp("paul"))
    try await add("phone", to: mara)
    try await add("theirs", to: paul)
    _ = try await accounts.beginCodeApp(of: mara, Self.owner)
    let app = try #require(
      try await bench.instance.database.read { try accounts.secondFactors.codeApp(of: mara, in: $0) })
    _ = try await accounts.confirmCodeApp(
      of: mara, code: TimeCode.code(app.secret, step: TimeCode.step(atMs: clock.nowMs)))
    func challenge() async throws -> String {
      do {
        _ = try await accounts.signIn(
          NewSession(handle: "mara", password: "correct horse", transport: .token), guest: nil, client: "")
      } catch let error as AppError where error.code == .secondStepNeeded {
        return try #require(error.challenge)
      }
      throw AppError(.internalError, "no second step was asked for")
    }
    let waiting = try await challenge()
    // Another person's key is not the second half of this sign-in.
    #expect(await refusal { try await enter(try answer("theirs", challenge: waiting)) } == .signInOver)
    for text in ["none", "none.none"] {
      #expect(await refusal { try await enter(try answer("phone", challenge: text)) } == .signInOver)
    }
    // Behind the password a touch is enough.
    #expect(try await enter(try answer("phone", is: "touched", challenge: waiting)).account.id == mara)
    #expect(await refusal { try await enter(try answer("phone", challenge: waiting)) } == .signInOver)
    // By itself it is both steps.
    #expect(try await enter(try answer("phone")).account.id == mara)
  }

  @Test func aNewPasswordLeavesTheKeysAndADeletionDoesNot() async throws {
    let mara = try await signUp()
    try await add("phone", to: mara)
    try await accounts.reset(try await accounts.resetToken(handle: "mara"), to: "battery staple")
    _ = try await enter(try answer("phone"))
    try await accounts.delete(mara, AccountDeletion(password: "battery staple"))
    #expect(await refusal { try await enter(try answer("phone")) } == .passkeyRefused)
    let left = try await bench.instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM passkeys", [])[0].integer("n")
    }
    #expect(left == 0)
  }

  @Test func aSiteWithoutAnAddressHasNone() async throws {
    let accounts = try await Self.accounts(bench, clock, nil)
    let mara = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    #expect(accounts.signInProviders.passkeySite == nil)
    #expect(await refusal { try accounts.passkeyQuestion() } == .passkeysOff)
    #expect(await refusal { try await accounts.beginPasskey(of: mara, Self.owner) } == .passkeysOff)
    #expect(
      await refusal {
        try await accounts.signIn(try answer("phone"), guest: nil, client: "")
      } == .passkeysOff)
  }
}
