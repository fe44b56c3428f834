import Contract
import Foundation
import Synchronization
import Testing
import Transfer

@testable import AppModel

@MainActor @Suite struct ClipEditorTests {
  private nonisolated static let known = ClipDetails(
    caption: "Dawn", tags: ["pier"], visibility: .public, coverMs: 1_000)
  private nonisolated static let form = UploadForm(caption: "Dawn", tags: "pier", coverMs: 1_000)

  private nonisolated static func status(_ details: ClipDetails) -> UploadStatus {
    UploadStatus(
      id: "u", state: .published, offset: 1, sizeBytes: 1, expiresAt: nil, details: details,
      parts: PartLimits(minimumBytes: 1, maximumBytes: 2))
  }

  private func editor(_ transport: ScriptedTransport, _ known: ClipDetails = known) -> ClipEditor {
    let editor = ClipEditor(client: Client(transport: transport), pause: { _ in })
    editor.begin(ClipEditor.Subject(upload: "u", known: known), Self.form)
    return editor
  }

  @Test func sendsOnlyWhatDiffersFromWhatTheServerKnows() async throws {
    let transport = ScriptedTransport { _ in try ScriptedTransport.json(Self.status(Self.known)) }
    let unchanged = editor(transport)
    await unchanged.save()
    #expect(unchanged.subject == nil && transport.calls.isEmpty)
    // What never arrived goes along, although nobody changed it here.
    let behind = editor(
      transport, ClipDetails(caption: "Dawn", tags: ["pier"], visibility: .private, coverMs: 1_000))
    await behind.save()
    #expect(
      transport.requests.map { String(decoding: $0.body ?? Data(), as: UTF8.self) } == [
        #"{"visibility":"public"}"#
      ])
  }

  @Test func whatWasTypedStaysUntilItIsSaved() async throws {
    let isUp = Mutex(false)
    let transport = ScriptedTransport { _ in
      guard isUp.withLock({ $0 }) else {
        var refusal = try ScriptedTransport.problem(.tooManyRequests)
        refusal.headers["retry-after"] = "120"
        return refusal
      }
      return try ScriptedTransport.json(
        Self.status(ClipDetails(caption: "Dusk", tags: [], visibility: .public)))
    }
    let editor = editor(transport)
    var saved: [ClipDetails] = []
    editor.saved = { subject, _, _ in saved.append(subject.known) }
    editor.form.caption = "Dusk"
    await editor.save()
    #expect(editor.form.caption == "Dusk" && editor.subject != nil && !editor.isSaving)
    #expect(editor.failure?.text { $0 }.contains("Try again in 2 ") == true)
    isUp.withLock { $0 = true }
    await editor.save()
    #expect(editor.subject == nil && saved.map(\.caption) == ["Dusk"])
  }

  @Test func isNotClosedNorBegunAgainWhileItSaves() async throws {
    let transport = ParkedTransport()
    let editor = ClipEditor(client: Client(transport: transport), pause: { _ in })
    editor.begin(ClipEditor.Subject(upload: "u", known: Self.known), Self.form)
    editor.form.visibility = .private
    async let saving: Void = editor.save()
    let parked = await transport.next()
    editor.cancel()
    editor.begin(ClipEditor.Subject(upload: "other", known: Self.known), Self.form)
    #expect(editor.subject?.upload == "u" && editor.isSaving)
    parked.answer(200, Self.status(Self.known))
    await saving
    #expect(editor.subject == nil)
  }

  @Test func waitsForTheStoryboardAndOffersItsPictures() async throws {
    let asked = Mutex(0)
    var clip = shownClip("c")
    clip.playback.storyboard = Storyboard(
      url: "/board.jpg", vttUrl: "/board.vtt", tileWidth: 90, tileHeight: 160, columns: 5, count: 22,
      intervalMs: 500)
    let done = clip
    let transport = ScriptedTransport { request in
      guard request.target == Route.uploadClip.path("u") else {
        return WireResponse(status: 200, headers: [:], body: Data([1, 2, 3]))
      }
      let number = asked.withLock {
        $0 += 1
        return $0
      }
      return number < 3 ? try ScriptedTransport.problem(.clipNotReady) : try ScriptedTransport.json(done)
    }
    let editor = editor(transport)
    await editor.loadCovers()
    let sheet = try #require(editor.covers)
    #expect(transport.calls.count == 4 && sheet.data.count == 3)
    #expect((sheet.width, sheet.height) == (450, 800))
    #expect(sheet.pictures.map(\.time) == [0, 1_500, 3_000, 4_500, 6_000, 7_500, 9_000, 10_500])
    #expect(sheet.pictures.allSatisfy { $0.x + $0.width <= 450 && $0.y + $0.height <= 800 })
    #expect(editor.chosenCover == 1_500)
    editor.form.coverMs = nil
    #expect(editor.chosenCover == nil)
  }

  @Test func givesUpOnAStoryboardThatMakesNoSense() async throws {
    var clip = shownClip("c")
    clip.playback.storyboard = Storyboard(
      url: "/board.jpg", vttUrl: "/board.vtt", tileWidth: 90, tileHeight: 160, columns: 5, count: 4_096,
      intervalMs: .max)
    let hostile = clip
    let transport = ScriptedTransport { _ in try ScriptedTransport.json(hostile) }
    let editor = editor(transport)
    await editor.loadCovers()
    #expect(editor.covers == nil)
    #expect(transport.calls.count == 43)
  }
}
