import Accounts
import Comments
import Contract
import Foundation
import Messages
import Platform
import Profiles
import Testing
import Uploads

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What an operator lets nobody write, and what who is new may not write yet.
@Suite(.everyEngine) struct SiteRuleTests {
  private let bench: TestInstance
  private let comments: CommentStore
  private let accounts: Accounts
  private let ada: Viewer
  private let bob: Viewer
  private let clip: String

  init() async throws {
    bench = try await TestInstance()
    comments = try await bench.instance.comments(.open)
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    ada = try await accounts.join("ada")
    bob = try await accounts.join("bob")
    clip = try await bench.publishBare("clip", by: ada.id)
    bench.instance.siteRules.apply(WordLists(refusing: ["buy followers", "slur"], holding: ["giveaway"]))
  }

  private func refused(_ work: () async throws -> Void) async -> String? {
    do {
      try await work()
      return nil
    } catch {
      guard let error = error as? AppError else { return "\(error)" }
      return "\(error.code.rawValue) \(error.field ?? "")"
    }
  }

  private func say(_ text: String, on other: String? = nil, by viewer: Viewer? = nil) async throws
    -> ClipComment
  {
    try await comments.add(
      text, to: other ?? clip, by: (viewer ?? bob).id, idempotencyKey: UUID().uuidString)
  }

  private func send(_ text: String, from sender: Viewer, to receiver: Viewer) async throws {
    _ = try await bench.instance.messages(.open).send(
      NewMessage(text: text), to: receiver.id, by: sender, idempotencyKey: UUID().uuidString)
  }

  // MARK: Words

  @Test func whatIsRefusedIsSoWhereverPeopleWriteForOthersAndNamesItsField() async throws {
    #expect(await refused { _ = try await say("Buy f0llowers!") } == "text_refused text")
    #expect(await refused { _ = try await say("slur", by: ada) } == "text_refused text")
    #expect(
      await refused { _ = try await accounts.signUp(NewAccount("the_slur"), guest: nil, client: "") }
        == "text_refused handle")
    var new = NewAccount("cleo")
    new.name = "Buy Followers"
    let named = new
    #expect(
      await refused { _ = try await accounts.signUp(named, guest: nil, client: "") } == "text_refused name")
    #expect(
      await refused { _ = try await accounts.change(bob.id, AccountChange(name: "S L U R")) }
        == "text_refused name")
    let profiles = try await bench.instance.profiles(.open)
    #expect(
      await refused { _ = try await profiles.change(ProfileChange(bio: "I say slur"), of: bob.id) }
        == "text_refused bio")
    let uploads = bench.instance.uploads(UploadRules())
    #expect(
      await refused {
        _ = try await uploads.create(
          NewUpload(
            sizeBytes: 9, sha256: nil, type: "video/mp4",
            details: ClipDetails(caption: "fine", tags: ["a", "slur"])),
          key: nil, publishesItself: false, by: .account(bob.id))
      } == "text_refused details.tags[1]")
    let upload = try await uploads.create(
      NewUpload(sizeBytes: 9, sha256: nil, type: "video/mp4"), key: nil, publishesItself: false,
      by: .account(bob.id))
    #expect(
      await refused { _ = try await uploads.describe(upload.id, ClipDetails(caption: "slur")) }
        == "text_refused caption")
    #expect(try await accounts.change(bob.id, AccountChange(name: "Bob Slurman")).name == "Bob Slurman")
  }

  @Test func aMessageIsRefusedUntilWhoeverGetsItHasWrittenBack() async throws {
    #expect(await refused { try await send("slur", from: bob, to: ada) } == "text_refused text")
    try await send("hello", from: bob, to: ada)
    #expect(await refused { try await send("slur", from: bob, to: ada) } == "text_refused text")
    try await send("hello yourself", from: ada, to: bob)
    #expect(await refused { try await send("slur", from: bob, to: ada) } == nil)
  }

  @Test func whatIsHeldWaitsForTheCreatorAndIsRefusedWhereNobodyCouldLetItIn() async throws {
    #expect(try await say("a GIVEAWAY").held == true)
    #expect(try await say("my giveaway", by: ada).held == nil)
    let held = try await comments.held(for: ada.id, cursor: nil, limit: 5).items
    #expect(held.map(\.reason) == [.site] && held.map(\.word) == [nil])
    let guests = try await bench.instance.database.write { transaction -> String in
      try transaction.execute(
        "UPDATE authors SET handle = 'was_guest' WHERE handle = ?", [.text(Author.guestHandle)])
      let other = "an-author-of-guests"
      try transaction.execute(
        "INSERT INTO authors (id, handle, name, created_at_ms) VALUES (?, ?, 'Guest', 0)",
        [.text(other), .text(Author.guestHandle)])
      return other
    }
    let theirs = try await bench.publishBare("of a guest", by: guests)
    #expect(await refused { _ = try await say("a giveaway", on: theirs) } == "text_refused text")
    // The creator's own words come first.
    _ = try await comments.change(CommentFilters(words: ["giveaway"]), of: ada.id)
    _ = try await say("another giveaway")
    #expect(try await comments.held(for: ada.id, cursor: nil, limit: 1).items.map(\.word) == ["giveaway"])
  }

  // MARK: Newcomers

  @Test func whoIsNewSendsNoLinks() async throws {
    let hour: Int64 = 3_600_000
    bench.instance.siteRules.newcomerHours = 2
    #expect(await refused { _ = try await say("see example.com") } == "links_not_yet text")
    #expect(
      await refused {
        _ = try await comments.add(
          "see example.com", to: clip, guest: "guest", idempotencyKey: UUID().uuidString)
      } == "links_not_yet text")
    #expect(await refused { try await send("see example.com", from: bob, to: ada) } == "links_not_yet text")
    #expect(await refused { _ = try await say("no link") } == nil)
    // Two hours later.
    try await bench.instance.database.write {
      _ = try $0.execute(
        "UPDATE authors SET created_at_ms = created_at_ms - ? WHERE id = ?",
        [.integer(2 * hour), .text(bob.id)])
    }
    #expect(await refused { _ = try await say("see example.com") } == nil)
    #expect(await refused { try await send("see example.com", from: bob, to: ada) } == nil)
    bench.instance.siteRules.newcomerHours = 0
    #expect(await refused { _ = try await say("see example.com", by: ada) } == nil)
  }

  @Test func whoIsNewWritesLessAtOnce() async throws {
    let clock = TestTime(ms: SystemTime().nowMs)
    let (bench, clip, receiver) = (bench, clip, ada.id)
    bench.instance.siteRules.newcomerHours = 1
    try await bench.servingAccounts(clock) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("cara"))
      let cara = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      for number in 0..<5 {
        _ = try await cara.comment(on: clip, text: "\(number)", idempotencyKey: UUID().uuidString)
      }
      let problem = await #expect(throws: Problem.self) {
        try await cara.comment(on: clip, text: "one more", idempotencyKey: UUID().uuidString)
      }
      #expect(problem?.code == "too_many_requests")
      // Messages are counted with them.
      let other = await #expect(throws: Problem.self) {
        try await cara.send("hello", to: receiver, idempotencyKey: UUID().uuidString)
      }
      #expect(other?.code == "too_many_requests")
      clock.advance(ms: 30_000)
      _ = try await cara.comment(on: clip, text: "later", idempotencyKey: UUID().uuidString)
      // An hour later nobody is new: there is what everybody has.
      bench.instance.siteRules.newcomerHours = 0
      for number in 0..<6 {
        _ = try await cara.comment(on: clip, text: "old \(number)", idempotencyKey: UUID().uuidString)
      }
    }
  }
}
