internal import AVFoundation
internal import CoreMedia
public import CoreTypes
internal import Foundation
public import Playback
internal import PlayerReports

/// A player of the pool: one AVPlayer and its layer, made once and used for clip after clip by
/// `replaceCurrentItem`; made anew only where the system's media service was.
///
/// It carries out and reports; when what AVPlayer says is a report, `PlaybackReports` decides. Whatever
/// AVPlayer calls, on whichever thread, comes to the main actor in a task, so nothing is reported from inside
/// a call.
@MainActor public final class StreamPlayer: PlayerPort {
  public var report: ((PlayerReport) -> Void)?
  public let view: PlayerView
  /// For a receiver that plays the origin's playlist by itself (AirPlay).
  var originLimits = StreamLimits()

  /// Hears which clip is attached, `nil` for none: whoever has its page shows the view there.
  public var onAttached: ((ItemID?) -> Void)?

  private var player = AVPlayer()
  /// Each reads the whole log: every two seconds.
  private static let ticksPerCount = 8

  private let loop: LoopStrategy
  private var ticks = 0
  private var machine = PlaybackReports()
  private var window: PictureInPicture?
  private var media: PlayerMedia?
  private var isAsked = false
  /// BCP 47; `nil` for none.
  private var captions: String?
  /// Counts what was attached: what an earlier item calls is passed over.
  private var attachment = 0
  private var failures = ItemFailures()
  /// Where to go when the item is ready. NB: a seek with a completion before that raises.
  private var startsAt: Milliseconds?
  /// Where a seek that is under way goes.
  private var goal: Milliseconds?
  private var playerObservations: [NSKeyValueObservation] = []
  private var itemObservations: [AnyObject] = []
  private var timeObservation: TimeObservation?
  /// Where the clip was last, for a player that knows nothing any more.
  private var lastPlace = Milliseconds.zero
  /// A window that somebody asked for did not come.
  var onWindowRefused: (() -> Void)?

  public init(loop: LoopStrategy = .seeksToStart) {
    self.loop = loop
    view = PlayerView(player)
    player.isMuted = true
    configure()
    window = PictureInPicture(
      view.playerLayer, report: { [weak self] in self?.handle($0) },
      refused: { [weak self] in self?.onWindowRefused?() })
  }

  private func configure() {
    player.actionAtItemEnd = .none
    player.automaticallyWaitsToMinimizeStalling = true
    player.preventsDisplaySleepDuringVideoPlayback = true
    player.allowsExternalPlayback = true
    // Which captions are shown is the person's choice in this app, said by `setCaptions`.
    player.appliesMediaSelectionCriteriaAutomatically = false
    observePlayer()
  }

  /// Another AVPlayer on the same layer, with the same clip at the same place: after a reset of the system's
  /// media service Apple's page asks for new ones.
  func renew() {
    let (place, isMuted, speed) = (startsAt ?? goal ?? lastPlace, player.isMuted, player.defaultRate)
    if window?.isOpen == true { handle(.windowClosed(returns: false)) }
    player = AVPlayer()
    player.isMuted = isMuted
    player.defaultRate = speed
    view.show(player)
    configure()
    guard media != nil else { return }
    view.showPoster()
    startsAt = place
    attachAgain()
  }

  public func load(_ media: PlayerMedia) {
    self.media = media
    isAsked = false
    captions = nil
    startsAt = nil
    lastPlace = .zero
    failures.forget()
    view.showPoster()
    player.pause()
    handle(.loaded(media.item))
    attach()
    onAttached?(media.item)
  }

  public func play() {
    guard media != nil else { return }
    isAsked = true
    handle(.asked)
    window?.startsByItself = true
    setPriority(isHigh: true)
    player.play()
  }

  public func pause() {
    guard media != nil else { return }
    isAsked = false
    window?.startsByItself = false
    setPriority(isHigh: false)
    player.pause()
    handle(.stood(at: position))
  }

  public func seek(to position: Milliseconds) {
    guard let media else { return }
    let place = min(max(position, .zero), media.duration)
    // One that waits for the item is counted once.
    if startsAt == nil { handle(.seekBegan) }
    guard player.currentItem?.status == .readyToPlay else {
      startsAt = place
      return
    }
    startsAt = nil
    go(to: place) { .seekEnded(at: place, isLast: $0) }
  }

  public func release() {
    handle(.released)
    media = nil
    isAsked = false
    startsAt = nil
    attachment += 1
    itemObservations = []
    window?.startsByItself = false
    player.pause()
    player.replaceCurrentItem(with: nil)
    view.showPoster()
    view.setPoster(nil)
    onAttached?(nil)
  }

  public func setMuted(_ isMuted: Bool) { player.isMuted = isMuted }

  /// Shows the clip in a window of its own, or takes it back; by a button. Leaving the app does the first by
  /// itself. `false`: there is no picture for it yet.
  public func togglePictureInPicture() -> Bool { window?.toggle() ?? false }

  /// How fast it plays, now and whatever is loaded next.
  public func setSpeed(_ rate: Double) {
    let rate = Float(min(max(rate, 0.5), 2))
    player.defaultRate = rate
    if player.timeControlStatus != .paused { player.rate = rate }
  }

  /// Shows the captions of this language over the clip, `nil` for none.
  public func setCaptions(_ language: String?) {
    captions = language
    selectCaptions()
  }

  private func selectCaptions() {
    guard let item = player.currentItem, item.status == .readyToPlay else { return }
    let number = attachment
    Task {
      guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible), number == attachment
      else { return }
      let language = captions
      item.select(group.options.first { language != nil && $0.extendedLanguageTag == language }, in: group)
    }
  }

  private var position: Milliseconds {
    let seconds = player.currentTime().seconds
    return seconds.isFinite ? Milliseconds(Int64(seconds * 1_000)) : .zero
  }

  // MARK: What AVPlayer is told

  /// A new item of the same clip: at first, after a change of where it plays, and when bytes came too late.
  private func attach() {
    guard let media else { return }
    attachment += 1
    goal = nil
    let isElsewhere = player.isExternalPlaybackActive
    let item = AVPlayerItem(asset: AVURLAsset(url: isElsewhere ? media.origin : media.address, options: nil))
    (isElsewhere ? originLimits : .onDevice).apply(to: item)
    itemObservations = []
    player.replaceCurrentItem(with: item)
    observe(item)
  }

  private func attachAgain() {
    startsAt = startsAt ?? goal ?? position
    handle(.replaced)
    handle(.seekBegan)
    attach()
    if isAsked { player.play() }
  }

  private func go(
    to place: Milliseconds, then event: @escaping @Sendable (_ isLast: Bool) -> PlaybackReports.Event
  ) {
    let number = attachment
    goal = place
    let time = CMTime(value: place.rawValue, timescale: 1_000)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] isLast in
      Task { @MainActor in self?.arrived(event(isLast), isLast, of: number) }
    }
  }

  private func arrived(_ event: PlaybackReports.Event, _ isLast: Bool, of number: Int) {
    guard number == attachment else { return }
    if isLast { goal = nil }
    handle(event)
  }

  /// Among players of one process: the clip on the screen comes before those that wait.
  private func setPriority(isHigh: Bool) {
    if #available(iOS 26.0, *) { player.networkResourcePriority = isHigh ? .high : .low }
  }

  // MARK: What AVPlayer says

  private func observePlayer() {
    playerObservations = [
      player.observe(\.timeControlStatus) { [weak self] _, _ in
        Task { @MainActor in self?.rateChanged() }
      },
      player.observe(\.isExternalPlaybackActive) { [weak self] _, _ in
        Task { @MainActor in self?.placeChanged() }
      },
      view.playerLayer.observe(\.isReadyForDisplay) { [weak self] _, _ in
        Task { @MainActor in self?.layerChanged() }
      },
    ]
    timeObservation = TimeObservation(player, every: CMTime(value: 1, timescale: 4)) { [weak self] _ in
      Task { @MainActor in self?.ticked() }
    }
  }

  private func observe(_ item: AVPlayerItem) {
    let number = attachment
    itemObservations = [
      item.observe(\.status) { [weak self] _, _ in
        Task { @MainActor in self?.statusChanged(of: number) }
      },
      NotificationObservation(AVPlayerItem.didPlayToEndTimeNotification, of: item) { [weak self] _ in
        Task { @MainActor in self?.reachedEnd(of: number) }
      },
      NotificationObservation(AVPlayerItem.failedToPlayToEndTimeNotification, of: item) { [weak self] _ in
        Task { @MainActor in self?.brokeOff(of: number) }
      },
    ]
  }

  private func handle(_ event: PlaybackReports.Event) {
    machine.handle(event) { report?($0) }
    if machine.showsPicture { view.showPicture() }
  }

  private func rateChanged() {
    switch player.timeControlStatus {
    case .paused: handle(.stopped)
    case .playing: handle(.ran)
    case .waitingToPlayAtSpecifiedRate:
      if player.reasonForWaitingToPlay == .toMinimizeStalls { handle(.starved) }
    @unknown default: break
    }
  }

  private func layerChanged() { handle(.layerChanged(hasPicture: view.playerLayer.isReadyForDisplay)) }

  private func ticked() {
    if media != nil { lastPlace = position }
    handle(.ticked(position))
    ticks += 1
    if ticks.isMultiple(of: Self.ticksPerCount) { countFrames() }
  }

  /// From the loopback this is all that AVPlayer's log says and the core does not know: rates and stalls it
  /// has measured itself. A window of the system's and another speed drop frames that they should.
  private func countFrames() {
    guard isAsked, player.rate == 1, !player.isExternalPlaybackActive, window?.isOpen != true,
      let item = player.currentItem
    else { return }
    let number = attachment
    // NB: the log may keep whoever asks for it waiting, so not on the main actor.
    Task.detached(priority: .utility) { [weak self] in
      guard let events = item.accessLog()?.events else { return }
      // Negative where it is not known.
      let dropped = events.reduce(0) { $0 + max(0, min($1.numberOfDroppedVideoFrames, 1_000_000)) }
      await self?.counted(dropped, of: number)
    }
  }

  private func counted(_ dropped: Int, of number: Int) {
    guard number == attachment, let media, let size = player.currentItem?.presentationSize else { return }
    let shortEdge = min(size.width, size.height)
    guard (1...10_000).contains(shortEdge) else { return }
    handle(.counted(dropped: dropped, shortEdge: Int32(shortEdge), frameRate: media.frameRate))
  }

  /// To a receiver or back: it cannot reach this device's loopback.
  private func placeChanged() {
    if media != nil { attachAgain() }
  }

  private func statusChanged(of number: Int) {
    guard number == attachment, let item = player.currentItem else { return }
    switch item.status {
    case .readyToPlay:
      handle(.itemReady)
      layerChanged()
      selectCaptions()
      if let place = startsAt {
        startsAt = nil
        go(to: place) { .seekEnded(at: place, isLast: $0) }
      }
    case .failed: fail(item.error)
    case .unknown: break
    @unknown default: break
    }
  }

  private func brokeOff(of number: Int) {
    if number == attachment { fail(player.currentItem?.error) }
  }

  /// Bytes that are late are no failure of the clip: AVPlayer gives up, and is asked again.
  private func fail(_ error: (any Error)?) {
    switch failures.failed(Self.causes(of: error)) {
    case .gone: handle(.itemFailed)
    case .again(let wait):
      let number = attachment
      Task {
        try? await Task.sleep(for: .milliseconds(wait.rawValue))
        // NB: loaded, released or attached anew meanwhile.
        if number == attachment, media != nil { attachAgain() }
      }
    }
  }

  /// The error and those below it, as deep as anybody looks.
  private static func causes(of error: (any Error)?) -> [ItemFailures.Cause] {
    var causes: [ItemFailures.Cause] = []
    var next = error as NSError?
    while let error = next, causes.count < 8 {
      causes.append(ItemFailures.Cause(domain: error.domain, code: error.code))
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return causes
  }

  private func reachedEnd(of number: Int) {
    guard number == attachment, media != nil else { return }
    failures.forget()
    switch loop {
    case .ends:
      player.pause()
      handle(.ended)
    case .seeksToStart:
      handle(.restartBegan)
      go(to: .zero) { _ in .restarted }
    case .standsAndSeeks:
      handle(.restartBegan)
      player.pause()
      go(to: .zero) { _ in .restarted }
      if isAsked { player.play() }
    }
  }
}
