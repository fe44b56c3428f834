import CoreTypes
import Foundation
import Persistence
import PlaybackTesting
import Testing

@testable import AppModel

/// What is there after the app was killed.
@MainActor @Suite struct ClipFolderTests {
  /// The folder as it is at this moment, as a kill leaves it.
  private func copy(_ root: URL) throws -> URL {
    let copy = TemporaryFolder.path()
    try FileManager.default.copyItem(at: root, to: copy)
    return copy
  }

  private func marks(_ root: URL) async -> [Int32] {
    let studio = Studio(root: root)
    await studio.open()
    return studio.model.marks.map(\.id)
  }

  @Test func whatWasRecordedComesBackAfterAKillAtAnyStep() async throws {
    let studio = Studio()
    await studio.open()
    var expected: [Int32] = []
    func kill(_ step: String) async throws {
      let found = await marks(try copy(studio.root))
      #expect(found == expected, "\(step)")
    }
    try await kill("opened")
    studio.model.tapShutter()
    try await kill("asked")
    studio.camera.report(.started(clip: 1))
    studio.camera.write(100)
    try await kill("too short")
    studio.camera.write(1_500)
    expected = [1]
    try await kill("being recorded")
    studio.camera.report(.finished(clip: 1, Milliseconds(1_500)))
    try await kill("recorded")
    studio.model.choose(speed: 50)
    studio.record(4_000)
    expected = [1, 2]
    try await kill("a second")
    studio.model.undo()
    try await kill("marked")
    studio.model.undo()
    expected = [1]
    try await kill("undone")
    studio.model.finish()
    await studio.until { studio.model.review != nil }
    try await kill("reviewed")
    studio.maker.isHeld = true
    studio.model.review?.finish()
    await studio.until { studio.maker.gate != nil }
    try await kill("being made")
    studio.maker.letGo()
    await studio.until { !studio.handed.isEmpty }
    try await kill("handed over")
    studio.folder.discard(studio.handed[0].clips)
    expected = []
    try await kill("published")
  }

  @Test func noFlippedBitOfTheListCostsAClip() async throws {
    let studio = Studio()
    await studio.open()
    studio.record(1_500)
    studio.model.choose(speed: 200)
    studio.record(3_000)
    let list = studio.root.appending(path: "takes")
    let bytes = try Data(contentsOf: list)
    for place in stride(from: 0, to: bytes.count, by: 7) {
      var flipped = bytes
      flipped[place] ^= UInt8(1 << (place % 8))
      let root = try copy(studio.root)
      try flipped.write(to: root.appending(path: "takes"))
      let found = Studio(root: root)
      await found.open()
      #expect(found.model.marks.map(\.id) == [1, 2], "byte \(place)")
      #expect(found.model.marks.map(\.length) == [0.025, 0.025], "byte \(place)")
    }
  }

  @Test func aFileThatTheListDoesNotNameWasDeleted() async throws {
    let studio = Studio()
    await studio.open()
    studio.record(1_500)
    let clips = studio.root.appending(path: "clips")
    try Data(count: 900).write(to: clips.appending(path: "clip-9-100-0-9.mov"))
    try Data(count: 900).write(to: clips.appending(path: "clip-x-100-0-9.mov"))
    studio.model.keepClips()
    await studio.open()
    #expect(studio.model.marks.map(\.id) == [1])
    #expect(studio.files == ["clip-1-100-0-1.mov", "clip-x-100-0-9.mov"])
  }

  @Test func namesOfFilesAreReadWithCare() {
    for name in [
      "clip-0-100-0-1.mov", "clip-1-100-0.mov", "clip-1--100-0-1.mov", "clip-99999999999-100-0-1.mov",
      "clip-.mov", "clip-1-100-0-1.MP4", "takes",
    ] { #expect(StoredTakes.Clip(fileName: name) == nil, "\(name)") }
    let clip = StoredTakes.Clip(clip: 7, captured: 0, speed: 30, camera: 1, take: 6)
    #expect(StoredTakes.Clip(fileName: clip.fileName) == clip)
  }

  /// Numbers begin anew once all clips are gone: an upload that ends late must not take another's clip.
  @Test func whatWasRecordedLaterUnderTheSameNumberStays() async throws {
    let studio = Studio()
    await studio.open()
    studio.record(1_500)
    let published = studio.folder.stamps([1])
    studio.model.close()
    studio.model.discardClips()
    let again = Studio(root: studio.root)
    await again.open()
    again.record(2_000)
    #expect(again.files == ["clip-1-100-0-1.mov"])
    again.model.close()
    again.model.keepClips()
    again.folder.discard(published)
    #expect(again.files == ["clip-1-100-0-1.mov"])
  }

  @Test func whatIsPublishedWhileTheScreenIsOpenGoesWhenItCloses() async throws {
    let studio = Studio()
    await studio.open()
    studio.record(1_500)
    studio.record(1_200)
    studio.folder.discard(studio.folder.stamps([1]))
    #expect(studio.files.count == 2)
    studio.model.close()
    studio.model.keepClips()
    #expect(studio.files == ["clip-2-100-0-2.mov"])
  }

  @Test func whatWasHandedOverGoesWhenALaterRunHearsThatItIsPublished() async throws {
    let studio = Studio()
    await studio.open()
    studio.record(1_500)
    let file = StoredFile<[String: [ClipStamp]]>(studio.root.appending(path: "handed"))
    let video = FinishedVideo(
      file: studio.root.appending(path: "made.mp4"), length: Milliseconds(1_500), cover: nil,
      clips: studio.folder.stamps([1]))
    HandedTakes(folder: studio.folder, file: file).handOver(video)
    studio.model.close()
    studio.model.keepClips()
    let later = HandedTakes(folder: ClipFolder(root: studio.root), file: file)
    later.published("another.mp4")
    #expect(studio.files.count == 1)
    later.published(HandedTakes.name(of: video))
    #expect(studio.files.isEmpty)
    later.published(HandedTakes.name(of: video))
  }

  @Test func scratchOfAnEarlierRunGoes() async throws {
    let studio = Studio()
    await studio.open()
    let file = studio.folder.scratchFile("mp4")
    try Data(count: 10).write(to: file)
    studio.model.close()
    await studio.open()
    #expect(FileManager.default.fileExists(atPath: file.path))
    let restarted = Studio(root: studio.root)
    await restarted.open()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }
}
