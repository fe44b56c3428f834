public import Contract
public import CoreTypes
public import Foundation
internal import Persistence
internal import Playback
internal import Session

/// What a person does on the screen that plays.
extension FeedModel {
  // MARK: Fingers and keys

  public func dragBegan() { host?.report(.dragBegan) }

  /// Points since `dragBegan`, downward positive.
  public func dragMoved(_ translation: Double) {
    host?.report(.dragMoved(translation: FeedLayout.number(translation)))
  }

  public func dragEnded(_ translation: Double, velocity: Double) {
    host?.report(
      .dragEnded(translation: FeedLayout.number(translation), velocity: FeedLayout.number(velocity)))
  }

  public func dragCancelled() { host?.report(.dragCancelled) }

  /// A tap on the clip, in points of the feed. The core tells one from two.
  public func touched(x: Double, y: Double) {
    host?.report(.touched(x: FeedLayout.number(x), y: FeedLayout.number(y)))
  }

  /// By a key, a button or assistive technology.
  public func tapped() { host?.report(.tapped) }

  public func step(_ pages: Int64) { host?.report(.stepped(pages: pages)) }

  public func goToStart() { host?.report(.jumped(page: 0)) }

  /// Of a wheel or trackpad, in points, positive towards the next clip.
  public func wheelMoved(_ delta: Double) { host?.report(.wheelMoved(delta: FeedLayout.number(delta))) }

  public func retry() { host?.report(.retryRequested) }

  // MARK: Sound and speed

  public func toggleSound() { setSound(state.isMuted) }

  private func setSound(_ isOn: Bool) {
    files.sound.save(isOn)
    host?.report(.soundSet(isOn: isOn))
  }

  /// Whether clips are heard at the start: as the person left it; else they are, unless another app is.
  public static func startsHeard(remembered: Bool?, othersAreHeard: Bool) -> Bool {
    (remembered ?? true) && !othersAreHeard
  }

  public func setSpeed(_ rate: Double) {
    guard FeedMenu.speeds.contains(rate) else { return }
    speed = rate
    controls?.setSpeed(rate)
  }

  /// A call came, or the headphones went: the clip stands as if somebody had tapped it.
  func stand() {
    guard let item = state.current, !state.isPaused, host?.isPlaying(item) == true else { return }
    host?.report(.tapped)
  }

  // MARK: The line

  public func scrubBegan() {
    guard scrubber.hold() else { return }
    host?.report(.scrubBegan)
    display?.scrubberChanged()
  }

  public func scrubMoved(toShare share: Double) {
    guard scrubber.isHeld else { return }
    let place = scrubber.move(toShare: share)
    host?.report(.scrubMoved(place))
    display?.scrubberChanged()
  }

  public func scrubEnded() {
    guard scrubber.isHeld else { return }
    scrubber.letGo()
    host?.report(.scrubEnded(scrubber.position))
    display?.scrubberChanged()
  }

  /// A step forward or back, by a key or assistive technology.
  public func scrub(by step: Milliseconds) {
    guard scrubber.hold() else { return }
    let place = scrubber.move(by: step)
    scrubber.letGo()
    host?.report(.scrubBegan)
    host?.report(.scrubMoved(place))
    host?.report(.scrubEnded(place))
    display?.scrubberChanged()
  }

  // MARK: The clip on the screen

  public func turn(_ kind: ClipActions.Kind) {
    guard let item = state.current, let clip = clip(of: item) else { return }
    actions.turn(kind, of: clip, item)
  }

  public func openComments() {
    if let clip = currentClip { onComments?(clip) }
  }

  public func openAuthor() {
    if let author = currentClip?.author, author.hasProfile { onAuthor?(author) }
  }

  /// The clips that have the sound of the one on the screen.
  public func openSound() {
    guard let sound = currentClip?.soundId, let base = host?.base else { return }
    if let page = SoundPage.address(of: sound, at: base) { onSound?(page) }
  }

  public func openReport() {
    if let clip = currentClip { onReport?(clip) }
  }

  /// Where anybody finds the clip; `nil` for one that only its owner can see, which is said.
  public func link() -> (url: String, title: String)? {
    guard let clip = currentClip, let address = address(of: clip) else { return nil }
    guard clip.visibility != .private else {
      announcements.post(.clipPrivate)
      return nil
    }
    return (address, clip.caption)
  }

  /// The server's page of a tag.
  public func page(ofTag tag: String) -> URL? {
    URL(string: Route.tagPage.path(tag), relativeTo: host?.base)?.absoluteURL
  }

  /// The link was handed on, by the system's sheet or the clipboard.
  public func shared() {
    if let clip = currentClip { actions.shared(clip) }
  }

  public var menu: FeedMenu? {
    guard let item = state.current, let clip = clip(of: item) else { return nil }
    return FeedMenu(
      actions.standing(of: clip, item), captions: clip.playback.captions ?? [], chosen: captions(of: clip),
      speed: speed, isKept: keeping?.isKept(clip), hasWindows: controls?.hasWindows ?? false)
  }

  public func keep(_ isKept: Bool) {
    guard let item = state.current, let clip = clip(of: item) else { return }
    keeping?.set(clip, item, isKept)
  }

  /// Away from the author's clip at once; all of theirs go when they are gone for the server too.
  public func blockAuthor() {
    guard let item = state.current, let author = clip(of: item)?.author, !author.id.isEmpty else { return }
    host?.report(.stepped(pages: 1))
    actions.block(author) { [weak self] in self?.remove { $0.author.id == author.id } }
  }

  /// Clips that are not there any more leave the feed, whichever of them is on the screen.
  public func remove(where isGone: (Clip) -> Bool) {
    guard let host else { return }
    for item in host.feed.items(where: isGone) { host.feed.drop(item) }
  }

  // MARK: Windows and captions

  /// Whether a clip can stand in a window here, and does.
  public enum Window: Equatable, Sendable {
    case impossible
    case closed
    case open
  }

  public var window: Window {
    // Its player may have been taken for another clip.
    if let windowed, host?.player(of: windowed) != nil { return .open }
    return controls?.hasWindows == true && state.current != nil ? .closed : .impossible
  }

  /// Shows the clip on the screen in a window; whichever clip is in one comes back.
  public func togglePictureInPicture() {
    guard let item = window == .open ? windowed : state.current, let player = host?.player(of: item),
      let controls
    else { return }
    if !controls.toggleWindow(of: player) { announcements.post(.noWindow) }
  }

  /// The language in which a clip's captions are shown, `nil` for none.
  public func captions(of clip: Clip) -> String? {
    captionPreferences.shown(of: clip.playback.captions ?? [])
  }

  /// `nil` switches them off.
  public func chooseCaptions(_ language: String?) { captionPreferences.choose(language) }

  public func toggleCaptions() { captionPreferences.toggle(of: currentClip?.playback.captions ?? []) }

  func captionsChanged() {
    for place in state.places.keys { applyCaptions(to: ItemID(place)) }
    display?.signsChanged()
  }

  func applyCaptions(to item: ItemID) {
    guard let clip = clip(of: item), let player = host?.player(of: item) else { return }
    controls?.setCaptions(captions(of: clip), on: player)
  }

  // MARK: Links

  /// Opens a clip by its id: `/c/…` and `clipfeed://`. It is put on top of the feed, and gone to.
  /// `upload` is the secret of a private clip: it opens that one and no other. False: it is not there, which
  /// is said.
  @discardableResult public func open(_ id: String, upload: String? = nil) async -> Bool {
    guard let host else { return false }
    if let known = host.feed.item(of: id).flatMap({ host.feed.clip($0) }),
      upload == nil || actions.ownership.upload(of: id) == upload
    {
      _ = host.feed.insert(known.clip)
    } else {
      do {
        let clip: Clip
        if let upload {
          clip = try await client.clip(ofUpload: upload)
          actions.ownership.remember(upload, of: clip.id)
        } else {
          clip = try await client.clip(id)
        }
        guard clip.id == id else {
          announcements.post(.clipGone)
          return false
        }
        sources[id] = .link
        guard host.feed.insert(clip) != nil else {
          announcements.post(.clipSkipped)
          return false
        }
      } catch {
        let status = (error as? Problem)?.status
        announcements.post(status == 404 || status == 410 ? .clipGone : .clipUnreachable)
        return false
      }
    }
    guard let item = host.feed.item(of: id) else { return false }
    host.report(.jumpedToItem(item))
    return true
  }
}
