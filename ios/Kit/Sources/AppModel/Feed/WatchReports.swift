internal import Activity
internal import CoreTypes
internal import Playback

/// Decides which reports of players are about the clip on the screen, and what of watching each of them is.
///
/// Others get ready out of sight, and one may play in a window of its own: they are not watched.
struct WatchReports {
  private var current: ItemID?
  private var isPlaying = false

  mutating func show(_ item: ItemID, duration: Milliseconds, _ report: (Activity.Event) -> Void) {
    guard item != current else { return }
    current = item
    isPlaying = false
    report(.clipShown(item, duration: duration, watched: nil))
  }

  /// `isAsked`: the player was told to play.
  mutating func take(_ player: PlayerReport, isAsked: Bool, _ report: (Activity.Event) -> Void) {
    guard player.item == current else { return }
    switch player.event {
    case .playbackAdvanced:
      isPlaying = true
      report(.playing)
    case .playbackStalled: report(.waiting)
    case .positionChanged(let position):
      if isAsked {
        report(.advanced(to: position))
      } else if isPlaying {
        isPlaying = false
        report(.paused)
      }
    default: break
    }
  }
}
