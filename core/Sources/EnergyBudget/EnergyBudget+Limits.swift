internal import CoreTypes

/// What each condition allows. The tightest of all counts.
///
/// Where the numbers come from: what costs energy in a feed is the screen (not ours to dim), the radio
/// (bytes, and how often it wakes), the decoder (pixels) and drawing (frames). So a strain takes, in this
/// order, what the person does not see (loop upgrades, writing for later, far clips), then sharpness that a
/// hand-held screen hardly shows (above 720), then sharpness that is seen, and the first segment of the next
/// clip never: a swipe that waits keeps screen and radio on for longer than the bytes are worth.
extension PlaybackLimits {
  /// The radio still costs the battery more than Wi-Fi does, so little is fetched that nobody sees; what is
  /// seen is as sharp as the screen.
  static let fastMobile = with {
    $0.clipsAhead = 3
    $0.bytePricePercent = 125
    $0.upgradesLoops = false
  }
  /// Cellular, hotspot. Android asks to limit data on every metered network, Data Saver or not
  /// (developer.android.com, "Optimize network data usage"). 720 stays: 1080 costs twice the bytes.
  static let metered = with {
    $0.maxShortEdge = 720
    $0.clipsAhead = 3
    $0.bytePricePercent = 200
    $0.upgradesLoops = false
  }
  /// Save-Data is a wish for "smaller image and video resources" (WICG, "Save Data API"), Low Data Mode and
  /// Data Saver likewise. Clips still start by themselves: whoever swipes to a clip has asked for it, and
  /// not to start it saves nothing that was not fetched already.
  static let frugal = with {
    $0.maxShortEdge = 540
    $0.clipsAhead = 2
    $0.bytePricePercent = 400
    $0.upgradesLoops = false
  }
  /// "Reduce the use of animations, lower frame rates" and put off what can wait (Apple, Energy Efficiency
  /// Guide, "React to Low Power Mode"). What only decorates needs no more than 30 frames a second.
  static let lowPower = with {
    $0.maxShortEdge = 720
    $0.clipsAhead = 2
    $0.bytePricePercent = 200
    $0.upgradesLoops = false
    $0.maxRefreshRate = 30
    $0.storesAhead = false
  }
  /// At most 20 %: iOS warns and offers Low Power Mode. The person has not taken the offer, so this is
  /// milder.
  static let lowBattery = with {
    $0.maxShortEdge = 720
    $0.clipsAhead = 3
    $0.bytePricePercent = 150
    $0.upgradesLoops = false
    $0.maxRefreshRate = 60
    $0.storesAhead = false
  }
  /// At most 10 %: iOS warns again. Nothing plays that was not asked for; a tap plays it.
  static let scarceBattery = with {
    $0.maxShortEdge = 540
    $0.clipsAhead = 2
    $0.bytePricePercent = 200
    $0.playsByItself = false
    $0.upgradesLoops = false
    $0.maxRefreshRate = 30
    $0.storesAhead = false
  }
  /// "Reduce or defer background work, like prefetching content over the network" (`ThermalState.fair`):
  /// nothing that is seen.
  static let fair = with {
    $0.clipsAhead = 3
    $0.bytePricePercent = 125
    $0.upgradesLoops = false
    $0.storesAhead = false
  }
  /// "Reduce or defer I/O", "reduce the target framerate from 60 FPS to 30 FPS", less detail
  /// (`ThermalState.serious`).
  static let serious = with {
    $0.maxShortEdge = 540
    $0.clipsAhead = 2
    $0.bytePricePercent = 200
    $0.upgradesLoops = false
    $0.maxRefreshRate = 30
    $0.storesAhead = false
  }
  /// "The minimum level required for user interaction" (`ThermalState.critical`): one clip, when asked for.
  static let critical = with {
    $0.maxShortEdge = 360
    $0.clipsAhead = 1
    $0.bytePricePercent = 400
    $0.playsByItself = false
    $0.upgradesLoops = false
    $0.maxRefreshRate = 30
    $0.storesAhead = false
  }
  /// Nothing is fetched for a screen that is off. Writing what memory holds stays allowed: going to the
  /// background is the last chance to. Playing is left alone: the pool pauses by itself and goes on exactly
  /// as it was.
  static let background = with {
    $0.clipsAhead = 0
    $0.upgradesLoops = false
  }
  /// Cuts take the place of movements, so nothing is left that 120 Hz would make smoother. Clips still play:
  /// WCAG 2.2.2 asks that one can pause them, which a tap does; whoever wants them to wait has `autoplay`.
  static let reducedMotion = with { $0.maxRefreshRate = 60 }
  static let onDemand = with { $0.playsByItself = false }

  private static func with(_ change: (inout PlaybackLimits) -> Void) -> PlaybackLimits {
    var limits = unlimited
    change(&limits)
    return limits
  }
}
