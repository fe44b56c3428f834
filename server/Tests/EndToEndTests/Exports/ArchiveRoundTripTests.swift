import Accounts
import Captions
import Comments
import Contract
import FFmpeg
import Foundation
import Notifications
import Platform
import Profiles
import Recommendations
import Social
import Testing
import Videos

@testable import Composition
@testable import Exports
@testable import PlatformTesting
@testable import ServerTesting

/// What is exported here and imported there is, exported again, the same but for ids and times.
@Suite(.everyEngine) struct ArchiveRoundTripTests {
  /// What is taken of an archive.
  private static let lists = [
    "profile", "follows", "blocks", "dismissals", "personalisation", "notification_settings", "clips",
    "likes", "bookmarks", "comments", "comment_filters",
  ]
  private static let tables = [
    "clips", "uploads", "comments", "likes", "bookmarks", "follows", "blocks", "jobs", "profiles",
    "comment_filters",
  ]

  private func fill(_ bench: TestInstance, _ mara: String) async throws {
    let instance = bench.instance
    let context = FeatureContext(instance)
    _ = try await instance.accounts().change(mara, AccountChange(name: "Mara M."))
    _ = try await context.profiles.change(
      ProfileChange(bio: "I swim", links: ["https://example.org/a"], likesPublic: true), of: mara)
    _ = try await context.comments.change(
      CommentFilters(words: ["Spam", "bad news", "東京"], holdLinks: true, followersOnly: true), of: mara)
    let picture = bench.folder.appendingPathComponent("face.png")
    try await bench.tools.run(
      ["-f", "lavfi", "-i", "testsrc2=size=90x80", "-frames:v", "1", "file:" + picture.path],
      in: bench.folder)
    _ = try await context.portraits.put(Array(try Data(contentsOf: picture)), of: mara)
    let paul = try await bench.id(of: "paul")
    _ = try await context.social.follow(paul, by: mara)
    _ = try await context.social.block(try await bench.id(of: "troll"), by: mara)
    let recommendations = instance.recommendations(on: instance.database)
    _ = try await recommendations.dismiss(Dismissal(.tag, "pier"), by: mara)
    _ = try await recommendations.personalise(false, mara)
    _ = try await context.notifications.change(
      NotificationSettingsChange(items: [.init(kind: NotificationKind.like, push: false)]), of: mara)
    let video = try await bench.makeClip("sea.mp4")
    let sea = try await bench.upload(video, by: mara, caption: "The sea #waves", tags: "waves blue")
    let other = try await bench.makeClip("room.mp4", seed: 3)
    let room = try await bench.upload(other, by: mara, caption: "A room", visibility: .private)
    try await instance.database.write { try instance.clips.setLanguage("sv", of: room.clip, in: $0) }
    _ = try await instance.captions.put(
      Array("WEBVTT\n\n00:00.100 --> 00:01.000\nwaves\n".utf8), to: sea.clip, language: "de", label: "Deutsch"
    )
    _ = try await context.social.like(sea.clip, by: mara)
    _ = try await context.social.bookmark(sea.clip, by: mara)
    let first = try await context.comments.add(
      "first", to: sea.clip, by: mara, idempotencyKey: "first-comment")
    _ = try await context.comments.add(
      "second", to: sea.clip, replyTo: first.id, by: mara, idempotencyKey: "second-comment")
  }

  /// Takes an archive in while somebody converts.
  private func take(_ archive: MadeArchive, into bench: TestInstance) async throws -> ArchiveImport.Report {
    let worker = Task { await bench.instance.worker(tools: bench.tools).run() }
    let outcome: Result<ArchiveImport.Report, any Error>
    do {
      outcome = .success(try await bench.instance.takeArchive(archive.url, into: "mara"))
    } catch {
      outcome = .failure(error)
    }
    // It still converts what can be watched already, and holds the folder in which it does.
    worker.cancel()
    await worker.value
    return try outcome.get()
  }

  @Test func whatIsExportedHereAndImportedThereIsTheSame() async throws {
    let (here, there) = (try await TestInstance(), try await TestInstance())
    var mara: [String] = []
    for bench in [here, there] {
      let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
      mara.append(try await accounts.join("mara").id)
      for handle in ["paul", "troll"] { _ = try await accounts.join(handle) }
    }
    try await fill(here, mara[0])
    let first = try await here.export(mara[0])
    let files = first.reader.manifest.files.compactMap(\.role).sorted()
    #expect(files == ["captions", "cover", "cover", "picture", "video", "video"])
    let report = try await take(first, into: there)
    #expect(
      report.taken["clips"] == 2 && report.taken["comments"] == 2 && report.taken["captions"] == 1
        && report.taken["picture"] == 1,
      "\(report)")
    let second = try await there.export(mara[1])
    for list in Self.lists {
      let (one, other) = (try await first.shape(list), try await second.shape(list))
      #expect(one == other && !one.isEmpty, "\(list)")
    }
    #expect(second.reader.manifest.files.compactMap(\.role).sorted() == files)
    #expect(try await second.lines("profile").first?["likes_public"] as? Int == 1)
    let captions = second.reader.manifest.files.first { $0.role == "captions" }
    #expect(captions?.language == "de" && captions?.label == "Deutsch" && captions?.automatic == false)
    #expect(captions?.sha256 == first.reader.manifest.files.first { $0.role == "captions" }?.sha256)
    // The private clip is private there as well.
    #expect(try await second.lines("clips").filter { $0["visibility"] as? String == "private" }.count == 1)

    // Once more, and nothing is there twice.
    let before = try await counts(there)
    let again = try await take(first, into: there)
    #expect(again.taken == report.taken)
    #expect(try await counts(there) == before)
  }

  @Test func anArchiveThatComesBackToWhereItWasMadeChangesNothing() async throws {
    let bench = try await TestInstance()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let mara = try await accounts.join("mara").id
    for handle in ["paul", "troll"] { _ = try await accounts.join(handle) }
    try await fill(bench, mara)
    let archive = try await bench.export(mara)
    let before = try await counts(bench)
    let report = try await take(archive, into: bench)
    #expect(report.taken["clips that are here"] == 2 && report.taken["clips"] == nil)
    #expect(try await counts(bench) == before)
  }

  @Test func halfAnArchiveIsNotTakenAtAll() async throws {
    let bench = try await TestInstance()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let mara = try await accounts.join("mara").id
    _ = try await FeatureContext(bench.instance).profiles.change(ProfileChange(bio: "I swim"), of: mara)
    let archive = try await bench.export(mara)
    let other = try await TestInstance()
    _ = try await other.instance.accounts(hashing: CountingPasswords()).join("mara")
    let half = bench.folder.appendingPathComponent("half.tar")
    try archive.bytes().dropLast(2048).write(to: half)
    await #expect(throws: ArchiveFailure.self) { try await other.instance.takeArchive(half, into: "mara") }
    #expect(try await other.count("profiles") == 0)
    #expect(
      await refusal { try await other.instance.takeArchive(archive.url, into: "nobody") } == .accountNotFound)
  }

  private func counts(_ bench: TestInstance) async throws -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for table in Self.tables { counts[table] = try await bench.count(table) }
    // Archives are jobs as well.
    counts["jobs"]? -= try await bench.count("exports")
    return counts
  }
}

extension TestInstance {
  fileprivate func id(of handle: String) async throws -> String {
    try await instance.accounts().account(handle: handle).id
  }
}
