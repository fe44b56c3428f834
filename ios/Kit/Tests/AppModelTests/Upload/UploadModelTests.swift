import Contract
import CoreTypes
import Foundation
import Playback
import PlaybackTesting
import Synchronization
import Testing
import Transfer
import Upload

@testable import AppModel

/// Nobody answers.
private struct DeadLine: Contract.Transport, UploadTransport {
  func send(_ request: WireRequest) async throws -> WireResponse { throw URLError(.cannotConnectToHost) }
  func send(_ part: PartUpload, sent: @escaping @Sendable (Int) -> Void) async throws -> WireResponse {
    throw URLError(.cannotConnectToHost)
  }
  func abortEarlier() async {}
}

private struct NoHash: ContentHash {
  func update(_ bytes: Data) {}
  func finish() -> [UInt8] { Array(repeating: 7, count: 32) }
}

@MainActor private final class StoppedClock: HostClock {
  var now = Instant(0)
  func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) {}
}

@MainActor private final class NotedBanner: UploadBanner {
  var calls: [String] = []

  func ask(_ title: Sentence, name: String) { calls.append("ask \(name)") }
  func show(_ share: Double) { if calls.last != "show" { calls.append("show") } }
  func end(isDone: Bool) { calls.append("end \(isDone)") }
}

@MainActor @Suite struct UploadModelTests {
  /// A person with a folder of videos, and an app over it.
  @MainActor final class Desk {
    let folder = TemporaryFolder.path()
    let announcements = Announcements()
    private(set) var queue: UploadQueue!
    private(set) var model: UploadModel!
    var opened = 0
    /// The clip that is to be watched.
    var isThere = true
    /// Whoever is signed in.
    var account: String?
    fileprivate let banner = NotedBanner()

    init() {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      start()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Answers instead of nobody.
    var server: any Contract.Transport = DeadLine()

    func start() {
      queue?.free()
      let clock = StoppedClock()
      queue = UploadQueue(
        root: folder.appending(path: "uploads"),
        UploadHost.Ports(
          api: server, base: URL(string: "https://example.invalid")!, bytes: DeadLine(),
          account: { [weak self] in self?.account }, clock: clock,
          tools: FileTools(hash: { NoHash() }, duration: { _ in Milliseconds(4_000) })))
      model = UploadModel(
        queue: queue, client: Client(transport: server), clock: clock,
        base: URL(string: "https://example.invalid")!,
        announcements: announcements, locale: Locale(identifier: "en_US"), banner: banner,
        outlets: UploadModel.Outlets(
          watch: { [weak self] _, _ in self?.isThere ?? false }, open: { [weak self] in self?.opened += 1 },
          signIn: {}))
    }

    func video(_ name: String, _ size: Int = 5_000) throws -> URL {
      let url = folder.appending(path: name)
      try (Data([0, 0, 0, 16] + Array("ftypisom".utf8)) + Data(count: size)).write(to: url)
      return url
    }

    func eventually(_ condition: () -> Bool) async -> Bool {
      for _ in 0..<20_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
      }
      return false
    }
  }

  @Test func aChosenFileIsWorkedOnAndItsFormOutlivesTheApp() async throws {
    let desk = Desk()
    await desk.queue.start()
    #expect(desk.model.stage == .choosing)
    #expect(desk.model.pill == nil)
    await desk.model.choose(try desk.video("dawn.mp4"), name: "dawn.mp4")
    #expect(await desk.eventually { desk.model.shown?.phase == .waiting })
    #expect(desk.model.stage == .working)
    #expect(desk.model.actions.isSuperset(of: [.pause, .cancel, .publish]))
    #expect(desk.model.facts.map { UploadSentenceTests.text($0) } == ["5 kB", "0:04"])
    desk.model.form.caption = "At the #pier"
    desk.model.form.visibility = .unlisted
    desk.model.publish()
    #expect(desk.model.isPublishRequested)
    #expect(await desk.eventually { !desk.model.actions.contains(.publish) })
    let record = desk.folder.appending(path: "uploads/\(desk.model.shown!.id)/record")
    #expect(
      await desk.eventually { (try? Data(contentsOf: record))?.range(of: Data("#pier".utf8)) != nil })
    desk.start()
    #expect(desk.model.stage == .choosing)
    await desk.queue.start()
    #expect(desk.model.form.caption == "At the #pier")
    #expect(desk.model.form.visibility == .unlisted)
    #expect(desk.model.isPublishRequested)
  }

  @Test func aCaptionThatIsTooLongIsNotPublished() async throws {
    let desk = Desk()
    await desk.queue.start()
    await desk.model.choose(try desk.video("a.mp4"), name: "a")
    desk.model.form.caption = String(repeating: "a", count: 301)
    #expect(!desk.model.actions.contains(.publish))
    desk.model.publish()
    #expect(!desk.model.isPublishRequested)
    desk.model.form.caption = "a"
    #expect(desk.model.actions.contains(.publish))
  }

  @Test func whatComesNextWaitsAndCanBeTakenBack() async throws {
    let desk = Desk()
    await desk.queue.start()
    await desk.model.choose(try desk.video("a.mp4"), name: "a")
    await desk.model.choose(try desk.video("b.mp4"), name: "b")
    #expect(desk.model.shown?.name == "a")
    #expect(desk.model.waiting.map(\.name) == ["b"])
    #expect(
      desk.announcements.waiting.map(\.text.key) == ["This video goes up once the one before it is done."])
    desk.model.remove(desk.model.waiting[0].id)
    #expect(desk.model.waiting.isEmpty)
    desk.model.cancel()
    #expect(await desk.eventually { desk.model.shown == nil || desk.model.shown?.phase == .cancelling })
  }

  @Test func whatTheSystemShowsFollowsTheUpload() async throws {
    let desk = Desk()
    await desk.queue.start()
    await desk.model.choose(try desk.video("a.mp4"), name: "a")
    #expect(await desk.eventually { desk.model.shown?.phase == .waiting })
    #expect(desk.banner.calls.starts(with: ["ask a", "show"]))
    desk.model.pause()
    #expect(desk.banner.calls.last == "end false")
    desk.model.resume()
    #expect(desk.banner.calls.contains("ask a"))
  }

  @Test func whatAnotherAccountChoseIsNotShown() async throws {
    let desk = Desk()
    desk.account = "ada"
    await desk.queue.start()
    await desk.model.choose(try desk.video("a.mp4"), name: "a", form: UploadForm(caption: "Dawn"))
    await desk.model.choose(try desk.video("b.mp4"), name: "b")
    #expect(await desk.eventually { desk.model.shown?.phase == .waiting })
    desk.account = "bob"
    desk.queue.signedIn()
    #expect(desk.model.stage == .choosing && desk.model.shown == nil && desk.model.pill == nil)
    #expect(desk.model.form == UploadForm() && desk.model.waiting.isEmpty)
    #expect(desk.banner.calls.last == "end false")
    // Nobody is before them.
    let said = desk.announcements.waiting.count
    await desk.model.choose(try desk.video("c.mp4"), name: "c")
    #expect(desk.model.shown?.name == "c" && desk.announcements.waiting.count == said)
    desk.account = "ada"
    desk.queue.signedIn()
    #expect(desk.model.shown?.name == "a" && desk.model.form.caption == "Dawn")
    #expect(desk.model.waiting.map(\.name) == ["b"])
  }

  @Test func whatCannotBeReadIsSaid() async throws {
    let desk = Desk()
    await desk.queue.start()
    await desk.model.choose(desk.folder.appending(path: "gone.mp4"), name: "gone")
    #expect(desk.announcements.waiting.map(\.text.key) == ["This video can’t be read. Choose another one."])
    #expect(desk.model.stage == .choosing)
    #expect(!desk.model.isTaking)
  }

  @Test func aRefusalIsAnnouncedWhereTheScreenIsClosedAndExplainedWhereItIsOpen() async throws {
    let desk = Desk()
    await desk.queue.start()
    let page = desk.folder.appending(path: "page.mp4")
    try Data("<!doctype html>".utf8).write(to: page)
    await desk.model.choose(page, name: "page")
    #expect(await desk.eventually { desk.model.shown?.phase == .refused })
    #expect(desk.model.stage == .choosing)
    #expect(desk.model.trouble?.title == "This file can’t be uploaded")
    #expect(desk.model.pill == "Stopped")
    let announcement = try #require(desk.announcements.waiting.last)
    #expect(announcement.text == "The upload stopped.")
    announcement.action?.run()
    #expect(desk.opened == 1)
    desk.model.startAgain()
    #expect(desk.model.trouble == nil)
    #expect(desk.model.pill == nil)
  }

  @Test func whatIsPublishedCanStillBeChanged() async throws {
    let desk = Desk()
    let told = Mutex(ClipDetails())
    let server = ScriptedTransport { request in
      let new = request.body.flatMap { try? WireCoding.decode(NewUpload.self, from: $0) }?.details
      let patch = request.body.flatMap { try? WireCoding.decode(ClipDetails.self, from: $0) }
      let details = told.withLock {
        $0 = new ?? $0
        if request.method == "PATCH" { $0.visibility = patch?.visibility ?? $0.visibility }
        return $0
      }
      return try ScriptedTransport.json(
        UploadStatus(
          id: "secret", state: .published, offset: 5_000, sizeBytes: 5_000, expiresAt: nil, details: details,
          parts: PartLimits(minimumBytes: 1, maximumBytes: 9_000),
          clip: UploadedClip(id: "c", step: "done", permille: 1_000)))
    }
    desk.server = server
    desk.start()
    await desk.queue.start()
    await desk.model.choose(
      try desk.video("dawn.mp4"), name: "dawn.mp4", form: UploadForm(caption: "Dawn", tags: "pier"))
    desk.model.publish()
    #expect(await desk.eventually { desk.model.canEdit })
    #expect(desk.model.stage == .published)
    #expect(desk.model.link?.absoluteString == "https://example.invalid/c/c")
    desk.model.edit()
    #expect(desk.model.editor.form.caption == "Dawn")
    desk.model.editor.form.visibility = .private
    await desk.model.editor.save()
    #expect(
      server.requests.last.map { String(decoding: $0.body ?? Data(), as: UTF8.self) }
        == #"{"visibility":"private"}"#)
    // What the screen says of it is true at once, and so is what comes next.
    #expect(desk.model.form.visibility == .private)
    #expect(desk.model.link == nil)
    #expect(desk.announcements.waiting.map(\.text).contains("Saved."))
    desk.model.edit()
    await desk.model.editor.save()
    #expect(desk.model.editor.subject == nil)
    #expect(server.calls.filter { $0.hasPrefix("PATCH") }.count == 1)
    desk.model.startAgain()
    #expect(!desk.model.canEdit)
  }
}
