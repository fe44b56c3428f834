import Contract
import Foundation
import Platform
import Synchronization
import Testing

@testable import Accounts
@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What happens to an account is told to its owner, in the account and by mail.
@Suite(.everyEngine) struct NoticeTests {
  private static let dayMs: Int64 = 86_400_000
  private static let iPhone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1"
  private static let right = "correct horse"

  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let mail = KeptMail()
  private let corp = Voucher("corp")
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await Self.accounts(bench, clock, mail, corp)
  }

  /// A process of its own on the same data.
  private static func accounts(
    _ bench: TestInstance, _ clock: TestTime, _ mail: any MailSending, _ corp: Voucher
  ) async throws -> Accounts {
    try await bench.instance.accounts(
      mail: mail, origin: "https://clips.example", hashing: CountingPasswords(), providers: [corp],
      time: clock)
  }

  /// Somebody with an address that is confirmed.
  private func mara() async throws -> Session {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: Self.iPhone)
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET email = 'm@b.example', email_key = 'm@b.example' WHERE id = ?",
        [.text(session.account.id)])
    }
    return session
  }

  private func signIn(
    _ password: String = right, client: String = iPhone, knownTo: [String] = []
  ) async throws -> Session {
    try await accounts.signIn(
      NewSession(handle: "mara", password: password, transport: .token), guest: nil, client: client,
      knownTo: knownTo)
  }

  private func notices(of account: String) async throws -> [AccountNotice] {
    try await accounts.notices(of: account, cursor: nil, limit: 1000).items
  }

  private func kinds(of account: String) async throws -> [String] {
    try await notices(of: account).map(\.kind)
  }

  // MARK: What is told

  @Test func aDeviceIsNewOnce() async throws {
    let id = try await mara().account.id
    #expect(try await notices(of: id).isEmpty, "the device of the sign-up is no news")
    clock.advance(ms: 5)
    let other = try await signIn()
    let told = try #require(try await notices(of: id).first)
    #expect(
      told
        == AccountNotice(
          id: told.id, kind: "new_device", createdAt: Date(timeIntervalSince1970: 1_800_000_000.005),
          device: "Safari on iPhone"))
    _ = try await signIn(knownTo: ["another", id])
    _ = try await accounts.refresh(try #require(other.refreshToken), client: "another client")
    #expect(try await notices(of: id).count == 1)
    _ = try await signIn(client: "", knownTo: ["another"])
    #expect(try await notices(of: id).map(\.device) == [nil, "Safari on iPhone"])
    #expect(mail.all.isEmpty, "nobody who signs in waits for a message")
    try await accounts.sendNotices()
    #expect(mail.all.map(\.to) == ["m@b.example", "m@b.example"])
    #expect(mail.all[0].subject == "A new device for @mara" && mail.all[0].text.contains("Safari on iPhone"))
  }

  @Test func eachChangeIsToldOnceAndWhatIsRefusedIsNot() async throws {
    let session = try await mara()
    let id = session.account.id
    let wrong = PasswordChange(currentPassword: "wrong horse", newPassword: "battery staple")
    _ = await refusal { try await accounts.changePassword(of: id, session: session.id, wrong) }
    _ = try await accounts.change(id, AccountChange(name: "Mara"), client: Self.iPhone)
    #expect(try await kinds(of: id).isEmpty)
    try await accounts.changePassword(
      of: id, session: session.id,
      PasswordChange(currentPassword: Self.right, newPassword: "battery staple"), client: Self.iPhone)
    try await accounts.reset(try await accounts.resetToken(handle: "mara"), to: Self.right)
    try await accounts.endSessions(of: id, client: Self.iPhone)
    #expect(try await kinds(of: id) == ["signed_out_everywhere", "password_reset", "password_changed"])
    #expect(try await notices(of: id).map(\.device) == ["Safari on iPhone", nil, "Safari on iPhone"])
    try await accounts.sendNotices()
    #expect(
      mail.all.map(\.subject) == [
        "The password of @mara was changed", "The password of @mara was reset",
        "@mara was signed out everywhere",
      ])
    try await accounts.sendNotices()
    #expect(mail.all.count == 3, "each goes once")
  }

  @Test func providersThatComeAndGoAreTold() async throws {
    let id = try await mara().account.id
    let start = try await accounts.beginSignIn(at: "corp", for: .connect, account: id)
    let state = try #require(URLComponents(string: start.authorizationUrl)?.queryItems?.first?.value)
    let outcome = try await accounts.endAccountSignIn(
      SignInAnswer(transport: .token, flow: start.flow, state: state, code: "ada"), at: nil, account: id)
    let identity = try await accounts.connect(
      NewIdentity(ticket: try #require(outcome.ticket), password: Self.right), to: id, client: Self.iPhone)
    // By it somebody comes from a device that is new.
    let entry = try await accounts.beginSignIn(at: "corp")
    let entryState = try #require(URLComponents(string: entry.authorizationUrl)?.queryItems?.first?.value)
    _ = try await accounts.endSignIn(
      SignInAnswer(transport: .token, flow: entry.flow, state: entryState, code: "ada"), at: nil, guest: nil,
      client: "Firefox/1")
    try await accounts.disconnect(identity.id, from: id, IdentityRemoval(password: Self.right), client: "")
    let told = try await notices(of: id)
    #expect(told.map(\.kind) == ["provider_disconnected", "new_device", "provider_connected"])
    #expect(told.map(\.provider) == ["The corp", nil, "The corp"])
    #expect(told.map(\.device) == [nil, "Firefox", "Safari on iPhone"])
    try await accounts.sendNotices()
    #expect(mail.all.count == 3 && mail.all[0].text.contains("by The corp from now on"))
  }

  @Test func theAddressBeforeIsToldOfAnother() async throws {
    let id = try await mara().account.id
    _ = try await accounts.change(id, AccountChange(email: "new@c.example", password: Self.right))
    #expect(try await kinds(of: id).isEmpty, "it counts once it is confirmed")
    accounts.finishOutbox()
    await accounts.runOutbox { Issue.record($0) }
    let token = try #require(mail.all.last?.text.firstMatch(of: /#confirm=(\S+)/)).1
    try await accounts.confirmEmail(String(token), client: Self.iPhone)
    #expect(try await kinds(of: id) == ["email_changed"])
    try await accounts.sendNotices()
    #expect(Set(mail.all.dropFirst().map(\.to)) == ["m@b.example", "new@c.example"] && mail.all.count == 3)
    _ = try await accounts.change(id, AccountChange(email: "", password: Self.right))
    try await accounts.sendNotices()
    #expect(mail.all.count == 4 && mail.all.last?.to == "new@c.example")
    _ = try await accounts.change(id, AccountChange(email: "", password: Self.right))
    #expect(try await kinds(of: id) == ["email_removed", "email_changed"], "there was none any more")
  }

  @Test func whatIsNotToldDoesNotHappen() async throws {
    let session = try await mara()
    try await bench.instance.database.write { try $0.execute("DROP TABLE account_notices") }
    let change = PasswordChange(currentPassword: Self.right, newPassword: "battery staple")
    await #expect(throws: (any Error).self) {
      try await accounts.changePassword(of: session.account.id, session: session.id, change)
    }
    await #expect(throws: (any Error).self) { try await signIn() }
    _ = try await signIn(knownTo: [session.account.id])
  }

  // MARK: Those who guess

  @Test func aThousandWrongPasswordsAreOneNoticeAndOneMessage() async throws {
    let id = try await mara().account.id
    for number in 0..<1000 {
      if number % 100 == 0 { clock.advance(ms: 3_600_000) }
      let guess = number % 2 == 0 ? "wrong horse" : "wronger horse"
      #expect(await refusal { try await signIn(guess, client: "Firefox/1 <b>") } == .credentialsWrong)
    }
    _ = await refusal {
      try await accounts.signIn(
        NewSession(handle: "nobody", password: "wrong horse", transport: .token), guest: nil, client: "")
    }
    #expect(try await notices(of: id).isEmpty && mail.all.isEmpty, "it is told after the answer")
    accounts.finishOutbox()
    await accounts.runOutbox { Issue.record($0) }
    #expect(try await kinds(of: id) == ["wrong_passwords"])
    #expect(try await notices(of: id)[0].device == "Firefox")
    #expect(mail.all.map(\.subject) == ["Wrong passwords for @mara"])
    // Another process counts for itself, and tells nobody the same day.
    for (passedMs, told) in [(0, 1), (Self.dayMs, 2)] {
      clock.advance(ms: passedMs)
      let other = try await Self.accounts(bench, clock, mail, corp)
      for _ in 0..<50 {
        _ = await refusal {
          try await other.signIn(
            NewSession(handle: "mara", password: "wrong horse", transport: .token), guest: nil, client: "")
        }
      }
      other.finishOutbox()
      await other.runOutbox { Issue.record($0) }
      #expect(mail.all.count == told)
      #expect(try await notices(of: id).count == told)
    }
  }

  @Test func slipsOfAHandAreNotTold() async throws {
    let id = try await mara().account.id
    for _ in 0..<3 {
      for _ in 1..<WrongPasswords.enough { _ = await refusal { try await signIn("wrong horse") } }
      clock.advance(ms: WrongPasswords.windowMs)
    }
    accounts.finishOutbox()
    await accounts.runOutbox { Issue.record($0) }
    #expect(try await notices(of: id).isEmpty)
  }

  @Test func guessesInASessionCountToo() async throws {
    let id = try await mara().account.id
    for _ in 0..<WrongPasswords.enough {
      _ = await refusal {
        try await accounts.delete(id, AccountDeletion(password: "wrong horse"), client: Self.iPhone)
      }
    }
    accounts.finishOutbox()
    await accounts.runOutbox { Issue.record($0) }
    #expect(try await kinds(of: id) == ["wrong_passwords"])
  }

  @Test func whoSignsInWithoutEndNeitherFillsAMailboxNorPushesOutTheRest() async throws {
    let session = try await mara()
    let id = session.account.id
    try await accounts.endSessions(of: id)
    for _ in 0..<150 { _ = try await signIn() }
    let told = try await notices(of: id)
    #expect(told.count == NoticeStore.ofAKindInADay + 1 && told.last?.kind == "signed_out_everywhere")
    #expect(told.map(\.times) == [141] + Array(repeating: 1, count: NoticeStore.ofAKindInADay))
    try await accounts.sendNotices()
    #expect(mail.all.count == NoticeStore.ofAKindInADay + 1)
  }

  // MARK: What is kept

  @Test func aListHasPagesOfItsOwnAccount() async throws {
    let id = try await mara().account.id
    let other = try await accounts.signUp(NewAccount("other"), guest: nil, client: "").account.id
    for number in 0..<7 { _ = try await signIn(client: number % 2 == 0 ? "Firefox/" : "Chrome/") }
    let first = try await accounts.notices(of: id, cursor: nil, limit: 3)
    let second = try await accounts.notices(of: id, cursor: first.nextCursor, limit: 3)
    let third = try await accounts.notices(of: id, cursor: second.nextCursor, limit: 3)
    #expect([first, second, third].map(\.items.count) == [3, 3, 1] && third.nextCursor == nil)
    let all = (first.items + second.items + third.items).map(\.id)
    #expect(all == all.sorted(by: >) && Set(all).count == 7)
    #expect(
      await refusal { try await accounts.notices(of: other, cursor: first.nextCursor, limit: 3) }
        == .invalidCursor)
    #expect(await refusal { try await accounts.notices(of: id, cursor: "x", limit: 3) } == .invalidCursor)
    #expect(try await notices(of: other).isEmpty)
  }

  @Test func aHundredAreKeptForNinetyDays() async throws {
    let id = try await mara().account.id
    for _ in 0..<12 {
      for _ in 0..<NoticeStore.ofAKindInADay { _ = try await signIn() }
      clock.advance(ms: Self.dayMs)
    }
    #expect(try await notices(of: id).count == Limits.notices)
    #expect(try await bench.count("account_notices") == Int64(Limits.notices))
    // The newest was told a day ago.
    clock.advance(ms: Limits.noticeLifeMs - Self.dayMs)
    #expect(try await notices(of: id).count == NoticeStore.ofAKindInADay, "also before a sweep")
    try await accounts.sweep()
    #expect(try await bench.count("account_notices") == Int64(NoticeStore.ofAKindInADay))
    clock.advance(ms: 1)
    try await accounts.sweep()
    #expect(try await bench.count("account_notices") == 0)
  }

  @Test func theyGoWithTheirAccount() async throws {
    let id = try await mara().account.id
    let other = try await accounts.signUp(NewAccount("other"), guest: nil, client: "").account.id
    try await accounts.endSessions(of: other)
    _ = try await signIn()
    #expect(try await bench.count("account_notices") == 2)
    #expect(try await bench.count("notice_mails") == 1)
    try await accounts.delete(id, AccountDeletion(password: Self.right))
    #expect(try await bench.count("account_notices") == 1)
    #expect(try await bench.count("notice_mails") == 0)
    // Guesses that were counted while it went are nobody's.
    try await accounts.run(Outbox.Guesses(account: id, client: ""))
    #expect(try await bench.count("account_notices") == 1)
  }

  // MARK: Messages

  @Test func aMessageThatIsNotTakenIsSentLaterByWhoeverRunsThen() async throws {
    _ = try await mara()
    let broken = try await Self.accounts(bench, clock, BrokenMail(), corp)
    _ = try await broken.signIn(
      NewSession(handle: "mara", password: Self.right, transport: .token), guest: nil, client: Self.iPhone)
    await #expect(throws: (any Error).self) { try await broken.sendNotices() }
    try await accounts.sendNotices()
    #expect(mail.all.isEmpty, "its time has not come")
    clock.advance(ms: 60_000)
    try await accounts.sendNotices()
    #expect(mail.all.map(\.to) == ["m@b.example"])
    #expect(mail.all[0].text.contains("When: 2027-01-15 08:00:00Z"), "when it happened")
    #expect(try await bench.count("notice_mails") == 0)
  }

  @Test func aMessageThatNobodyTakesIsGivenUp() async throws {
    _ = try await mara()
    let broken = BrokenMail()
    let process = try await Self.accounts(bench, clock, broken, corp)
    _ = try await signIn()
    for _ in 0..<20 {
      _ = try? await process.sendNotices()
      clock.advance(ms: 3 * Self.dayMs)
    }
    #expect(broken.tries.withLock { $0 } == Int(NoticeStore.mailTries))
    #expect(try await bench.count("notice_mails") == 0)
  }

  @Test func aMessageOfANewerVersionHoldsUpNoOther() async throws {
    _ = try await mara()
    _ = try await signIn()
    try await bench.instance.database.write {
      try $0.execute("UPDATE notice_mails SET kind = 'of_tomorrow', due_at_ms = 0")
    }
    _ = try await signIn()
    try await accounts.sendNotices()
    #expect(mail.all.count == 1)
    #expect(try await bench.count("notice_mails") == 1)
  }

  @Test func whereNobodyIsWrittenToNothingWaits() async throws {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    try await accounts.endSessions(of: session.account.id)
    #expect(try await bench.count("notice_mails") == 0, "it has no address")
    let silent = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let other = try await silent.signUp(NewAccount("other"), guest: nil, client: "")
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET email = 'o@b.example', email_key = 'o@b.example' WHERE handle = 'other'")
    }
    try await silent.endSessions(of: other.account.id)
    #expect(try await bench.count("notice_mails") == 0, "there is no mail program")
    #expect(try await kinds(of: other.account.id) == ["signed_out_everywhere"])
  }
}

/// Takes nothing.
private final class BrokenMail: MailSending {
  let tries = Mutex(0)
  func send(_ mail: Mail) async throws {
    tries.withLock { $0 += 1 }
    throw AppError(.unavailable)
  }
}
