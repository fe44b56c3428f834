public import AppModel
internal import Contract
public import CoreTypes
internal import Foundation
public import PlayerKit
internal import QuartzCore
public import UIKit

/// The screen that plays. It draws what `FeedModel` says, with one transform for all pages, and tells it what
/// fingers, keys and assistive technology do.
///
/// It refuses to know which clip comes next, where a drag ends and when something plays.
public final class FeedViewController: UIViewController {
  let model: FeedModel
  private let pages = UIView(frame: .zero)
  private var pageViews: [Int32: FeedPageView] = [:]
  /// By player: the item that is attached there.
  private var attached: [ObjectIdentifier: (view: PlayerView, item: ItemID)] = [:]
  let overlay: FeedOverlayView
  /// Where the message bar lies: over the pages and under the signs; it takes the whole screen and only its
  /// own touches.
  public let barContainer = FeedBarContainer(frame: .zero)
  private lazy var ticker = FrameTicker { [weak self] in self?.drawFrame() }
  private lazy var pan = UIPanGestureRecognizer(target: self, action: #selector(panned))
  /// A mouse's, which turns by steps; a trackpad moves what is shown, as a finger does.
  private lazy var wheel = UIPanGestureRecognizer(target: self, action: #selector(wheelTurned))
  private lazy var tap = UITapGestureRecognizer(target: self, action: #selector(wasTapped))
  private lazy var press = UILongPressGestureRecognizer(target: self, action: #selector(pressed))
  private var isDragging = false
  private var isSideways = false
  private var spokenItem: ItemID?
  private lazy var haptics = UIImpactFeedbackGenerator(style: .light, view: view)

  public init(_ model: FeedModel) {
    self.model = model
    overlay = FeedOverlayView(model)
    super.init(nibName: nil, bundle: nil)
    model.display = self
    model.download?.onReady = { [weak self] in self?.downloaded($0) }
  }

  public required init?(coder: NSCoder) { nil }

  /// Whose page shows the clip that a player has attached; `nil`: none. For `StreamPlayer.onAttached`.
  public func show(_ view: PlayerView, of item: ItemID?) {
    let key = ObjectIdentifier(view)
    if let old = attached.removeValue(forKey: key) { pageViews[old.item.rawValue]?.detach(view) }
    guard let item else { return }
    attached[key] = (view, item)
    pageViews[item.rawValue]?.attach(view)
  }

  /// How much of the lower edge the message bar takes, in points.
  public func setBarHeight(_ height: Double) {
    overlay.bottomInset = height
    for page in pageViews.values { page.bottomInset = overlay.taken }
  }

  /// The same of the tabs and what lies beside them.
  public func setTopHeight(_ height: Double) { overlay.topInset = height }

  // MARK: The screen

  public override func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .black
    view.clipsToBounds = true
    for part in [pages, barContainer, overlay] { view.addSubview(part) }
    pan.allowedScrollTypesMask = .continuous
    wheel.allowedScrollTypesMask = .discrete
    wheel.allowedTouchTypes = []
    for recognizer in [pan, wheel, tap, press] as [UIGestureRecognizer] {
      view.addGestureRecognizer(recognizer)
    }
    pagesChanged()
    signsChanged()
  }

  public override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    takeKeys()
  }

  public override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    let bounds = view.bounds
    model.resized(
      width: Double(bounds.width), height: Double(bounds.height),
      scale: Double(view.traitCollection.displayScale))
    for part in [barContainer, overlay] { part.frame = bounds }
    layOut()
  }

  public override var canBecomeFirstResponder: Bool { true }

  public override var prefersStatusBarHidden: Bool { true }

  private func layOut() {
    let layout = model.layout
    pages.transform = .identity
    pages.frame = CGRect(x: 0, y: 0, width: layout.width, height: layout.height)
    for page in layout.pages {
      pageViews[page.item]?.frame = CGRect(x: 0, y: page.top, width: layout.width, height: layout.height)
    }
    drawFrame()
  }

  /// The one transform; and the frames end with the way.
  private func drawFrame() {
    pages.transform = CGAffineTransform(translationX: 0, y: model.layout.shift)
    ticker.isRunning = model.isMoving
  }

  // MARK: Fingers

  @objc private func panned() {
    let distance = Double(pan.translation(in: view).y)
    switch pan.state {
    case .began:
      let way = pan.translation(in: view)
      // A movement to the side is no page, but maybe a tab.
      isSideways = abs(way.y) < abs(way.x)
      guard !isSideways else { return }
      isDragging = true
      model.dragBegan()
      model.dragMoved(distance)
    case .changed: if isDragging { model.dragMoved(distance) }
    case .ended:
      if isDragging { model.dragEnded(distance, velocity: Double(pan.velocity(in: view).y)) }
      isDragging = false
      if isSideways { swiped() }
    case .cancelled, .failed:
      if isDragging { model.dragCancelled() }
      isDragging = false
    case .possible: break
    @unknown default: break
    }
  }

  /// How far a wheel has to turn for a page is the core's to say.
  @objc private func wheelTurned() {
    guard wheel.state == .began || wheel.state == .changed else { return }
    // A wheel goes on in what is shown; the way is that of what is shown.
    model.wheelMoved(-Double(wheel.translation(in: view).y))
    wheel.setTranslation(.zero, in: view)
  }

  private func swiped() {
    let (way, place) = (pan.translation(in: view), pan.location(in: view))
    let start = CGPoint(x: place.x - way.x, y: place.y - way.y)
    // What is moved to the side in the message bar, or along the line, is not the feed.
    guard barContainer.hitTest(start, with: nil) == nil, overlay.hitTest(start, with: nil) == nil else {
      return
    }
    let isRightToLeft = view.effectiveUserInterfaceLayoutDirection == .rightToLeft
    let by = TabSwipe.step(
      x: Double(way.x), y: Double(way.y), from: Double(start.x), width: Double(view.bounds.width),
      isRightToLeft: isRightToLeft)
    if by != 0 { model.tabs?.step(by) }
  }

  @objc private func wasTapped() {
    let place = tap.location(in: view)
    // A tag opens by itself, and the clip plays on.
    if let page = model.state.current.flatMap({ pageViews[$0.rawValue] }), page.isTag(at: place, in: view) {
      return
    }
    model.touched(x: Double(place.x), y: Double(place.y))
  }

  @objc private func pressed() {
    if press.state == .began { openMenu() }
  }

  func openMenu() {
    haptics.impactOccurred()
    FeedMenuSheet(model: model, controller: self, onShare: { [weak self] in self?.share() }).show()
  }

  func share() {
    guard let link = model.link(), let url = URL(string: link.url) else { return }
    model.setLocked(true, by: .question)
    ShareSheet.show(url, over: self) { [model] isDone in
      if isDone { model.shared() }
      model.setLocked(false, by: .question)
    }
  }

  // MARK: Keys

  public override var keyCommands: [UIKeyCommand]? { keys }

  /// The feed has its keys again: a field or a screen had them.
  public func takeKeys() {
    if view.window != nil, presentedViewController == nil { _ = becomeFirstResponder() }
  }

  // MARK: Without eyes

  /// Two fingers, twice: plays or pauses.
  public override func accessibilityPerformMagicTap() -> Bool {
    model.tapped()
    return true
  }

  public override func accessibilityScroll(_ direction: UIAccessibilityScrollDirection) -> Bool {
    switch direction {
    case .up, .next: model.step(1)
    case .down, .previous: model.step(-1)
    case .left, .right:
      let isRightToLeft = view.effectiveUserInterfaceLayoutDirection == .rightToLeft
      model.tabs?.step((direction == .left) == isRightToLeft ? -1 : 1)
    default: return false
    }
    return true
  }

  private func describe(_ page: FeedPageView) {
    page.accessibilityCustomActions = [
      UIAccessibilityCustomAction(name: String(localized: "Next clip")) { [model] _ in
        model.step(1)
        return true
      },
      UIAccessibilityCustomAction(name: String(localized: "Previous clip")) { [model] _ in
        model.step(-1)
        return true
      },
      UIAccessibilityCustomAction(name: String(localized: "Like")) { [model] _ in
        model.turn(.like)
        return true
      },
      UIAccessibilityCustomAction(name: String(localized: "Save to bookmarks")) { [model] _ in
        model.turn(.bookmark)
        return true
      },
      UIAccessibilityCustomAction(name: String(localized: "Follow")) { [model] _ in
        model.turn(.follow)
        return true
      },
    ]
    if model.standing(of: page.item)?.hasProfile == true {
      page.accessibilityCustomActions? += [
        UIAccessibilityCustomAction(name: String(localized: "Profile")) { [model] _ in
          model.openAuthor()
          return true
        }
      ]
    }
    page.accessibilityCustomActions? += FeedTabs.all.map { tab in
      UIAccessibilityCustomAction(name: tab.title.words) { [model] _ in
        model.tabs?.press(tab)
        return true
      }
    }
    page.accessibilityCustomActions? += page.tags.map { tag in
      UIAccessibilityCustomAction(name: "#" + tag) { [model] _ in
        model.onTag?(tag)
        return true
      }
    }
    if model.standing(of: page.item)?.soundID != nil {
      page.accessibilityCustomActions? += [
        UIAccessibilityCustomAction(name: String(localized: "Clips with this sound")) { [model] _ in
          model.openSound()
          return true
        }
      ]
    }
  }
}

extension FeedViewController: FeedDisplay {
  public func pagesChanged() {
    guard isViewLoaded else { return }
    let places = model.state.places
    for (number, page) in pageViews where places[number] == nil {
      page.removeFromSuperview()
      pageViews[number] = nil
    }
    for number in places.keys where pageViews[number] == nil {
      let page = FeedPageView(
        ItemID(number), model, onShare: { [weak self] in self?.share() },
        onMenu: { [weak self] in self?.openMenu() })
      page.bottomInset = overlay.taken
      describe(page)
      page.onSpoken = { [weak self, weak page] in
        if let page { self?.describe(page) }
      }
      pageViews[number] = page
      pages.addSubview(page)
      for place in attached.values where place.item.rawValue == number { page.attach(place.view) }
    }
    let isCurrent = { [model] (page: FeedPageView) in page.item == model.state.current }
    for page in pageViews.values { page.accessibilityElementsHidden = !isCurrent(page) }
    layOut()
    sayCurrent()
  }

  private func sayCurrent() {
    guard let current = model.state.current, current != spokenItem, let page = pageViews[current.rawValue]
    else { return }
    spokenItem = current
    UIAccessibility.post(notification: .announcement, argument: page.spoken)
  }

  public func motionChanged() {
    guard isViewLoaded else { return }
    drawFrame()
  }

  public func signsChanged() {
    guard isViewLoaded else { return }
    ticker.limit(to: model.state.refreshRate)
    // Nobody can be written to where there is no clip.
    barContainer.isHidden = model.sign == .empty
    overlay.updateSigns()
  }

  public func clipChanged(_ id: String?) {
    for page in pageViews.values where id == nil || model.clip(of: page.item)?.id == id { page.update() }
  }

  public func scrubberChanged() {
    if isViewLoaded { overlay.updateScrubber() }
  }

  public func showHeart(x: Double, y: Double) {
    haptics.impactOccurred()
    let isCalm = model.state.isCalm || UIAccessibility.isReduceMotionEnabled
    HeartView.show(over: view, x: x, y: y, isCalm: isCalm)
  }

  public func fade(_ duration: Milliseconds) {
    guard isViewLoaded, let still = pages.snapshotView(afterScreenUpdates: false) else { return }
    still.frame = view.bounds
    view.insertSubview(still, at: 1)
    let seconds = Double(min(max(duration.rawValue, 0), 5_000)) / 1_000
    UIView.animateKeyframes(
      withDuration: seconds, delay: 0, animations: { still.alpha = 0 },
      completion: { _ in still.removeFromSuperview() })
  }

  public func posterChanged(_ item: ItemID) { pageViews[item.rawValue]?.showPoster() }

  public func uncovered() { takeKeys() }
}

/// Passes on to the feed whatever does not hit one of its own views.
public final class FeedBarContainer: UIView {
  public override init(frame: CGRect) { super.init(frame: frame) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  public override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let view = super.hitTest(point, with: event)
    return view === self ? nil : view
  }
}
