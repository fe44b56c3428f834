import Accounts
import Contract
import Feed
import Foundation
import Platform
import Testing
import Uploads
import Videos

@testable import Composition
@testable import Generation
@testable import Notifications
@testable import PlatformTesting
@testable import ServerTesting

/// From a prompt to a clip in another person's feed, on each database.
@Suite(.everyEngine) struct GenerationJourneyTests {
  @Test func aPromptBecomesADraftAndThenAClipThatSaysThatAIMadeIt() async throws {
    let folder = try await TestInstance()
    let file = try await folder.makeClip("made.mp4")
    let provider = ScriptedVideos(making: file)
    let bench = try await GenerationBench([provider])
    let instance = bench.bench.instance
    #expect(try await bench.left() == 60)
    let asked = try await bench.ask("A fox, running", seconds: 5)
    #expect(asked.state == .reserved && asked.place == 1 && asked.credits == 5 && asked.permille == 0)
    #expect(try await bench.left() == 55)
    let told = try await bench.finish(asked)
    let made = try #require(told.last)
    #expect(made.state == .ready && made.permille == 1000 && made.problem == nil && !made.isPublished)
    #expect(told.map(\.permille) == told.map(\.permille).sorted())
    #expect(told.dropLast().allSatisfy { $0.permille < 1000 && $0.clipId == nil && $0.uploadId == nil })
    #expect(told.map(\.state).contains(.inProgress) || told.map(\.state).contains(.queued))
    #expect(provider.videos.map(\.request.prompt) == ["A fox, running"])
    #expect(try await bench.sums() == ["available": 55, "held": 0, "issued": -60, "spent": 5])
    // Nobody else sees it.
    let (clip, upload) = (try #require(made.clipId), try #require(made.uploadId))
    let feed = try await instance.feed(.open)
    #expect(try await feed.page(cursor: nil, limit: 9).items.isEmpty)
    #expect(await refusal { try await feed.clip(id: clip, forOwner: false, for: "paul") } == .clipNotFound)
    // Its owner hears that it can be looked at, and not that it was published.
    let store = instance.notifications(on: instance.database)
    let news = try await store.page(of: bench.mara, cursor: nil, limit: 9).page.items
    #expect(news.map(\.kind) == [NotificationKind.generated])
    #expect(news.first?.generationId == made.id && news.first?.clip?.id == clip)

    let published = try await bench.generations.publish(
      made.id, ClipDetails(caption: "Look #fox"), by: bench.mara)
    #expect(published.isPublished)
    let shown = try #require(try await feed.page(cursor: nil, limit: 9, for: "paul").items.first)
    #expect(shown.id == clip && shown.aiGenerated == true && shown.caption == "Look #fox")
    #expect(shown.author.handle == "mara" && shown.tags == ["fox"])
    // Once more is once, and a discarded one leaves what was published.
    _ = try await bench.generations.publish(made.id, ClipDetails(), by: bench.mara)
    try await bench.generations.end(made.id, by: bench.mara)
    #expect(try await bench.generations.page(of: bench.mara, cursor: nil, limit: 9).items.isEmpty)
    #expect(try await feed.page(cursor: nil, limit: 9).items.map(\.id) == [clip])
    #expect(try await instance.uploads(UploadRules()).upload(upload).state == .published)
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path) == [])
  }

  @Test func aDraftThatIsDiscardedIsGone() async throws {
    let folder = try await TestInstance()
    let bench = try await GenerationBench([ScriptedVideos(making: try await folder.makeClip("made.mp4"))])
    let made = try #require(try await bench.finish(try await bench.ask()).last)
    let upload = try #require(made.uploadId)
    try await bench.generations.end(made.id, by: bench.mara)
    let uploads = bench.bench.instance.uploads(UploadRules())
    #expect(await refusal { try await uploads.upload(upload) } == .uploadNotFound)
    #expect(await refusal { try await bench.shown(made) } == .generationNotFound)
    // It was made, so it is paid for.
    #expect(try await bench.left() == 55)
  }

  @Test func whatIsNoVideoIsTheProvidersFailureAndTheNextOneIsAsked() async throws {
    let folder = try await TestInstance()
    let (wrong, right) = (
      ScriptedVideos("wrong"), ScriptedVideos("right", making: try await folder.makeClip("made.mp4"))
    )
    let bench = try await GenerationBench([wrong, right])
    let made = try #require(try await bench.finish(try await bench.ask()).last)
    #expect(made.state == .ready)
    #expect(wrong.videos.count == 1 && right.videos.count == 1)
    #expect(try await bench.left() == 55)
    // Nothing of the first is in anybody's list.
    let own = try await bench.bench.instance.uploads(UploadRules()).ownClips(
      of: bench.mara, cursor: nil, limit: 9)
    #expect(own.items.map(\.uploadId) == [made.uploadId])
  }

  @Test func whatNobodyMakesCostsNothingAndIsTold() async throws {
    let bench = try await GenerationBench([
      ScriptedVideos { _, _ in .failing(ProviderFailure(.contentPolicy, "a word")) }
    ])
    let failed = try #require(try await bench.finish(try await bench.ask()).last)
    #expect(failed.state == .failed && failed.problem == .contentPolicy && failed.clipId == nil)
    #expect(try await bench.left() == 60)
    #expect(try await bench.sums() == ["available": 60, "held": 0, "issued": -60])
    let store = bench.bench.instance.notifications(on: bench.bench.instance.database)
    let news = try await store.page(of: bench.mara, cursor: nil, limit: 9).page.items
    #expect(news.map(\.kind) == [NotificationKind.generationFailed])
    #expect(news.first?.generationId == failed.id)
    // The operator sees why, and has it made for nothing.
    let seen = try #require(try await bench.generations.overview(9).first)
    #expect(seen.failureCode == "content_policy" && seen.failureDetail == "scripted: a word")
  }

  @Test func aRefinementIsANewOneAndTheOneBeforeStays() async throws {
    let folder = try await TestInstance()
    let provider = ScriptedVideos(
      making: try await folder.makeClip("made.mp4"), takesPictures: true, refines: true)
    let bench = try await GenerationBench([provider])
    let first = try #require(try await bench.finish(try await bench.ask("a fox")).last)
    let second = try await bench.generations.refine(
      first.id, prompt: "a red fox", by: bench.mara, idempotencyKey: "the-second")
    #expect(second.refinesId == first.id && second.seconds == first.seconds)
    _ = try await bench.finish(second)
    #expect(provider.videos.map(\.request.refined) == [nil, provider.keys[0]])
    #expect(
      try await bench.generations.page(of: bench.mara, cursor: nil, limit: 9).items.map(\.id)
        == [second.id, first.id])
    // From a clip of one's own it starts with its picture.
    let third = try await bench.generations.request(
      NewGeneration(prompt: "the same at night", seconds: 5, fromClipId: first.clipId), by: bench.mara,
      idempotencyKey: "the-third")
    _ = try await bench.finish(third)
    #expect(provider.videos.last?.request.picture != nil)
    let paul = try await bench.accounts.join("paul").id
    #expect(
      await refusal {
        try await bench.generations.request(
          NewGeneration(prompt: "theirs", seconds: 5, fromClipId: first.clipId), by: paul,
          idempotencyKey: "of-paul-alone")
      } == .clipNotFound)
  }

  @Test func aDeletedAccountLeavesNothingAndItsProviderIsToldToStop() async throws {
    let provider = ScriptedVideos { _, _ in .never }
    let bench = try await GenerationBench([provider])
    _ = try await bench.ask("something private")
    _ = try await bench.ask("something else")
    try await bench.pass()
    try await bench.accounts.delete(bench.mara, AccountDeletion(password: NewAccount("mara").password))
    for _ in 0..<3 { try await bench.pass() }
    #expect(provider.videos.count == 2 && provider.videos.allSatisfy(\.isCancelled))
    let sums = try await bench.sums()
    #expect(sums?["held"] == 0 && sums?["spent"] == nil)
    let left = try await bench.bench.instance.database.read {
      try $0.query("SELECT prompt, viewer_id FROM generations").map {
        (try $0.text("prompt"), $0.optionalText("viewer_id"))
      }
    }
    #expect(left.allSatisfy { $0.0.isEmpty && $0.1 == nil })
    bench.clock.advance(ms: 8 * CreditLedger.dayMs)
    try await bench.generations.sweep()
    #expect(try await bench.bench.count("generations") == 0)
  }
}
