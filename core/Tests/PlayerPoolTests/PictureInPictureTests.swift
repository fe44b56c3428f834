import CoreTypes
import PlayerPool
import Testing

/// A window of the system keeps its player, plays behind other apps, and is come back from without a jump.
@Suite struct PictureInPictureTests {
  private var harness = PoolHarness()
  private let player = PlayerID(0)
  private let clip = ItemID(0)

  init() {
    harness.playFirst()
    harness.send(.positionChanged(player, clip, Milliseconds(4_000)), .pictureInPictureBegan(player, clip))
    harness.commands = []
  }

  /// The feed is so far away that the clip would have no player.
  private mutating func goFar() {
    harness.focus(on: 7, wanted: [7, 8, 6])
    let next = (0..<3).map { PlayerID($0) }.first { harness.pool.item(in: $0) == ItemID(7) }
    if let next { harness.send(.firstFrameReady(next, ItemID(7)), .playbackAdvanced(next, ItemID(7))) }
  }

  @Test mutating func theFeedGoesOnWithTheOthersAndIsSilent() {
    goFar()
    let commands = harness.take()
    #expect(!commands.contains(.pause(player)))
    #expect(!commands.contains(.release(player)))
    #expect(
      commands.contains(.load(PlayerID(1), ItemID(7))) && commands.contains(.load(PlayerID(2), ItemID(8))))
    #expect(commands.contains(.play(PlayerID(1))))
    #expect(commands.contains(.hearOnly(player)))
  }

  @Test mutating func comingBackFindsClipAndTime() {
    goFar()
    harness.send(.positionChanged(player, clip, Milliseconds(9_000)), .settled)
    harness.commands = []
    harness.focus(on: 0, wanted: [0, 1])
    harness.send(.pictureInPictureEnded(clip), .settled)
    let commands = harness.take()
    #expect(commands.first == .pause(PlayerID(1)))
    #expect(commands.contains(.hearOnly(nil)))
    #expect(!commands.contains { if case .seek(PlayerID(0), _) = $0 { true } else { false } })
    // Should its decoder be taken now, it goes on from there.
    harness.send(.cameraOpened, .cameraClosed)
    #expect(harness.take().contains(.seek(player, Milliseconds(9_000))))
  }

  @Test mutating func itPlaysInTheBackgroundAndKeepsItsPlayer() {
    harness.send(.backgrounded)
    #expect(harness.take().isEmpty)
    harness.wait(PlayerPool.backgroundPatience)
    #expect(
      harness.take().allSatisfy {
        $0 == .release(PlayerID(1)) || $0 == .release(PlayerID(2)) || !$0.isOfPlayer
      })
    #expect(harness.pool.item(in: player) == clip)
    harness.send(.foregrounded)
    #expect(!harness.take().contains(.play(player)))
  }

  @Test mutating func itsOwnButtonPausesIt() {
    harness.send(.pictureInPicturePlayed(player, clip, isOn: false))
    #expect(harness.take() == [.pause(player), .showPaused(true)])
    harness.send(.pictureInPicturePlayed(player, clip, isOn: true))
    #expect(harness.take() == [.play(player), .showPaused(false)])
  }

  @Test mutating func itsOwnButtonSaysNothingOfTheClipOnTheScreen() {
    goFar()
    harness.commands = []
    harness.send(.pictureInPicturePlayed(player, clip, isOn: false))
    #expect(harness.take() == [.pause(player), .hearOnly(nil)])
    harness.send(.tapped)
    #expect(harness.take() == [.pause(PlayerID(1)), .showPaused(true)])
    // It was paused there and comes back so.
    harness.focus(on: 0, wanted: [0])
    #expect(!harness.take().contains(.play(player)))
  }

  @Test mutating func closingItElsewherePausesItAndLetsItGo() {
    goFar()
    harness.commands = []
    harness.send(.pictureInPictureEnded(clip))
    let commands = harness.take()
    #expect(
      commands.contains(.pause(player)) && commands.contains(.release(player))
        && commands.contains(.hearOnly(nil)))
  }

  @Test mutating func theCameraEndsIt() {
    harness.send(.cameraOpened)
    #expect(harness.pool.pinnedItem == nil && harness.take().contains(.release(player)))
  }

  @Test mutating func shortMemoryLeavesTheWindowAndTheScreen() {
    goFar()
    harness.send(.memoryWarned, .memoryWarned, .memoryWarned)
    #expect(harness.pool.item(in: player) == clip && harness.pool.item(in: PlayerID(1)) == ItemID(7))
    #expect(harness.pool.capacity == 2)
  }

  @Test mutating func aFailureEndsIt() {
    goFar()
    harness.send(.playerFailed(player, clip))
    #expect(harness.pool.pinnedItem == nil && harness.take().contains(.hearOnly(nil)))
  }

  @Test mutating func anotherClipMayTakeTheWindow() {
    goFar()
    harness.send(.pictureInPictureBegan(PlayerID(1), ItemID(7)))
    #expect(harness.pool.pinnedItem == ItemID(7) && harness.take().contains(.pause(player)))
  }

  @Test mutating func lateWordsOfAPlayerThatHoldsAnotherClipAreDropped() {
    goFar()
    harness.commands = []
    harness.send(.pictureInPictureBegan(PlayerID(1), clip), .pictureInPictureEnded(ItemID(5)))
    #expect(harness.take().isEmpty && harness.pool.pinnedItem == clip)
  }
}

extension PlayerPool.Command {
  fileprivate var isOfPlayer: Bool {
    switch self {
    case .load, .play, .pause, .seek, .release: true
    default: false
    }
  }
}
