import Contract
import Device
import Foundation
import Testing

@testable import AppModel

/// A device that is as a test says, and what is wanted on it.
@MainActor private final class SomeDevice: DevicePort {
  var state = DeviceState()
  var wishes = PlaybackPreferences()
  var onChange: (() -> Void)?
  var onNotice: ((DeviceNotice) -> Void)?
}

@MainActor @Suite struct ClipPreviewTests {
  private let transport = ScriptedTransport { request in
    switch request.target {
    case "/media/board.webp":
      WireResponse(status: 200, headers: [:], body: Data([1, 2, 3]))
    case "/api/v1/uploads/u/clip": try ScriptedTransport.json(Self.clip("c"))
    default: try ScriptedTransport.problem(.clipNotFound)
    }
  }
  private let pause = ManualPause()
  private let device = SomeDevice()

  private nonisolated static func clip(_ id: String, board: Storyboard? = Self.board) -> Clip {
    var clip = shownClip(id)
    clip.playback.storyboard = board
    return clip
  }

  /// Three pictures in two columns.
  private nonisolated static let board = Storyboard(
    url: "/media/board.webp", vttUrl: "/media/board.vtt", tileWidth: 90, tileHeight: 160, columns: 2,
    count: 3, intervalMs: 1_000)

  private func made() -> ClipPreview {
    ClipPreview(
      client: Client(transport: transport), clock: pause, device: device,
      preferences: { [device] in device.wishes })
  }

  /// Once the first picture stays for its while: the pauses so far are those of the press, and that one.
  private func moves(_ preview: ClipPreview, _ id: String, pauses: Int = 2) async -> Bool {
    await soon { preview.moving == id && pause.asked.count == pauses }
  }

  @Test func aClipThatIsHeldShowsItsPicturesOneAfterTheOther() async {
    let preview = made()
    preview.press(Self.clip("a"))
    #expect(await pause.end(after: 1) == [ClipPreview.hold])
    #expect(await moves(preview, "a"))
    #expect(preview.sheet?.width == 180 && preview.sheet?.height == 320)
    var places: [ClipPreview.Place?] = []
    for count in 2...5 {
      while pause.asked.count < count { await Task.yield() }
      places.append(preview.place)
      _ = await pause.end(after: count)
    }
    let all: [ClipPreview.Place?] = [(0, 0), (90, 0), (0, 160), (0, 0)].map {
      ClipPreview.Place(x: $0.0, y: $0.1, width: 90, height: 160)
    }
    #expect(places == all)
    #expect(Set(pause.asked.dropFirst()) == [ClipPreview.step])
    preview.release("a")
    #expect(preview.moving == nil && preview.place == nil)
  }

  @Test func aFingerThatIsLiftedSoonHasTapped() async {
    let preview = made()
    preview.press(Self.clip("a"))
    preview.release("a")
    #expect(preview.isTap("a") && preview.moving == nil && transport.calls.isEmpty)
  }

  /// The system may say either first.
  @Test(arguments: [true, false]) func whoeverHeldAClipToSeeItMoveHasNotTappedIt(isLiftedFirst: Bool) async {
    let preview = made()
    preview.press(Self.clip("a"))
    _ = await pause.end(after: 1)
    #expect(await moves(preview, "a"))
    if isLiftedFirst { preview.release("a") }
    #expect(!preview.isTap("a"))
    if !isLiftedFirst { preview.release("a") }
    // Without a finger, as VoiceOver does.
    #expect(preview.isTap("a"))
  }

  @Test func aFingerThatWentElsewhereLeavesNoTapSwallowed() async {
    let preview = made()
    preview.press(Self.clip("a"))
    _ = await pause.end(after: 1)
    #expect(await moves(preview, "a"))
    preview.release("a")
    _ = await pause.end(after: 3)
    #expect(pause.asked.last == ClipPreview.settling)
    #expect(await soon { preview.held == nil })
    #expect(preview.isTap("a"))
  }

  @Test func oneMovesAtATimeAndItsSheetIsFetchedOnce() async {
    let preview = made()
    preview.press(Self.clip("a"))
    _ = await pause.end(after: 1)
    #expect(await moves(preview, "a"))
    preview.press(Self.clip("b"))
    #expect(preview.moving == nil)
    // What the first one tells of now is nothing.
    preview.release("a")
    _ = await pause.end(after: 3)
    #expect(await moves(preview, "b", pauses: 4))
    #expect(transport.calls == ["GET /media/board.webp"])
    preview.clear()
    #expect(preview.moving == nil && preview.sheet == nil)
  }

  @Test func nothingMovesWhereMotionIsReducedOrDataIsSaved() async {
    let preview = made()
    device.state.reducedMotion = true
    preview.press(Self.clip("a"))
    device.state = DeviceState(path: DeviceState.Path(isConstrained: true))
    preview.press(Self.clip("a"))
    device.state = DeviceState()
    device.wishes.saves = true
    preview.press(Self.clip("a"))
    for _ in 0..<1_000 { await Task.yield() }
    #expect(pause.asked.isEmpty && preview.isTap("a"))
  }

  @Test func anOwnClipIsAskedForByItsUpload() async {
    let preview = made()
    preview.press(OwnClip(uploadId: "u", clipId: "c", state: .published, createdAt: epoch))
    _ = await pause.end(after: 1)
    #expect(await moves(preview, "u"))
    #expect(transport.calls == ["GET /api/v1/uploads/u/clip", "GET /media/board.webp"])
    preview.release("u")
  }

  /// Numbers of a server that make no sense, a picture that is not there, a clip that has none, or one alone.
  @Test func whatCannotBeShownIsATapAsEver() async {
    let preview = made()
    var one = Self.board
    one.count = 1
    var broken = Self.board
    (broken.count, broken.intervalMs) = (.max, .max)
    var lost = Self.board
    lost.url = "/media/lost.webp"
    for board in [one, broken, lost] {
      let before = pause.asked.count
      preview.press(Self.clip("a", board: board))
      _ = await pause.end(after: before + 1)
      for _ in 0..<1_000 { await Task.yield() }
      #expect(preview.moving == nil)
      preview.release("a")
      #expect(preview.isTap("a"))
    }
    let before = pause.asked.count
    preview.press(Self.clip("a", board: nil))
    #expect(pause.asked.count == before && preview.isTap("a"))
  }
}
