import Contract
import CoreTypes
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct ReviewModelTests {
  private func reviewed(_ lengths: Int...) async -> Studio {
    let studio = Studio()
    await studio.open()
    for length in lengths { studio.record(length) }
    studio.model.finish()
    await studio.until { studio.model.review != nil }
    return studio
  }

  private func file(_ length: Int, _ ending: String = "mov") throws -> URL {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).\(ending)")
    try Data(count: length).write(to: file)
    return file
  }

  @Test func theClipsPlayOneBehindTheOtherThroughTheLook() async throws {
    let studio = await reviewed(1_500, 2_000)
    let plan = try #require(studio.player.plan)
    #expect(plan.parts.map(\.captured) == [Milliseconds(1_500), Milliseconds(2_000)])
    #expect(plan.fills)
    #expect((plan.target.width, plan.target.height) == (1080, 1920))
    #expect(studio.camera.log.last == "close")
    studio.model.review?.choose(LookChoice(look: 3, strength: 100))
    #expect(studio.player.log.last == "look 3")
    #expect(studio.model.look.look == 3)
  }

  @Test func whatIsMadeIsHandedOverWithCoverAndLengthAndTheClipsStay() async throws {
    let studio = await reviewed(4_000)
    let review = try #require(studio.model.review)
    review.moveStart(toShare: 0.25)
    review.endTrimming()
    review.chooseCover(atShare: 0.64)
    review.finish()
    await studio.until { !studio.handed.isEmpty }
    let video = try #require(studio.handed.first)
    #expect(video.length == Milliseconds(3_000))
    #expect(video.cover == Milliseconds(1_500))
    #expect(video.clips.map(\.clip) == [1])
    #expect(studio.maker.plans.first?.parts.first?.start == Milliseconds(1_000))
    #expect(FileManager.default.fileExists(atPath: video.file.path))
    #expect(studio.closedCount == 1)
    #expect(studio.files.count == 1)
    studio.folder.discard(video.clips)
    #expect(studio.files.isEmpty)
    let next = Studio(root: studio.root)
    await next.open()
    #expect(next.model.marks.isEmpty)
  }

  /// The upload would make it smaller behind it.
  @Test func aLongVideoIsMadeInTheSizeInWhichItGoesUp() async throws {
    let studio = await reviewed(20_000, 20_000)
    #expect(studio.player.plan?.target.width == 1080)
    studio.model.review?.moveEnd(toShare: 0.5)
    studio.model.review?.finish()
    await studio.until { !studio.handed.isEmpty }
    #expect(studio.maker.plans.map(\.target.width) == [720])
  }

  @Test func cancellingGoesBackToChoosingAndLeavesNoFile() async throws {
    let studio = await reviewed(2_000)
    studio.maker.isHeld = true
    let review = try #require(studio.model.review)
    review.finish()
    await studio.until { studio.maker.gate != nil }
    studio.maker.progress?(0.5)
    #expect(review.making == 0.5)
    studio.model.close()
    #expect(review.making == nil)
    studio.maker.letGo()
    for _ in 0..<10_000 { await Task.yield() }
    #expect(studio.handed.isEmpty)
    #expect(studio.model.stage == .reviewing)
    studio.model.close()
    #expect(studio.model.stage == .ready)
    #expect(studio.camera.log.last == "use back sound 30")
    #expect(studio.files.count == 1)
  }

  @Test func aFailureSaysWhatToDoAndCanBeTriedAgain() async throws {
    let studio = await reviewed(2_000)
    let review = try #require(studio.model.review)
    studio.maker.trouble = .storageFull
    review.finish()
    await studio.until { review.trouble != nil }
    #expect(review.trouble?.contains("Free some space") == true)
    studio.maker.trouble = nil
    review.finish()
    await studio.until { !studio.handed.isEmpty }
    #expect(studio.handed.count == 1)
  }

  @Test func leavingTheAppBeginsTheVideoAnewOnComingBack() async throws {
    let studio = await reviewed(2_000)
    let review = try #require(studio.model.review)
    studio.maker.isHeld = true
    review.finish()
    await studio.until { studio.maker.gate != nil }
    studio.model.setActive(false)
    studio.maker.isHeld = false
    studio.maker.letGo()
    await studio.until { studio.maker.gate == nil }
    #expect(review.making != nil)
    #expect(review.trouble == nil)
    studio.model.setActive(true)
    await studio.until { !studio.handed.isEmpty }
    #expect(studio.maker.plans.count == 2)
  }

  @Test func severalVideosOfTheLibraryBecomeOneThatIsTrimmedToAMinute() async throws {
    let studio = Studio()
    await studio.open()
    let files = try [file(50_000), file(40_000), file(50)]
    studio.model.importVideos(files.map { file in { file } } + [{ throw VideoTrouble.unreadable }])
    await studio.model.importedAll()
    let review = try #require(studio.model.review)
    #expect(review.isImported)
    #expect(review.isTooLong)
    #expect(review.endSeconds == 60)
    #expect(studio.announcements.waiting.last?.text == "Some of the videos cannot be used.")
    #expect(studio.camera.log.last == "close")
    review.stepEnd(by: 10)
    #expect(review.startSeconds == 1)
    review.finish()
    await studio.until { !studio.handed.isEmpty }
    #expect(studio.handed.first?.length == Milliseconds(60_000))
    #expect(studio.handed.first?.clips == [])
  }

  @Test func aShortVideoThatNobodyChangedGoesAsItIs() async throws {
    let studio = Studio()
    await studio.open()
    let file = try file(5_000, "mp4")
    studio.model.importVideos([{ file }])
    await studio.model.importedAll()
    studio.model.review?.finish()
    await studio.until { !studio.handed.isEmpty }
    #expect(studio.maker.plans.isEmpty)
    let handed = try #require(studio.handed.first)
    #expect(try Data(contentsOf: handed.file).count == 5_000)
  }

  @Test func goingBackFromTheLibrarysVideosOpensTheCamera() async throws {
    let studio = Studio()
    await studio.open()
    studio.record(1_000)
    let file = try file(5_000)
    studio.model.importVideos([{ file }])
    await studio.model.importedAll()
    studio.model.close()
    #expect(studio.model.review == nil)
    #expect(studio.model.stage == .ready)
    #expect(studio.camera.log.last == "use back sound 30")
    #expect(studio.model.marks.count == 1)
  }

  @Test func whatCannotBeUsedIsSaidAndTheCameraStays() async throws {
    let studio = Studio()
    await studio.open()
    studio.maker.facts["huge"] = ClipFacts(seconds: 3, width: 9_000, height: 9_000, frameRate: 30)
    let file = try file(5_000, "huge")
    studio.model.importVideos([{ file }])
    await studio.model.importedAll()
    #expect(studio.model.review == nil)
    #expect(studio.announcements.waiting.last?.text == "This video cannot be used.")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
