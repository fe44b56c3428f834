import Contract
import Foundation
import Platform
import Synchronization
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// A provider that vouches for whom it is told to, in exchange for the code that is the subject.
final class Voucher: IdentityProvider {
  let id: String
  let issuer: String
  let kind: SignInProviderKind
  let person: Mutex<ProvenIdentity>
  let givenBack = Mutex<[String]>([])
  let isAway = Mutex(false)
  var name: String { "The \(id)" }

  init(_ id: String, kind: SignInProviderKind = .oidc) {
    self.id = id
    self.kind = kind
    issuer = "https://\(id).example"
    person = Mutex(ProvenIdentity(issuer: issuer, subject: "ada"))
  }

  func address(for question: SignInQuestion) async throws -> String { issuer + "/?state=" + question.state }
  func identity(ofCode code: String, issuer: String?, for question: SignInQuestion) async throws
    -> ProvenIdentity
  {
    var person = person.withLock { $0 }
    person.subject = code
    if kind == .apple { person.grant = .init(client: "clipfeed", token: "grant of \(code)") }
    return person
  }
  func identity(ofToken token: String, code: String?, nonce: String) async throws -> ProvenIdentity {
    throw AppError(.identityRefused)
  }
  func introduced(_ identity: ProvenIdentity) async -> ProvenIdentity { identity }
  func giveBack(_ grant: ProvenIdentity.Grant) async throws {
    if isAway.withLock({ $0 }) { throw AppError(.providerUnreachable) }
    givenBack.withLock { $0.append(grant.token) }
  }
}

private final class Merges: ViewerMerging {
  let merged = Mutex<[String]>([])
  func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    merged.withLock { $0.append("\(guest) \(account)") }
  }
}

private struct Faces: AuthorProfiles {
  func makeFace(id: String, handle: String, name: String, in transaction: any Transaction) throws {}
  func renameFace(id: String, name: String, in transaction: any Transaction) throws {}
}

@Suite(.everyEngine) struct SignInTests {
  private let bench: TestInstance
  private let clock = TestTime()
  private let corp = Voucher("corp")
  private let apple = Voucher("apple", kind: .apple)
  private let merges = Merges()
  private let accounts: Accounts
  private let guests = GuestTokens(secret: "guests")

  init() async throws {
    bench = try await TestInstance()
    accounts = try await Self.accounts(bench, clock, [corp, apple], merges)
  }

  private static func accounts(
    _ bench: TestInstance, _ clock: TestTime, _ providers: [any IdentityProvider], _ merges: Merges
  ) async throws -> Accounts {
    Accounts(
      database: bench.instance.database, time: clock, hashing: CountingPasswords(),
      accessTokens: try await bench.instance.accounts(time: clock).accessTokens,
      refreshKeys: try await bench.instance.keys(.refreshTokens, clock).tokenKeys(),
      cursorKeys: TokenKeys(secret: "cursors"),
      around: .init(
        faces: Faces(), merging: [merges], origin: "https://clips.example", providers: providers))
  }

  /// What a provider answers to this start.
  private func answer(
    _ start: SignInStart, _ subject: String
  ) throws -> SignInAnswer {
    let state = try #require(URLComponents(string: start.authorizationUrl)?.queryItems?.first?.value)
    return SignInAnswer(transport: .token, flow: start.flow, state: state, code: subject)
  }

  private func come(_ subject: String, by provider: Voucher? = nil, guest: String? = nil) async throws
    -> SignInOutcome
  {
    let start = try await accounts.beginSignIn(at: (provider ?? corp).id)
    return try await accounts.endSignIn(
      try answer(start, subject), at: nil, guest: guest, client: "test")
  }

  private func join(_ subject: String, _ handle: String, by provider: Voucher? = nil, guest: String? = nil)
    async throws -> Session
  {
    let newcomer = try #require(try await come(subject, by: provider).newcomer)
    return try await accounts.join(
      NewcomerAccount(ticket: newcomer.ticket, handle: handle, transport: .token), guest: guest, client: "")
  }

  private func visit(
    _ purpose: SignInPurpose, _ subject: String, _ account: String, by provider: Voucher? = nil
  )
    async throws -> AccountSignInOutcome
  {
    let start = try await accounts.beginSignIn(at: (provider ?? corp).id, for: purpose, account: account)
    return try await accounts.endAccountSignIn(try answer(start, subject), at: nil, account: account)
  }

  // MARK: Newcomers

  @Test func theAccountTakesTheGuestsIdAndWhoComesBackBringsAGuestAlong() async throws {
    let guest = guests.make(at: clock).id
    let session = try await join("ada", "ada", guest: guest)
    #expect(session.account.id == guest)
    #expect(merges.merged.withLock { $0 } == [])
    let other = guests.make(at: clock).id
    let again = try await come("ada", guest: other)
    #expect(again.session?.account.id == guest && again.session?.id != session.id)
    #expect(merges.merged.withLock { $0 } == ["\(other) \(guest)"])
  }

  @Test func whoseSubjectIsAnothersIsAnotherAtEveryIssuer() async throws {
    let ada = try await join("ada", "ada")
    #expect(try await come("ADA").newcomer != nil)
    #expect(try await come("ada ").newcomer != nil)
    #expect(try await come("ada", by: apple).newcomer != nil)
    #expect(try await come("ada").session?.account.id == ada.account.id)
  }

  @Test func anAddressThatIsVerifiedOpensNobodysAccount() async throws {
    let owner = try await accounts.signUp(
      NewAccount(handle: "grace", password: "correct horse", transport: .token), guest: nil, client: "")
    try await bench.instance.database.write { [accounts] in
      _ = try accounts.store.confirm("ada@example.org", of: owner.account.id, in: $0)
    }
    corp.person.withLock { ($0.email, $0.isEmailVerified) = ("Ada@Example.org", true) }
    let newcomer = try #require(try await come("ada").newcomer)
    #expect(newcomer.known && newcomer.email == "Ada@Example.org")
    // Whom the provider does not vouch for learns nothing.
    corp.person.withLock { $0.isEmailVerified = false }
    #expect(try await come("ada").newcomer?.known == false)
    // The account is connected by whoever has its password, with the ticket that is there already.
    corp.person.withLock { $0.isEmailVerified = true }
    let ticket = try #require(try await come("ada").newcomer?.ticket)
    _ = try await accounts.connect(
      NewIdentity(ticket: ticket, password: "correct horse"), to: owner.account.id)
    #expect(try await come("ada").session?.account.id == owner.account.id)
    // An account that is made has the address only once it is confirmed.
    let other = try #require(try await come("other").newcomer)
    let made = try await accounts.join(
      NewcomerAccount(ticket: other.ticket, handle: "other", email: other.email, transport: .token),
      guest: nil, client: "")
    #expect(made.account.email == nil && made.account.pendingEmail == "Ada@Example.org")
  }

  @Test func ofTwoWhoJoinByTheSameAtOnceOneDoes() async throws {
    let first = try #require(try await come("ada").newcomer).ticket
    let results = await withTaskGroup(of: String.self) { [accounts] group in
      for number in 0..<6 {
        group.addTask {
          do {
            let session = try await accounts.join(
              NewcomerAccount(ticket: first, handle: "ada\(number)", transport: .token), guest: nil,
              client: "")
            return session.account.handle
          } catch { return (error as? AppError)?.code.rawValue ?? "\(error)" }
        }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(results.filter { $0.hasPrefix("ada") }.count == 1)
    #expect(results.filter { $0 == "sign_in_over" }.count == 5)
    #expect(try await bench.count("accounts") == 1)
  }

  @Test func aTicketIsGoodOnceAndForHalfAnHourAndTheNewestCounts() async throws {
    let old = try #require(try await come("ada").newcomer).ticket
    let new = try #require(try await come("ada").newcomer).ticket
    func join(_ ticket: String) async -> ErrorCode? {
      await refusal {
        try await accounts.join(
          NewcomerAccount(ticket: ticket, handle: "ada", transport: .token), guest: nil, client: "")
      }
    }
    #expect(await join(old) == .signInOver)
    clock.advance(ms: Limits.signInTicketMs + 1)
    #expect(await join(new) == .signInOver)
    try await accounts.sweep()
    #expect(try await bench.count("sign_in_tickets") == 0)
  }

  @Test func aHandleIsSuggestedThatIsFree() async throws {
    func suggested(_ name: String?, _ email: String?, _ nickname: String? = nil) async throws -> String {
      corp.person.withLock { ($0.name, $0.email, $0.nickname) = (name, email, nickname) }
      return try #require(try await come("x").newcomer).handle
    }
    #expect(try await suggested("Ada Lovelace", "countess@example.org") == "countess")
    #expect(try await suggested("Ada Lovelace", nil) == "ada.lovelace")
    #expect(try await suggested("Ada Lovelace", "q8@privaterelay.appleid.com") == "ada.lovelace")
    #expect(try await suggested("Björk Guðmundsdóttir", nil) == "bjork.gudmundsdottir")
    #expect(try await suggested(nil, "admin@example.org", "me@corp").hasPrefix("person"))
    #expect(try await suggested("李雷", nil).hasPrefix("person"))
    #expect(try await suggested(String(repeating: "ä", count: 45), nil).count == 24)
    _ = try await join("taken", "countess")
    #expect(try await suggested(nil, "countess@example.org") == "countess2")
  }

  // MARK: Flows

  @Test func anAnswerCountsForWhatWasAskedAndByWhomAndInTime() async throws {
    let session = try await join("ada", "ada")
    let other = try await join("eve", "eve")
    func end(_ answer: SignInAnswer, at place: String? = nil) async -> ErrorCode? {
      await refusal { try await accounts.endSignIn(answer, at: place, guest: nil, client: "") }
    }
    func end(_ answer: SignInAnswer, as account: String) async -> ErrorCode? {
      await refusal { try await accounts.endAccountSignIn(answer, at: nil, account: account) }
    }
    let start = try await accounts.beginSignIn(at: "corp")
    let good = try answer(start, "ada")
    var wrong = good
    wrong.state = try answer(try await accounts.beginSignIn(at: "corp"), "ada").state
    #expect(await end(wrong) == .signInOver)
    wrong = good
    wrong.state = nil
    #expect(await end(wrong) == .signInOver)
    #expect(await end(good, at: "apple") == .signInOver)
    #expect(await end(good, as: session.account.id) == .signInOver)
    #expect(await end(good, at: "corp") == nil)
    let confirming = try answer(
      try await accounts.beginSignIn(at: "corp", for: .confirm, account: session.account.id), "ada")
    #expect(await end(confirming) == .signInOver)
    #expect(await end(confirming, as: other.account.id) == .signInOver)
    #expect(await end(confirming, as: session.account.id) == nil)
    clock.advance(ms: Limits.signInMs)
    #expect(await end(good) == .signInOver)
  }

  @Test func whatIsKeptInABrowserCannotBeMadeElsewhere() async throws {
    let flow = try #require(try await accounts.beginSignIn(at: "corp").flow)
    let read = try #require(SignInFlow.read(flow, accounts.signInKey))
    #expect(read.verifier(accounts.signInKey).utf8.count == 43)
    #expect(
      Set([
        read.state(accounts.signInKey), read.nonce(accounts.signInKey), read.verifier(accounts.signInKey),
      ]).count == 3)
    #expect(SignInFlow.read(flow, "another key") == nil)
    var other = read
    other.purpose = .connect
    other.account = "victim"
    #expect(SignInFlow.read(other.text("another key"), accounts.signInKey) == nil)
    #expect(SignInFlow.read(other.text(accounts.signInKey), accounts.signInKey) == other)
  }

  @Test func whoIsOnTheWayToAProviderComesBackOverARotation() async throws {
    let start = try await accounts.beginSignIn(at: "corp")
    let old = accounts.signInKey
    try await bench.instance.keys(.refreshTokens, clock).rotate()
    clock.advance(ms: 61_000)
    await accounts.refreshTokens.keys.catchUp()
    #expect(accounts.signInKey != old)
    let outcome = try await accounts.endSignIn(
      try answer(start, "ada"), at: nil, guest: nil, client: "test")
    #expect(outcome.newcomer != nil)
  }

  @Test func aSuspendedAccountSignsInAndAnEndedSessionStaysEnded() async throws {
    let session = try await join("ada", "ada")
    try await accounts.setSuspended(true, handle: "ada")
    let again = try #require(try await come("ada").session)
    #expect(again.account.suspended)
    try await accounts.endSession(session.id, of: session.account.id)
    #expect(
      await refusal { try await accounts.refresh(session.refreshToken ?? "", client: "") } == .sessionEnded)
    #expect(try await accounts.refresh(again.refreshToken ?? "", client: "test").id == again.id)
  }

  // MARK: Ways in

  @Test func noPasswordOpensAnAccountThatHasNone() async throws {
    _ = try await join("ada", "ada")
    for password in ["", " ", "correct horse", AccountStore.noPassword] {
      let new = NewSession(handle: "ada", password: password, transport: .token)
      #expect(await refusal { try await accounts.signIn(new, guest: nil, client: "") } == .credentialsWrong)
    }
  }

  @Test func aProofStandsForAPasswordOnceAndForItsOwnAccount() async throws {
    let ada = try await join("ada", "ada").account.id
    let eve = try await join("eve", "eve").account.id
    let proof = try #require(try await visit(.confirm, "ada", ada).proof)
    let change = PasswordChange(newPassword: "a new password", proof: proof)
    #expect(
      await refusal { try await accounts.changePassword(of: eve, session: nil, change) } == .signInOver)
    try await bench.instance.database.write { [accounts] in
      try accounts.store.setPending("ada@b.example", of: ada, in: $0)
    }
    try await accounts.changePassword(of: ada, session: nil, change)
    // Nobody knew a password that there was not: what waits is the owner's.
    #expect(try await accounts.account(ada).pendingEmail == "ada@b.example")
    #expect(
      await refusal { try await accounts.changePassword(of: ada, session: nil, change) } == .signInOver)
    #expect(await refusal { try await accounts.delete(ada, AccountDeletion(proof: proof)) } == .signInOver)
    _ = try await accounts.signIn(
      NewSession(handle: "ada", password: "a new password", transport: .token), guest: nil, client: "")
    // Neither is a ticket a proof, nor a proof a ticket.
    let another = try #require(try await visit(.confirm, "ada", ada).proof)
    #expect(
      await refusal { try await accounts.connect(NewIdentity(ticket: another, proof: another), to: ada) }
        == .signInOver)
    let ticket = try #require(try await visit(.connect, "new", ada, by: apple).ticket)
    #expect(await refusal { try await accounts.delete(ada, AccountDeletion(proof: ticket)) } == .signInOver)
    clock.advance(ms: Limits.signInProofMs + 1)
    #expect(await refusal { try await accounts.delete(ada, AccountDeletion(proof: another)) } == .signInOver)
  }

  @Test func aTicketOfSomebodyWhoIsSignedInIsTheirs() async throws {
    let ada = try await join("ada", "ada").account.id
    let eve = try await join("eve", "eve").account.id
    let ticket = try #require(try await visit(.connect, "new", ada, by: apple).ticket)
    let proof = try #require(try await visit(.confirm, "eve", eve).proof)
    #expect(
      await refusal { try await accounts.connect(NewIdentity(ticket: ticket, proof: proof), to: eve) }
        == .signInOver)
    #expect(
      await refusal {
        try await accounts.join(
          NewcomerAccount(ticket: ticket, handle: "third", transport: .token), guest: nil, client: "")
      } == .signInOver)
    // What was refused used nothing up.
    #expect(try await accounts.waysIn(eve).items.map(\.provider) == ["corp"])
    try await accounts.delete(eve, AccountDeletion(proof: proof))
  }

  @Test func ofTwoThatAreDisconnectedAtOnceOneStays() async throws {
    let ada = try await join("ada", "ada").account.id
    let proof = try await visit(.confirm, "ada", ada).proof
    let ticket = try #require(try await visit(.connect, "ada", ada, by: apple).ticket)
    _ = try await accounts.connect(NewIdentity(ticket: ticket, proof: proof), to: ada)
    let items = try await accounts.waysIn(ada).items
    #expect(items.count == 2)
    // Each by its own: what a provider proved is over when that is disconnected.
    var proofs: [String: String] = [:]
    for item in items {
      let own = item.provider == apple.id ? apple : corp
      proofs[item.id] = try await visit(.confirm, "ada", ada, by: own).proof
    }
    let codes = await withTaskGroup(of: ErrorCode?.self) { [accounts] group in
      for (id, proof) in proofs {
        group.addTask {
          do {
            try await accounts.disconnect(id, from: ada, IdentityRemoval(proof: proof))
            return nil
          } catch { return (error as? AppError)?.code }
        }
      }
      return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
    }
    #expect(codes.contains(nil) && codes.contains(.lastWayIn))
    #expect(try await accounts.waysIn(ada).items.count == 1)
  }

  @Test func aProviderThatTheOperatorTookAwayIsNoWayIn() async throws {
    let ada = try await join("ada", "ada").account.id
    let proof = try await visit(.confirm, "ada", ada).proof
    let ticket = try #require(try await visit(.connect, "ada", ada, by: apple).ticket)
    _ = try await accounts.connect(NewIdentity(ticket: ticket, proof: proof), to: ada)
    let fewer = try await Self.accounts(bench, clock, [corp], merges)
    let ways = try await fewer.waysIn(ada).items
    #expect(Set(ways.map(\.provider)) == ["corp", nil])
    let own = try #require(ways.first { $0.provider == "corp" })
    let removal = IdentityRemoval(proof: try await visit(.confirm, "ada", ada).proof)
    #expect(await refusal { try await fewer.disconnect(own.id, from: ada, removal) } == .lastWayIn)
    let other = try #require(ways.first { $0.provider == nil })
    #expect(other.name == apple.issuer)
    // What was refused used no proof up.
    try await fewer.disconnect(other.id, from: ada, removal)
  }

  @Test func aSessionAloneDisconnectsNothing() async throws {
    let ada = try await join("ada", "ada").account.id
    let proof = try await visit(.confirm, "ada", ada).proof
    let ticket = try #require(try await visit(.connect, "ada", ada, by: apple).ticket)
    _ = try await accounts.connect(NewIdentity(ticket: ticket, proof: proof), to: ada)
    let id = try #require(try await accounts.waysIn(ada).items.first?.id)
    for (removal, code) in [
      (IdentityRemoval(), ErrorCode.proofNeeded), (IdentityRemoval(password: "a guess of it"), .proofNeeded),
      // Made up, and used already.
      (IdentityRemoval(proof: "proof"), .signInOver), (IdentityRemoval(proof: proof), .signInOver),
    ] {
      #expect(await refusal { try await accounts.disconnect(id, from: ada, removal) } == code)
    }
    let password = "correct horse"
    try await accounts.changePassword(
      of: ada, session: nil,
      PasswordChange(newPassword: password, proof: try await visit(.confirm, "ada", ada).proof))
    for wrong in [nil, "a guess of it"] {
      let removal = IdentityRemoval(password: wrong)
      #expect(await refusal { try await accounts.disconnect(id, from: ada, removal) } == .passwordWrong)
    }
    #expect(try await accounts.waysIn(ada).items.count == 2)
    try await accounts.disconnect(id, from: ada, IdentityRemoval(password: password))
    #expect(try await accounts.waysIn(ada).items.count == 1)
  }

  // MARK: Leaving

  @Test func whatWasLentIsGivenBackEvenIfTheProviderIsAwayForAWhile() async throws {
    let session = try await join("ada", "ada", by: apple)
    apple.isAway.withLock { $0 = true }
    let proof = try await visit(.confirm, "ada", session.account.id, by: apple).proof
    try await accounts.delete(session.account.id, AccountDeletion(proof: proof))
    #expect(try await bench.count("identities") == 0)
    #expect(try await bench.count("sign_in_tickets") == 0)
    await #expect(throws: AppError.self) { try await accounts.sendRevocations() }
    apple.isAway.withLock { $0 = false }
    // Not before its time.
    try await accounts.sendRevocations()
    #expect(apple.givenBack.withLock { $0 } == [])
    clock.advance(ms: 3_600_000)
    try await accounts.sendRevocations()
    #expect(apple.givenBack.withLock { $0 } == ["grant of ada"])
    #expect(try await bench.count("identity_farewells") == 0)
    // Somebody new may come by it.
    #expect(try await come("ada", by: apple).newcomer != nil)
  }

  @Test func whatCannotBeGivenBackIsForgottenInTheEnd() async throws {
    let session = try await join("ada", "ada", by: apple)
    try await accounts.delete(handle: "ada")
    #expect(session.account.handle == "ada")
    apple.isAway.withLock { $0 = true }
    for _ in 0...IdentityStore.revocationTries {
      try? await accounts.sendRevocations()
      clock.advance(ms: 7 * 86_400_000)
    }
    #expect(try await bench.count("identity_farewells") == 0)
  }
}
