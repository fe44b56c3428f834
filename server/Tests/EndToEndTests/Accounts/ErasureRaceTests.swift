import Accounts
import Comments
import Contract
import Feed
import Foundation
import Maintenance
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What is written about an account or a clip while it is deleted leaves nothing behind.
@Suite(.everyEngine) struct ErasureRaceTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
  }

  private func rows(_ tables: String...) async throws -> [String: Int64] {
    try await bench.instance.database.read { transaction in
      try tables.reduce(into: [:]) {
        let n = try transaction.query("SELECT COUNT(*) AS n FROM \($1)")[0].integer("n")
        if n > 0 { $0[$1] = n }
      }
    }
  }

  private func lookAgain() async throws {
    clock.advance(ms: ErasureLog.settledMs + 1)
    try await bench.instance.secondLook(at: clock).run()
  }

  @Test func whatAnAccountWroteOnItsWayOutIsTakenBack() async throws {
    let clip = try await bench.publishBare("clip")
    let author = try await bench.instance.feed(.open).clip(id: clip, forOwner: false).author.id
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let mara = session.account.id
    let paul = try await accounts.signUp(NewAccount("paul"), guest: nil, client: "").account.id
    try await accounts.delete(mara, AccountDeletion(password: NewAccount("mara").password))
    // Requests that were let in before, and that come to the database after.
    let social = try await bench.instance.social(.open)
    #expect(try await social.like(clip, by: mara).likes == 1)
    _ = try await social.bookmark(clip, by: mara)
    #expect(try await social.follow(author, by: mara).followers == 1)
    _ = try await social.block(paul, by: mara)
    _ = try await bench.instance.comments(.open).add(
      "late", to: clip, by: mara, idempotencyKey: "a-key-of-mara")
    // Long before anybody could be sure that nobody is on the way any more, nothing happens.
    try await bench.instance.secondLook(at: clock).run()
    #expect(try await rows("likes", "blocks") == ["likes": 1, "blocks": 1])
    try await lookAgain()
    #expect(try await rows("likes", "bookmarks", "follows", "blocks", "departures") == [:])
    let comments = try await bench.instance.comments(.open)
    #expect(try await comments.page(of: clip, cursor: nil, limit: 9).items == [])
    #expect(try await social.like(clip, by: "another").likes == 1)
    #expect(try await social.follow(author, by: "another").followers == 1)
  }

  @Test func theGuestThatADeletedAccountWasIsNobodyUntilItIsSettled() async throws {
    let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
    let guest = guests.make(at: clock)
    _ = try await accounts.signUp(NewAccount("mara"), guest: guest.id, client: "")
    try await accounts.delete(guest.id, AccountDeletion(password: NewAccount("mara").password))
    let identities = try await bench.instance.identities(accounts, time: clock)
    #expect(try await identities.guest(ofToken: guest.token) == nil)
  }

  @Test func marksOfAClipThatIsGoneGoToo() async throws {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let clips = [
      try await bench.publishBare("hers", by: session.account.id), try await bench.publishBare("another's"),
    ]
    let social = try await bench.instance.social(.open)
    for clip in clips {
      for viewer in ["a", "b"] {
        _ = try await social.like(clip, by: viewer)
        _ = try await social.bookmark(clip, by: viewer)
        _ = try await social.share(clip, by: viewer, idempotencyKey: "share-of-\(viewer)")
      }
    }
    try await accounts.delete(session.account.id, AccountDeletion(password: NewAccount("mara").password))
    try await lookAgain()
    #expect(
      try await rows("likes", "bookmarks", "shares", "departures") == [
        "likes": 2, "bookmarks": 2, "shares": 2,
      ])
    #expect(try await social.likes(of: "a", cursor: nil, limit: 9).items.map(\.id) == [clips[1]])
  }

  @Test func whateverManyWriteWhileAnAuthorGoesIsAnsweredWithoutAFaultAndLeavesNothing() async throws {
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "")
    let mara = session.account.id
    let clip = try await bench.publishBare("hers", by: mara)
    let other = try await bench.another()
    let codes = try await withThrowingTaskGroup(of: [ErrorCode].self) { group in
      for number in 0..<24 {
        let instance = number % 2 == 0 ? bench.instance : other
        group.addTask {
          var codes: [ErrorCode] = []
          func attempt(_ work: () async throws -> some Any) async throws {
            do { _ = try await work() } catch let error as AppError { codes.append(error.code) }
          }
          let (social, comments) = (try await instance.social(.open), try await instance.comments(.open))
          for round in 0..<4 {
            let viewer = "viewer \(number) \(round)"
            try await attempt { try await social.like(clip, by: viewer) }
            try await attempt { try await social.bookmark(clip, by: viewer) }
            try await attempt { try await social.follow(mara, by: viewer) }
            try await attempt {
              try await comments.add("words", to: clip, idempotencyKey: "key-of-\(number)-\(round)")
            }
            try await attempt {
              try await comments.react(.heart, to: clip, idempotencyKey: "react-\(number)-\(round)")
            }
          }
          return codes
        }
      }
      group.addTask { [accounts] in
        try await accounts.delete(mara, AccountDeletion(password: NewAccount("mara").password))
        return []
      }
      return try await group.reduce(into: Set<ErrorCode>()) { $0.formUnion($1) }
    }
    #expect(codes.isSubset(of: [.clipNotFound, .authorNotFound]))
    try await lookAgain()
    try await bench.instance.foldCounts()
    #expect(
      try await rows(
        "likes", "follows", "comments", "reaction_keys", "clips", "accounts", "departures",
        "clip_totals", "clip_count_changes", "author_totals", "author_count_changes",
        "clip_reach_totals", "clip_reach_count_changes", "clip_days") == [:])
  }

  @Test func twoWhoConfirmOneAddressAtOnceAreOneWhoHasIt() async throws {
    let mail = KeptMail()
    let other = try await bench.another()
    var processes: [Accounts] = []
    for instance in [bench.instance, other] {
      processes.append(
        try await instance.accounts(
          mail: mail, origin: "https://clips.example", hashing: CountingPasswords(), time: clock))
    }
    for (number, accounts) in processes.enumerated() {
      _ = try await accounts.signUp(
        NewAccount(
          handle: "mara\(number)", password: "correct horse", name: nil, email: "mara@example.org",
          transport: .token), guest: nil, client: "")
      accounts.finishOutbox()
      await accounts.runOutbox { Issue.record($0) }
    }
    let tokens = mail.all.compactMap { mail in
      mail.text.firstMatch(of: /#confirm=(\S+)/).map { String($0.1) }
    }
    try #require(tokens.count == 2)
    let answers = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
      for (accounts, token) in zip(processes, tokens) {
        group.addTask {
          do {
            try await accounts.confirmEmail(token)
            return nil
          } catch let error as AppError { return error.code }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(answers) == [nil, .emailTaken])
  }
}
