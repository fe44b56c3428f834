import Accounts
import Comments
import Contract
import Foundation
import Logging
import Messages
import Platform
import Profiles
import Social
import Testing

@testable import Composition
@testable import Exports
@testable import PlatformTesting
@testable import ServerTesting

/// Archives of all that is kept of an account: asked for, made, had and gone.
@Suite(.everyEngine) struct ExportTests {
  private let bench: TestInstance
  private let accounts: Accounts
  private let mara: String

  init() async throws {
    bench = try await TestInstance()
    accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    mara = try await accounts.join("mara").id
  }

  private static let week: Int64 = 7 * 86_400_000

  @Test func anArchiveHoldsWhatIsKeptOfTheAccountAndNothingOfOthers() async throws {
    let instance = bench.instance
    let paul = try await accounts.join("paul")
    let (own, other) = (
      try await bench.publishBare("hers", by: mara), try await bench.publishBare("his", by: paul.id)
    )
    let social = try await instance.social(.open)
    _ = try await social.like(other, by: mara)
    _ = try await social.bookmark(other, by: mara)
    _ = try await social.follow(paul.id, by: mara)
    _ = try await social.follow(mara, by: paul.id)
    let comments = try await instance.comments(.open)
    let said = try await comments.add(
      "a \"word\"\nand another", to: other, by: mara, idempotencyKey: "her-comment")
    _ = try await comments.add("his alone", to: other, by: paul.id, idempotencyKey: "his-comment")
    let messages = instance.messages(on: instance.database)
    _ = try await messages.send(
      NewMessage(text: "hello mara"), to: mara, by: paul, idempotencyKey: "his-message")
    _ = try await instance.profiles(on: instance.database).change(
      ProfileChange(bio: "I swim", links: ["https://example.org"]), of: mara)
    let archive = try await bench.export(mara)
    #expect(try await archive.lines("account").first?["handle"] as? String == "mara")
    #expect(try await archive.lines("profile").first?["bio"] as? String == "I swim")
    #expect(try await archive.lines("likes").map { $0["clip_id"] as? String } == [other])
    #expect(try await archive.lines("bookmarks").count == 1)
    #expect(try await archive.lines("follows").map { $0["handle"] as? String } == ["paul"])
    #expect(try await archive.lines("followers").map { $0["handle"] as? String } == ["paul"])
    #expect(try await archive.lines("clips").map { $0["id"] as? String } == [own])
    let line = try #require(try await archive.lines("comments").first)
    #expect(line["id"] as? String == said.id && line["text"] as? String == "a \"word\"\nand another")
    let message = try #require(try await archive.lines("messages").first)
    #expect(message["own"] as? Int == 0 && message["text"] as? String == "hello mara")
    #expect(try await archive.lines("sessions").count == 1)
    // Nothing that opens the account, and nothing that is somebody else's.
    let bytes = try archive.bytes()
    for secret in ["password_hash", "secret_hash", "his alone", "grant_token"] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    let manifest = archive.reader.manifest
    #expect(manifest.account.handle == "mara" && manifest.version == 1 && manifest.missing == [])
    #expect(manifest.files.first { $0.path == "records/likes.jsonl" }?.records == 1)
    // Every list is there, also an empty one.
    let lists = instance.viewerExporting.flatMap(\.exported).map { "records/\($0.name).jsonl" }
    #expect(manifest.files.filter { $0.role == nil }.map(\.path) == lists)
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path) == [])
  }

  @Test func whatTheListSaysOfAnArchiveIsWhatIsInIt() async throws {
    let archive = try await bench.export(mara)
    let told = try #require(try await bench.instance.exports().list(of: mara).items.first)
    #expect(told.state == .ready && told.permille == 1000 && told.problem == nil)
    #expect(told.sizeBytes == (try archive.bytes().count))
    #expect(told.sha256 == (try ContentHash.ofFile(at: archive.url)))
    #expect(told.records == archive.reader.manifest.records && told.files == 0)
    #expect(try #require(told.expiresAt) > Date().addingTimeInterval(6.9 * 86_400))
    #expect(try await bench.instance.exports().list(of: "somebody").items == [])
  }

  @Test func oneIsMadeAtATimeAndThreeADay() async throws {
    let clock = TestTime(ms: SystemTime().nowMs)
    let exports = bench.instance.exports(time: clock)
    let first = try await exports.request(by: mara, idempotencyKey: "first-export")
    #expect(first.state == .waiting && first.permille == 0 && first.url == nil)
    #expect(try await exports.request(by: mara, idempotencyKey: "first-export").id == first.id)
    #expect(
      await refusal { try await exports.request(by: mara, idempotencyKey: "second-export") }
        == .exportUnderWay)
    try await exports.delete(first.id, of: mara)
    #expect(try await exports.list(of: mara).items == [])
    #expect(try await bench.count("jobs") == 0)
    #expect(
      await refusal { try await exports.request(by: mara, idempotencyKey: "first-export") } == .exportNotFound
    )
    for key in ["second-export", "third-export"] {
      try await exports.delete(try await exports.request(by: mara, idempotencyKey: key).id, of: mara)
    }
    #expect(
      await refusal { try await exports.request(by: mara, idempotencyKey: "fourth-export") }
        == .exportsTooMany)
    // Others, and the next day.
    let paul = try await accounts.join("paul").id
    _ = try await exports.request(by: paul, idempotencyKey: "first-export")
    clock.advance(ms: 86_400_001)
    _ = try await exports.request(by: mara, idempotencyKey: "fourth-export")
  }

  @Test func ofManyWhoAskAtOnceOneMakesAnArchive() async throws {
    let other = try await bench.another()
    let codes = await withTaskGroup(of: ErrorCode?.self) { [bench, mara] group in
      for number in 0..<8 {
        let instance = number % 2 == 0 ? bench.instance : other
        group.addTask {
          await refusal { try await instance.exports().request(by: mara, idempotencyKey: "export-\(number)") }
        }
      }
      return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
    }
    #expect(codes.filter { $0 == nil }.count == 1)
    #expect(codes.filter { $0 == .exportUnderWay }.count == 7)
  }

  @Test func aNewerArchiveTakesThePlaceOfTheOneBefore() async throws {
    _ = try await bench.export(mara, key: "first-export")
    let before = try await bench.storedArchives()
    _ = try await bench.export(mara, key: "second-export")
    #expect(try await bench.instance.exports().list(of: mara).items.count == 1)
    #expect(try await bench.storedArchives().count == 2)
    let later = TestTime(ms: SystemTime().nowMs + 2 * 3_600_000)
    _ = try await bench.instance.sweep(at: later)
    let left = try await bench.storedArchives()
    #expect(left.count == 1 && left != before)
  }

  @Test func aRunThatIsCutOffLeavesNothingAndTheNextOneIsWhole() async throws {
    /// Fails where the files would come, behind all records.
    struct Cut: ExportedMedia {
      let asked = Shared(0)

      func clips(
        of account: String, behind id: String, limit: Int, in transaction: any Transaction
      ) throws -> (clips: [ExportedClip], next: String?) {
        // The first look is for how much there is.
        guard
          asked.with({
            $0 += 1; return $0
          }) == 1
        else { throw AppError(.internalError) }
        return ([], nil)
      }

      func picture(of account: String, in transaction: any Transaction) throws -> BlobName? { nil }

      func firstPictures(
        of account: String, in transaction: any Transaction
      ) throws -> [(name: String, blob: BlobName)] { [] }
    }
    let exports = bench.instance.exports()
    let asked = try await exports.request(by: mara, idempotencyKey: "first-export")
    let instance = bench.instance
    let handler = ExportHandler(
      exports: exports, features: instance.viewerExporting, media: Cut(),
      stores: .init(media: instance.media, sources: instance.sources) { .max },
      workFolder: instance.workFolder
    ) { "here" }
    let worker = Worker(queue: instance.queue, handlers: [handler], logger: Logger(label: "test"))
    #expect(try await worker.runNext())
    #expect(try await bench.storedArchives() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path) == [])
    #expect(try await exports.list(of: mara).items.first?.state == .waiting)
    // The next try is due a second later.
    try await eventually("it is made") {
      _ = try await instance.exportWorker().runNext()
      return try await exports.list(of: mara).items.first?.state == .ready
    }
    #expect(try await exports.list(of: mara).items.first?.id == asked.id)
  }

  @Test func oneThatCannotBeMadeSaysWhyAndAnotherCanBeAskedFor() async throws {
    let (exports, instance) = (bench.instance.exports(), bench.instance)
    _ = try await exports.request(by: mara, idempotencyKey: "first-export")
    let handler = ExportHandler(
      exports: exports, features: instance.viewerExporting, media: MediaOfAccounts(clips: instance.clips),
      stores: .init(media: instance.media, sources: instance.sources) { 0 }, workFolder: instance.workFolder
    ) { "here" }
    let worker = Worker(queue: instance.queue, handlers: [handler], logger: Logger(label: "test"))
    try await eventually("it is given up") {
      _ = try await worker.runNext()
      return try await exports.list(of: mara).items.first?.state == .failed
    }
    #expect(try await exports.list(of: mara).items.first?.problem == "storage_full")
    _ = try await bench.export(mara, key: "second-export")
  }

  @Test func aDeletedAccountTakesItsArchivesAlong() async throws {
    _ = try await bench.export(mara, key: "first-export")
    let told = try #require(try await bench.instance.exports().list(of: mara).items.first)
    let seal = String(try #require(told.url?.split(separator: "/").last))
    // One is under way as well.
    _ = try await bench.instance.exports().request(by: mara, idempotencyKey: "second-export")
    try await accounts.delete(mara, AccountDeletion(password: NewAccount("mara").password))
    #expect(try await bench.count("exports") == 0)
    #expect(
      await refusal { try await bench.instance.exports().archive(told.id, by: seal) } == .exportNotFound)
    #expect(try await !bench.instance.exportWorker().runNext())
    _ = try await bench.instance.sweep(at: TestTime(ms: SystemTime().nowMs + 2 * 3_600_000))
    #expect(try await bench.storedArchives() == [])
  }

  @Test func anArchiveThatWasMadeForSomebodyWhoLeftIsNobodys() async throws {
    let (exports, instance) = (bench.instance.exports(), bench.instance)
    _ = try await exports.request(by: mara, idempotencyKey: "first-export")
    let job = try #require(try await instance.queue.claim(kinds: [ExportHandler.kind]))
    try await accounts.delete(mara, AccountDeletion(password: NewAccount("mara").password))
    await #expect(throws: JobQueue.LostLease.self) {
      try await instance.queue.complete(job) {
        try exports.finish(
          job.key, blob: try #require(BlobName(hash: ContentHash.of([1]), ext: "tar")), sizeBytes: 1,
          records: 1, files: 0,
          in: $0)
      }
    }
    #expect(try await bench.count("exports") == 0)
  }

  @Test func anArchiveIsThereForAWeek() async throws {
    _ = try await bench.export(mara)
    let told = try #require(try await bench.instance.exports().list(of: mara).items.first)
    let clock = TestTime(ms: SystemTime().nowMs + Self.week - 60_000)
    let exports = bench.instance.exports(time: clock)
    try await exports.sweep()
    let url = try #require(try await exports.list(of: mara).items.first?.url)
    _ = try await exports.archive(told.id, by: String(try #require(url.split(separator: "/").last)))
    clock.advance(ms: 120_000)
    #expect(try await exports.list(of: mara).items == [])
    #expect(
      await refusal {
        try await exports.archive(told.id, by: String(try #require(url.split(separator: "/").last)))
      } == .exportNotFound)
    try await exports.sweep()
    #expect(try await bench.storedArchives() == [])
    clock.advance(ms: 2 * 86_400_000)
    try await exports.sweep()
    #expect(try await bench.count("exports") == 0)
  }

  @Test func aSealOpensOneArchiveForAnHourOrTwo() async throws {
    _ = try await bench.export(mara)
    let told = try #require(try await bench.instance.exports().list(of: mara).items.first)
    let seal = String(try #require(told.url?.split(separator: "/").last))
    let paul = try await accounts.join("paul").id
    _ = try await bench.export(paul)
    let his = try #require(try await bench.instance.exports().list(of: paul).items.first)
    let exports = bench.instance.exports()
    for (id, seal) in [
      (his.id, seal), (told.id, "1-" + String(repeating: "a", count: 64)), (told.id, ""), ("none", seal),
    ] {
      #expect(await refusal { try await exports.archive(id, by: seal) } == .exportNotFound)
    }
    // A seal of media, even of a clip that is called so, is none of an archive.
    let keys = SealKeys(database: bench.instance.database, time: SystemTime())
    let soon = SystemTime().nowMs / 1000 + 600
    let holder = try await keys.make(clip: "export/\(told.id)", reader: .holder, expires: soon)
    let media = try await keys.make(clip: told.id, reader: .owner, expires: soon)
    for seal in [holder, media] {
      #expect(await refusal { try await exports.archive(told.id, by: seal) } == .exportNotFound)
    }
    let later = bench.instance.exports(time: TestTime(ms: SystemTime().nowMs + 3 * 3_600_000))
    #expect(await refusal { try await later.archive(told.id, by: seal) } == .mediaAddressExpired)
  }

  @Test func theOwnerIsToldOnceWhenItIsThere() async throws {
    let exports = bench.instance.exports(telling: accounts)
    _ = try await exports.request(by: mara, idempotencyKey: "an-export-of-this-test")
    try await exports.tell()
    #expect(
      try await accounts.notices(of: mara, cursor: nil, limit: 9).items.filter { $0.kind == "export_ready" }
        == [])
    _ = try await bench.export(mara)
    for _ in 0..<2 { try await exports.tell() }
    #expect(
      try await accounts.notices(of: mara, cursor: nil, limit: 9).items.filter { $0.kind == "export_ready" }
        .count == 1)
  }
}
