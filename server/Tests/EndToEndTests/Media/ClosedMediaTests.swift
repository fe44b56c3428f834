import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What lies in the store and belongs to no public clip is nobody's.
@Suite(.everyEngine) struct ClosedMediaTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)

  init() async throws { bench = try await TestInstance() }

  private func status(_ target: String, _ transport: SocketTransport) async throws -> Int {
    try await transport.send(WireRequest("GET", target)).status
  }

  @Test(arguments: [Visibility.public, .unlisted, .private])
  func mediaOfADeletedAccountAreClosedBeforeTheSweepTakesThem(_ visibility: Visibility) async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let new = NewAccount("mara")
    let session = try await accounts.signUp(new, guest: nil, client: "")
    let clip = try await bench.instance.publishBare("hers", visibility: visibility, by: session.account.id)
    let blob = try await bench.instance.media.put(Data("bytes".utf8), ext: "mp4", in: bench.folder)
    try await bench.instance.put(blob, into: clip)
    let seal = try await bench.instance.sealKeys.make(
      clip: clip, reader: .owner, expires: clock.nowMs / 1000 + 3600)
    let (open, sealed) = (Route.media.path("\(blob)"), Route.sealedMedia.path(clip, seal, "\(blob)"))
    try await bench.serving(accounts: accounts, time: clock) { transport async throws in
      #expect(try await status(open, transport) == (visibility == .public ? 200 : 404))
      #expect(try await status(sealed, transport) == 200)
      let mara = Bearer(inner: transport, token: try #require(session.accessToken))
      let gone = try await mara.answer(
        "POST", Route.accountDeletion.path(), #"{"password":"\#(new.password)"}"#,
        ["content-type": "application/json"])
      #expect(gone.status == 204)
      // At once, by this process: the clock stands still, so what it remembers would count.
      #expect(try await status(open, transport) == 404)
      #expect(try await status(sealed, transport) == 404)
    }
    #expect(try await bench.instance.media.size(blob) == 5, "the sweep comes later")
  }

  @Test func aBlobOfNoClipIsNobodysUntilAPublicClipNeedsIt() async throws {
    let blob = try await bench.instance.media.put(Data("bytes".utf8), ext: "mp4", in: bench.folder)
    try await bench.serving(time: clock) { [bench, clock] transport async throws in
      #expect(try await status(Route.media.path("\(blob)"), transport) == 404)
      try await bench.instance.publish(blob)
      clock.advance(ms: 2000)
      #expect(try await status(Route.media.path("\(blob)"), transport) == 200)
    }
  }

  @Test func whatWasReplacedAMomentAgoStaysOpen() async throws {
    let blob = try await bench.instance.media.put(Data("bytes".utf8), ext: "mp4", in: bench.folder)
    try await bench.instance.publish(blob)
    try await bench.instance.database.write { [clock] in
      try $0.execute("UPDATE clip_blobs SET unused_since_ms = ?", [.integer(clock.nowMs)])
    }
    try await bench.serving(time: clock) { transport async throws in
      #expect(try await status(Route.media.path("\(blob)"), transport) == 200)
    }
  }

  @Test func clipsOfTheTimeBeforeTheBooksAreWrittenDownWithTheSchema() async throws {
    let instance = bench.instance
    let blob = try await instance.media.put(Data("bytes".utf8), ext: "jpg", in: bench.folder)
    let clip = try await instance.publishBare("old")
    try await instance.database.write { transaction in
      try transaction.execute(
        "UPDATE clips SET poster = ? WHERE id = ?",
        [.text(#"{"url":"/media/\#(blob)","width":1,"height":1,"placeholder":""}"#), .text(clip)])
      try transaction.execute("DROP TABLE clip_blobs")
      try transaction.execute("DELETE FROM schema_migrations WHERE name = '0006_clip_blobs'")
    }
    #expect(try await instance.migrate() == ["0006_clip_blobs"])
    try await bench.serving(time: clock) { transport async throws in
      #expect(try await status(Route.media.path("\(blob)"), transport) == 200)
    }
  }
}
