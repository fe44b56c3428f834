public import CoreTypes
public import Playback

/// Decides when what AVPlayer says about itself is a report of `PlayerPort`: the obligations of the port,
/// without a player.
///
/// It refuses to know AVFoundation, queues and views. Invariants: - Nothing is reported without a clip, nor
/// after a failure until the next `loaded`. - `firstFrameReady` comes once for each clip, when decoder and
/// layer both have it and no seek is under way. - `playbackAdvanced` and `playbackStalled` take turns;
/// neither comes before `firstFrameReady` but a stall. - `positionChanged` comes while it moves, when a seek
/// is there, and once when it pauses. - `framesShown` is about frames of one unbroken movement.
public struct PlaybackReports: Sendable {
  public enum Event: Equatable, Sendable {
    case loaded(ItemID)
    case released
    /// Another item of the same clip took the place of the one before, with whatever was under way there.
    case replaced
    /// The item knows its tracks and can be played.
    case itemReady
    /// The item will never play.
    case itemFailed
    /// Whether the layer has a picture of the item.
    case layerChanged(hasPicture: Bool)
    /// The port was told to play.
    case asked
    /// The port was told to stand, and stands here.
    case stood(at: Milliseconds)
    /// The player is at its rate.
    case ran
    /// The player waits for data.
    case starved
    /// The player stands: told to, or by the system, or by the window's button.
    case stopped
    case ticked(Milliseconds)
    /// What the player has dropped of this item so far, in a picture with this shorter side, px. It does not
    /// say how many it has shown: that follows from how far the clip went, at so many frames a second.
    case counted(dropped: Int, shortEdge: Int32, frameRate: Double)
    case seekBegan
    /// `isLast`: no later seek took its place.
    case seekEnded(at: Milliseconds, isLast: Bool)
    /// It is at its end and goes back to the start by itself.
    case restartBegan
    case restarted
    /// It is at its end and stays there.
    case ended
    case windowOpened
    case windowClosed(returns: Bool)
  }

  private var item: ItemID?
  private var isItemReady = false
  private var hasPicture = false
  private var hasShown = false
  private var isAsked = false
  private var runs = false
  private var isStarved = false
  /// Reported, and not taken back since.
  private var isMoving = false
  private var isStalled = false
  private var seeks = 0
  private var isRestarting = false
  private var isInWindow = false
  private var frames = FrameCount()

  public init() {}

  /// Whether the poster may go.
  public var showsPicture: Bool { hasShown }

  public mutating func handle(_ event: Event, emit: (PlayerReport) -> Void) {
    if case .loaded(let item) = event {
      let wasInWindow = isInWindow
      self = PlaybackReports()
      self.item = item
      // The window belongs to the player, and goes on with the next clip.
      isInWindow = wasInWindow
      return
    }
    guard let item else { return }
    func report(_ event: PlayerReport.Event) { emit(PlayerReport(item: item, event: event)) }
    switch event {
    case .loaded: break
    case .released: self = PlaybackReports()
    case .replaced:
      isItemReady = false
      isRestarting = false
      seeks = 0
      frames = FrameCount()
    case .itemReady: isItemReady = true
    case .itemFailed:
      self = PlaybackReports()
      report(.failed)
    case .layerChanged(let hasPicture): self.hasPicture = hasPicture
    case .asked: isAsked = true
    case .stood(let position):
      if isAsked { report(.positionChanged(position)) }
      isAsked = false
      stop()
    case .ran: run(report)
    case .starved: isStarved = true
    case .stopped: beStopped(report)
    case .ticked(let position):
      guard isMoving, seeks == 0, !isRestarting else { break }
      frames.move(to: position)
      report(.positionChanged(position))
    case .counted(let dropped, let shortEdge, let frameRate):
      guard isMoving, seeks == 0, !isRestarting,
        let count = frames.count(dropped: dropped, frameRate: frameRate)
      else { break }
      report(.framesShown(shortEdge: shortEdge, shown: count.shown, dropped: count.dropped))
    case .seekBegan:
      seeks += 1
      frames = FrameCount()
    case .seekEnded(let position, let isLast):
      seeks = max(0, seeks - 1)
      if isLast { report(.positionChanged(position)) }
    case .restartBegan:
      isRestarting = true
      frames = FrameCount()
    case .restarted:
      isRestarting = false
      report(.looped)
    case .ended:
      isAsked = false
      stop()
      report(.playbackEnded)
    case .windowOpened:
      if !isInWindow { report(.pictureInPictureBegan) }
      isInWindow = true
    case .windowClosed(let returns):
      if isInWindow { report(.pictureInPictureEnded(returns: returns)) }
      isInWindow = false
    }
    reportProgress(report)
  }

  private mutating func run(_ report: (PlayerReport.Event) -> Void) {
    runs = true
    isStarved = false
    // Nobody else makes it play: it is the window's button.
    if isInWindow, !isAsked {
      isAsked = true
      report(.pictureInPicturePlayed(isOn: true))
    }
  }

  private mutating func beStopped(_ report: (PlayerReport.Event) -> Void) {
    let wasAsked = isAsked
    stop()
    guard isInWindow, wasAsked, !isRestarting else { return }
    isAsked = false
    report(.pictureInPicturePlayed(isOn: false))
  }

  private mutating func stop() {
    runs = false
    isStarved = false
    isMoving = false
    isStalled = false
    frames = FrameCount()
  }

  /// What follows of the state, whichever event brought it about.
  private mutating func reportProgress(_ report: (PlayerReport.Event) -> Void) {
    if !hasShown, isItemReady, hasPicture, seeks == 0 {
      hasShown = true
      report(.firstFrameReady)
    }
    guard isAsked else { return }
    if hasShown, runs, !isStarved, !isMoving {
      isMoving = true
      isStalled = false
      report(.playbackAdvanced)
    } else if isStarved, !isStalled {
      frames = FrameCount()
      isMoving = false
      isStalled = true
      report(.playbackStalled)
    }
  }
}
