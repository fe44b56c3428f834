import Contract
import CoreTypes
import Foundation
import Persistence
import Testing
import Transfer
import Upload

@testable import AppModel

/// Where a video goes that somebody recorded, and where the clip is that came of one.
@MainActor @Suite struct UploadPlacesTests {
  private typealias Desk = UploadModelTests.Desk

  /// An upload whose file is gone, which the app notices at its next start.
  private func waitingForItsFile() async throws -> Desk {
    let desk = Desk()
    desk.server = ScriptedTransport { _ in try ScriptedTransport.problem(.signInNeeded) }
    desk.start()
    await desk.queue.start()
    await desk.model.choose(try desk.video("dawn.mp4"), name: "dawn.mp4", form: UploadForm(caption: "Dawn"))
    #expect(await desk.eventually { desk.model.shown?.phase == .signInNeeded })
    let id = try #require(desk.model.shown?.id)
    desk.queue.free()
    try FileManager.default.removeItem(at: desk.folder.appending(path: "uploads/\(id)/source.mp4"))
    // It has none of the bytes: a file is asked for only where that is known.
    desk.server = ScriptedTransport { _ in try Self.status(.receiving, offset: 0) }
    desk.start()
    await desk.queue.start()
    #expect(await desk.eventually { desk.model.stage == .waitingForFile })
    return desk
  }

  private nonisolated static func status(
    _ state: UploadStatus.State, offset: Int, _ details: ClipDetails = ClipDetails()
  ) throws -> WireResponse {
    try ScriptedTransport.json(
      UploadStatus(
        id: "secret", state: state, offset: offset, sizeBytes: 5_000, expiresAt: nil, details: details,
        parts: PartLimits(minimumBytes: 1, maximumBytes: 9_000),
        clip: state == .published ? UploadedClip(id: "c", step: "done", permille: 1_000) : nil))
  }

  @Test func aRecordingIsNeverTheFileThatAnotherUploadWaitsFor() async throws {
    let desk = try await waitingForItsFile()
    let takes = HandedTakes(
      folder: ClipFolder(root: desk.folder.appending(path: "studio")),
      file: StoredFile(desk.folder.appending(path: "handed")))
    let video = FinishedVideo(
      file: try desk.video("made.mp4"), length: Milliseconds(4_000), cover: Milliseconds(500), clips: [])
    await desk.model.add(video, of: takes)
    #expect(desk.model.waiting.map(\.name) == ["made.mp4"])
    #expect(desk.model.waiting.map(\.form.coverMs) == [500])
    #expect(desk.model.stage == .waitingForFile && desk.model.shown?.isOtherFile == false)
    #expect(desk.model.form.caption == "Dawn")
    #expect(!FileManager.default.fileExists(atPath: video.file.path), "it is taken away from where it lay")
  }

  @Test func whatIsChosenForAnUploadThatWaitsIsItsFileAndIsTakenAway() async throws {
    let desk = try await waitingForItsFile()
    let picked = try desk.video("other.mp4", 700)
    await desk.model.choose(picked, name: "other.mp4", moves: true)
    #expect(desk.model.waiting.isEmpty)
    #expect(await desk.eventually { desk.model.shown?.isOtherFile == true })
    #expect(!FileManager.default.fileExists(atPath: picked.path))
  }

  @Test func whatCouldNotBeWatchedIsStillThereToBeWatched() async throws {
    let desk = Desk()
    desk.server = ScriptedTransport { _ in try Self.status(.published, offset: 5_000) }
    desk.start()
    await desk.queue.start()
    await desk.model.choose(try desk.video("dawn.mp4"), name: "dawn.mp4")
    desk.model.publish()
    #expect(await desk.eventually { desk.model.stage == .published && desk.queue.ended != nil })
    desk.isThere = false
    await desk.model.watch()
    #expect(desk.model.stage == .published)
    desk.isThere = true
    await desk.model.watch()
    #expect(desk.model.stage == .choosing)
  }

  /// Nor what is being changed of it: the upload's id changes the clip, whoever has it.
  @Test func aClipOfAnotherAccountIsNeitherWatchedNorChangedFromHere() async throws {
    let desk = Desk()
    desk.account = "ada"
    desk.server = ScriptedTransport { _ in try Self.status(.published, offset: 5_000) }
    desk.start()
    await desk.queue.start()
    await desk.model.choose(try desk.video("dawn.mp4"), name: "dawn.mp4")
    desk.model.publish()
    #expect(await desk.eventually { desk.model.canEdit })
    desk.model.edit()
    desk.model.openCaptions()
    #expect(desk.model.editor.subject != nil && desk.model.captions.upload != nil)
    desk.account = "bob"
    desk.queue.signedIn()
    #expect(desk.model.stage == .choosing && desk.model.pill == nil && !desk.model.canEdit)
    #expect(desk.model.editor.subject == nil && desk.model.captions.upload == nil)
  }

  @Test func whatTheServerDidNotHearOfIsSaidAndNotShownAsTrue() async throws {
    let desk = Desk()
    desk.server = ScriptedTransport { request in
      if request.method == "PATCH" { return try ScriptedTransport.problem(.invalidParameter) }
      return try Self.status(.published, offset: 5_000, ClipDetails(visibility: .public))
    }
    desk.start()
    await desk.queue.start()
    await desk.model.choose(
      try desk.video("dawn.mp4"), name: "dawn.mp4", form: UploadForm(visibility: .private))
    desk.model.publish()
    #expect(await desk.eventually { desk.model.canEdit })
    #expect(desk.model.visibility == .public && desk.model.link != nil)
    #expect(desk.model.trouble?.title == "Your last changes aren’t saved")
    #expect(
      desk.announcements.waiting.map(\.text).contains("Your last changes to the clip aren’t saved."))
    // What was written is there for another try.
    desk.model.edit()
    #expect(desk.model.editor.form.visibility == .private)
  }
}
