public import CoreTypes

extension PlayerPool {
  public enum Event: Sendable {
    case started(players: Int32)
    /// The clips to hold, most important first; the pool takes as many as it has players.
    case focusMoved(current: ItemID?, wanted: [ItemID])
    /// No page moves any more: what is not current cannot be seen.
    case settled
    case firstFrameReady(PlayerID, ItemID)
    case playbackAdvanced(PlayerID, ItemID)
    case playbackStalled(PlayerID, ItemID)
    /// The clip stands at its end; only from players that cannot loop by themselves.
    case playbackEnded(PlayerID, ItemID)
    case positionChanged(PlayerID, ItemID, Milliseconds)
    case looped(PlayerID, ItemID)
    case playerFailed(PlayerID, ItemID)
    case autoplayRefused(PlayerID, ItemID)
    case tapped
    case soundSet(isOn: Bool)
    case scrubBegan
    case scrubMoved(Milliseconds)
    case scrubEnded(Milliseconds)
    /// The system shows this player in a window of its own, over other pages and apps (picture in picture).
    case pictureInPictureBegan(PlayerID, ItemID)
    case pictureInPictureEnded(ItemID)
    /// By the buttons of that window.
    case pictureInPicturePlayed(PlayerID, ItemID, isOn: Bool)
    /// Somebody begins or ends to write a message over the clip.
    case composerHeld(Bool)
    case limitsChanged(PlaybackLimits)
    /// The camera needs the decoders, and the feed cannot be seen.
    case cameraOpened
    case cameraClosed
    case backgrounded
    case foregrounded
    case memoryWarned
    case woke
  }

  public enum Command: Equatable, Sendable {
    case load(PlayerID, ItemID)
    case play(PlayerID)
    case pause(PlayerID)
    case seek(PlayerID, Milliseconds)
    case release(PlayerID)
    case setMuted(Bool)
    /// Whatever `setMuted` says, no other player is heard; `nil`: all are, as it says.
    case hearOnly(PlayerID?)
    case showBuffering(Bool)
    case showPaused(Bool)
    /// For the pager: a clip can or can no longer show its first frame at once.
    case readinessChanged(ItemID, isReady: Bool)
    /// The clip cannot be played here.
    case itemFailed(ItemID)
  }
}
