import Contract
import Foundation
import Playback
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct ClipDownloadTests {
  private let announcements = Announcements()
  private let folder = TemporaryFolder.path()
  private let wire = ParkedTransport()

  private func download(_ transport: any SegmentTransport) -> ClipDownload {
    ClipDownload(
      client: Client(transport: wire), transport: transport, base: URL(string: "https://clips.test/")!,
      folder: folder, announcements: announcements)
  }

  private var news: [String] { announcements.waiting.map(\.text.key) }

  @Test func theBestRenditionIsThereAsAFileWithTheClipsName() async throws {
    let download = download(FilledTransport())
    var files: [URL] = []
    download.onReady = { files.append($0) }
    download.start(sampleClip("a"), upload: nil)
    await download.settled()
    let file = try #require(files.first)
    #expect(file.lastPathComponent == "clip-a.mp4")
    // 50 of the initialisation section, and three segments of 200.
    #expect(try Data(contentsOf: file).count == 650)
    #expect(news == ["The clip is being downloaded."])
    // What was offered while it ran does nothing any more.
    announcements.waiting[0].action?.run()
    #expect(FileManager.default.fileExists(atPath: file.path))
    download.discard()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func oneIsFetchedAtATimeAndCanBeCancelled() async {
    let parked = FakeTransport()
    let download = download(parked)
    download.onReady = { _ in Issue.record("it was cancelled") }
    download.start(sampleClip("a"), upload: nil)
    #expect(await eventually { parked.requests.count == 1 })
    download.start(sampleClip("b"), upload: nil)
    #expect(news.last == "A clip is being downloaded already.")
    let running = announcements.waiting[0]
    #expect(running.action?.title == "Cancel")
    running.action?.run()
    #expect(await eventually { parked.endedCount == 1 })
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(news.count == 2)
    // Another one may begin, and what was said of the first does not end it.
    download.start(sampleClip("b"), upload: nil)
    #expect(await eventually { parked.requests.count == 2 })
    running.action?.run()
    #expect(parked.endedCount == 1)
    download.cancel()
  }

  @Test func anAddressThatIsOverIsAskedForAgainByTheUpload() async throws {
    let download = download(FilledTransport(refused: "/old-"))
    var files: [URL] = []
    download.onReady = { files.append($0) }
    var old = sampleClip("a", visibility: .private)
    for index in old.playback.renditions.indices { old.playback.renditions[index].url = "/media/old-a.mp4" }
    download.start(old, upload: "secret")
    let asked = await wire.next()
    #expect(asked.request.target == "/api/v1/uploads/secret/clip")
    asked.answer(200, sampleClip("a", visibility: .private))
    await download.settled()
    #expect(files.count == 1)
  }

  @Test func aClipThatIsGoneIsSaidToBe() async {
    let download = download(FilledTransport(refused: "/media/"))
    download.start(sampleClip("a"), upload: nil)
    let asked = await wire.next()
    #expect(asked.request.target == "/api/v1/clips/a")
    asked.refuse(.clipNotFound)
    await download.settled()
    #expect(news.last == "This clip is gone.")
  }

  @Test func whatDoesNotComeCanBeTriedAgain() async {
    let parked = FakeTransport()
    let download = download(parked)
    download.start(sampleClip("a"), upload: nil)
    #expect(await eventually { parked.requests.count == 1 })
    parked.requests[0].answer.finish(throwing: TransferFailure.network)
    await download.settled()
    #expect(news.last == "The clip could not be loaded. Try again.")
    announcements.waiting.last?.action?.run()
    #expect(await eventually { parked.requests.count == 2 })
    download.cancel()
  }

  @Test func aFileThatCannotBeWrittenIsSaid() async throws {
    try Data().write(to: folder)
    let transport = FilledTransport()
    let download = ClipDownload(
      client: Client(transport: wire), transport: transport, base: URL(string: "https://clips.test/")!,
      folder: folder.appending(path: "inside"), announcements: announcements)
    download.start(sampleClip("a"), upload: nil)
    await download.settled()
    #expect(news.last == "There isn’t enough space on this device for the video.")
    try? FileManager.default.removeItem(at: folder)
  }

  @Test func aStrangersIDIsNoPath() async throws {
    let download = download(FilledTransport())
    var files: [URL] = []
    download.onReady = { files.append($0) }
    var clip = sampleClip("a")
    clip.id = "../../é/" + String(repeating: "x", count: 200)
    download.start(clip, upload: nil)
    await download.settled()
    #expect(files.first?.lastPathComponent == "clip-" + String(repeating: "x", count: 64) + ".mp4")
    #expect(files.first?.deletingLastPathComponent().path == folder.appending(path: "1").path)
    download.discard()
  }
}
