public import Composer
public import Contract
public import CoreTypes
public import Foundation
internal import Persistence
public import Playback
public import Session

/// The screen that plays: it keeps what the core's commands say is to be seen, and turns what a person does
/// there into events.
///
/// It decides nothing that the core decides, and refuses to know UIKit, players and the message bar: a
/// display
/// draws its values, `PlayerControls` does what people do to players, and a closure takes the bar's commands.
@MainActor public final class FeedModel: FeedScreen {
  /// Why no gesture moves the feed.
  public enum Lock: Hashable, Sendable {
    case menu
    /// Something asks a question over it.
    case question
    /// A screen lies over it.
    case screen
  }

  /// How far a key goes in a clip.
  public static let scrubStep = Milliseconds(2_000)

  public internal(set) var state = FeedState()
  public internal(set) var scrubber = Scrubber()
  public let actions: ClipActions
  public let activity: ActivityHost
  public let pictures: PictureStore
  public let announcements: Announcements
  public weak var display: (any FeedDisplay)?
  /// The message bar's host.
  public var composer: ((Composer.Command) -> Void)?
  /// Somebody wants to read or write comments under the clip.
  public var onComments: ((Clip) -> Void)?
  /// Somebody wants to see whose clip it is.
  public var onAuthor: ((Author) -> Void)?
  /// Somebody follows a tag.
  public var onTag: ((String) -> Void)?
  /// Somebody follows a sound: to the instance's page of it, which the browser opens.
  public var onSound: ((URL) -> Void)?
  /// Keeps a clip on this device, or no longer; `nil` where nothing is kept.
  public var keeping: (isKept: (Clip) -> Bool, set: (Clip, ItemID, Bool) -> Void)?
  /// Whether and in which language captions are shown; the settings show it too.
  public let captionPreferences: CaptionPreferences
  /// Which list the feed is.
  public internal(set) weak var tabs: FeedTabs?
  /// Less of what is on the screen.
  public internal(set) weak var dismissals: ClipDismissals?
  /// Somebody wants moderators to look at the clip.
  public var onReport: ((Clip) -> Void)?
  /// Somebody wants clips like one, or what the feed goes by.
  public var onSimilar: ((Clip) -> Void)?
  public var onTaste: (() -> Void)?
  /// Somebody wants to see how their clip does, or all their clips.
  public var onInsights: ((Clip) -> Void)?
  public var onOwnClips: (() -> Void)?
  /// Brings clips of one's own onto this device as files.
  public internal(set) weak var download: ClipDownload?
  var isMotionReduced: () -> Bool = { false }
  weak var host: SessionHost? {
    didSet { host?.feed.onPage = { [weak self] in self?.display?.signsChanged() } }
  }
  let clock: any HostClock
  let posters: PosterPolicy
  let controls: (any PlayerControls)?
  let client: Client
  let files: FeedFiles
  var reports = WatchReports()
  var sources: [String: WatchEvent.Source] = [:]
  /// Whose clip stands in a window of the system's.
  public internal(set) var windowed: ItemID?
  public internal(set) var speed = 1.0
  private(set) var locks: Set<Lock> = []
  private var size: (width: Double, height: Double, scale: Double) = (390, 844, 3)

  init(
    client: Client, clock: any HostClock, actions: ClipActions, activity: ActivityHost,
    pictures: PictureStore, posters: PosterPolicy, announcements: Announcements,
    controls: (any PlayerControls)?, files: FeedFiles
  ) {
    self.client = client
    self.clock = clock
    self.actions = actions
    self.activity = activity
    self.pictures = pictures
    self.posters = posters
    self.announcements = announcements
    self.controls = controls
    self.files = files
    captionPreferences = CaptionPreferences(file: files.captions)
    captionPreferences.onChanged = { [weak self] in self?.captionsChanged() }
    actions.onChanged = { [weak self] in self?.display?.clipChanged($0) }
    actions.onNotice = { announcements.post($0) }
    actions.onGone = { [weak self] in self?.host?.feed.drop($0) }
    controls?.onStopped = { [weak self] in self?.stand() }
    controls?.onWindowRefused = { announcements.post(.noWindow) }
    posters.hasStart = { [weak self] in await self?.host?.hasStart($0) ?? true }
    posters.hasPicture = { [weak self] in self?.host?.hasPicture($0) ?? true }
    posters.onNeeded = { [weak self] in self?.fetchPoster(of: $0) }
    activity.describe = { [weak self] item in
      guard let self, let clip = clip(of: item) else { return nil }
      return (clip.id, sources[clip.id] ?? host?.feed.list.source ?? .feed)
    }
  }

  // MARK: What is to be seen

  public var now: Instant { clock.now }

  /// Where everything lies now.
  public var layout: FeedLayout { FeedLayout(state, width: size.width, height: size.height, at: clock.now) }

  public var isMoving: Bool { !state.motion.isOver(at: clock.now) }

  /// The server has no clips for this person.
  public var isEmpty: Bool { state.current == nil && host?.feed.isEmpty == true }

  /// What is said where there are no clips, and what to do.
  public var emptyWords: [Sentence] { (tabs?.nothing ?? .noClips).words }

  /// The tab to go to where this one has nothing.
  public var wayOut: FeedTab? { sign == .empty && tabs?.nothing.leadsElsewhere == true ? .forYou : nil }

  /// By the button below a sign.
  public func helped() {
    if let wayOut { tabs?.press(wayOut) } else { retry() }
  }

  /// What is on the screen fades over what comes in its place.
  func fadeOver() { display?.fade(isMotionReduced() ? .zero : Self.fadeDuration) }

  private static let fadeDuration = Milliseconds(160)

  public var sign: FeedState.Sign { state.sign(isEmpty: isEmpty) }

  /// Why nothing comes, where the sign says so.
  public var trouble: Sentence {
    host?.trouble.map { Sentence(for: $0) } ?? "The feed can’t be loaded. Check the connection."
  }

  public func clip(of item: ItemID) -> Clip? { host?.feed.clip(item)?.clip }

  public var currentClip: Clip? { state.current.flatMap { clip(of: $0) } }

  public func standing(of item: ItemID) -> ClipStanding? {
    clip(of: item).map { actions.standing(of: $0, item) }
  }

  public func fills(_ item: ItemID) -> Bool {
    clip(of: item).map { FeedLayout.fills(width: $0.width, height: $0.height) } ?? true
  }

  // MARK: What the core commands

  public func show(_ command: FeedSession.Command, in host: SessionHost) {
    let effect = state.handle(command, at: clock.now)
    switch command {
    case .mount(let item, _):
      posters.mounted(item)
      display?.pagesChanged()
    case .unmount(let item):
      posters.unmounted(item)
      if let clip = clip(of: item) { pictures.giveUp(clip.poster.url) }
      display?.pagesChanged()
      if state.current == nil { display?.signsChanged() }
    case .scroll: display?.motionChanged()
    case .hold(let position, _):
      if let item = state.neighbour(towards: position) { posters.approached(item) }
      display?.motionChanged()
    case .settle(let page, let duration):
      display?.motionChanged()
      if duration > .zero {
        // By the clock and not by frames: none is drawn while the app is in the background.
        clock.wake(at: state.motion.end) { [weak self] in self?.settled(on: page) }
      }
    case .setCurrent(let item, _): becameCurrent(item)
    case .setMuted(let isMuted):
      controls?.setHeard(!isMuted)
      display?.signsChanged()
    case .showEnd, .showBuffering, .showPaused, .showNetworkTrouble, .showWaiting, .setRefreshRate:
      display?.signsChanged()
    default: break
    }
    carryOut(effect, host)
  }

  private func carryOut(_ effect: FeedState.Effect?, _ host: SessionHost) {
    switch effect {
    case .settled(let page): host.report(.settleFinished(page: Int64(page)))
    case .fade(let duration): display?.fade(duration)
    case .like(let x, let y): likeCurrent(x, y)
    case .skipped: announcements.post(.clipSkipped)
    case .composer(let command): composer?(command)
    case nil: break
    }
  }

  private func settled(on page: Int32) {
    guard state.motion.settlesOn == page, state.motion.isOver(at: clock.now) else { return }
    display?.motionChanged()
    host?.report(.settleFinished(page: Int64(page)))
  }

  private func becameCurrent(_ item: ItemID) {
    if let clip = clip(of: item), let duration = host?.feed.clip(item)?.duration {
      reports.show(item, duration: duration) { activity.report($0) }
      scrubber.show(duration: duration)
      actions.renew(clip, item)
      actions.learnOwner(of: clip)
      captionPreferences.meet(clip.playback.captions ?? [])
    }
    tellSize()
    posters.becameCurrent(item)
    display?.pagesChanged()
    display?.scrubberChanged()
    display?.signsChanged()
  }

  private func likeCurrent(_ x: Int64, _ y: Int64) {
    guard let item = state.current, let clip = clip(of: item) else { return }
    display?.showHeart(x: Double(x), y: Double(y))
    actions.like(clip, item)
  }

  // MARK: What players report

  public func playerReported(_ report: PlayerReport, in host: SessionHost) {
    switch report.event {
    case .firstFrameReady: applyCaptions(to: report.item)
    case .pictureInPictureBegan: show(inWindow: report.item)
    case .pictureInPictureEnded: if windowed == report.item || window != .open { show(inWindow: nil) }
    default: break
    }
    guard report.item == state.current else { return }
    reports.take(report, isAsked: host.isPlaying(report.item)) { activity.report($0) }
    if case .positionChanged(let position) = report.event {
      scrubber.played(to: position)
      display?.scrubberChanged()
    }
  }

  private func show(inWindow item: ItemID?) {
    windowed = item
    display?.signsChanged()
  }

  private func fetchPoster(of item: ItemID) {
    guard let clip = clip(of: item) else { return }
    let isKept = clip.visibility == nil || clip.visibility == .public
    pictures.picture(clip.poster.url, isKept: isKept) { [weak self] _ in self?.display?.posterChanged(item) }
  }

  // MARK: What lies over the feed

  /// No gesture moves the feed while anybody wants it so.
  public func setLocked(_ isLocked: Bool, by lock: Lock) {
    let before = locks.isEmpty
    if isLocked { locks.insert(lock) } else { locks.remove(lock) }
    guard locks.isEmpty != before else { return }
    host?.report(.feedLocked(!locks.isEmpty))
    if locks.isEmpty { display?.uncovered() }
  }

  public func resized(width: Double, height: Double, scale: Double) {
    guard size != (width, height, scale) else { return }
    size = (width, height, scale)
    tellSize()
    display?.motionChanged()
  }

  func tellSize() {
    let fills = state.current.map { self.fills($0) } ?? true
    let (height, edge) = FeedLayout.viewport(
      width: size.width, height: size.height, scale: size.scale, fills: fills)
    host?.report(.viewportResized(height: height, shortEdge: edge))
  }
}
