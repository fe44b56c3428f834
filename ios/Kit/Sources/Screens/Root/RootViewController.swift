public import AppModel
public import Foundation
public import UIKit

/// Shows the feed, and over it the screens of the router, each in the way that suits it.
///
/// It refuses to know what screens are made of: `makeScreen` makes them.
@MainActor public final class RootViewController: UIViewController {
  private let router: Router
  private let makeScreen: (Router.Destination) -> UIViewController
  private var content: UIViewController?
  /// At the top, where the line ends.
  private var bar: UIViewController?
  /// At the top, where the line begins; below it where there is no room.
  private var tabs: UIViewController?
  /// Those that are presented, the lowest first.
  private var shown: [(destination: Router.Destination, controller: UIViewController)] = []
  /// Hears whether a screen lies over the content.
  public var onCovered: ((Bool) -> Void)?
  /// Hears how much of the upper edge the bars take, in points below the safe area's edge.
  public var onTopTaken: ((Double) -> Void)?
  /// While one comes or goes, the others wait.
  private var isMoving = false

  public init(_ router: Router, makeScreen: @escaping (Router.Destination) -> UIViewController) {
    self.router = router
    self.makeScreen = makeScreen
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) { nil }

  public override func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .black
    track(self) { [weak self] in self?.follow(self?.router.path ?? []) }
  }

  /// What lies at the bottom: the feed with its bar, or what has to be asked before there is one.
  public func setContent(
    _ controller: UIViewController, bar newBar: UIViewController? = nil, tabs newTabs: UIViewController? = nil
  ) {
    for old in [content, bar, tabs] { leave(old) }
    content = controller
    (bar, tabs) = (newBar, newTabs)
    enter(controller)
    controller.view.frame = view.bounds
    controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    for control in [newTabs, newBar] {
      if let control { enter(control) }
    }
    view.setNeedsLayout()
  }

  private func enter(_ controller: UIViewController) {
    addChild(controller)
    view.addSubview(controller.view)
    controller.didMove(toParent: self)
  }

  private func leave(_ controller: UIViewController?) {
    controller?.willMove(toParent: nil)
    controller?.view.removeFromSuperview()
    controller?.removeFromParent()
  }

  public override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    guard let bar else { return }
    let room = view.bounds
    let safe = view.safeAreaInsets
    let size = bar.view.sizeThatFits(CGSize(width: room.width, height: room.height))
    let isMirrored = view.effectiveUserInterfaceLayoutDirection == .rightToLeft
    bar.view.frame = CGRect(
      x: isMirrored ? safe.left + 8 : room.width - safe.right - size.width - 8, y: safe.top + 4,
      width: size.width, height: size.height)
    layOutTabs(below: size, isMirrored)
  }

  /// Beside the bar if they fit, else below it.
  private func layOutTabs(below bar: CGSize, _ isMirrored: Bool) {
    let (room, safe) = (view.bounds, view.safeAreaInsets)
    guard let tabs else { return onTopTaken?(Double(bar.height)) ?? () }
    let width = room.width - safe.left - safe.right - 16
    let size = tabs.view.sizeThatFits(CGSize(width: width, height: room.height))
    let isBeside = size.width + 8 + bar.width <= width
    let y = safe.top + 4 + (isBeside ? 0 : bar.height)
    tabs.view.frame = CGRect(
      x: isMirrored ? room.width - safe.right - size.width - 8 : safe.left + 8, y: y,
      width: min(size.width, width), height: size.height)
    onTopTaken?(Double(isBeside ? max(size.height, bar.height) : bar.height + size.height))
  }

  /// Goes one step towards the router's path; the end of the step takes the next.
  private func follow(_ path: [Router.Destination]) {
    onCovered?(!path.isEmpty)
    guard !isMoving else { return }
    let same = zip(path, shown.map(\.destination)).prefix { $0 == $1 }.count
    if shown.count > same {
      let lowest = shown[same].controller
      // By a swipe: `presentationControllerDidDismiss` says so, unless the finger takes it back.
      if lowest.isBeingDismissed { return tryAgain() }
      shown.removeSubrange(same...)
      isMoving = true
      // What it lies over dismisses it with all that is over it; without one it is gone already.
      guard let below = lowest.presentingViewController else { return moved() }
      below.dismiss(animated: true) { [weak self] in
        _ = lowest
        self?.moved()
      }
    } else if path.count > same {
      // NB: a presentation that the system refuses is never said to be done, and nothing would move again.
      guard let below = top() else { return tryAgain() }
      isMoving = true
      let destination = path[same]
      let controller = makeScreen(destination)
      controller.modalPresentationStyle = destination.fillsScreen ? .fullScreen : .pageSheet
      controller.presentationController?.delegate = self
      shown.append((destination, controller))
      below.present(controller, animated: true) { [weak self] in self?.moved() }
    }
  }

  /// What the next screen lies over: the topmost of ours, or what it presents itself, as a question. `nil`:
  /// the system would refuse now.
  private func top() -> UIViewController? {
    var top = shown.last?.controller ?? self
    while let next = top.presentedViewController {
      if next.isBeingDismissed { return nil }
      top = next
    }
    let isThere = top.isViewLoaded && top.view.window != nil
    return isThere && !top.isBeingPresented && !top.isBeingDismissed ? top : nil
  }

  /// In a moment, since nobody tells when something that is not ours has come or gone.
  private func tryAgain() {
    isMoving = true
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(100))
      guard let self else { return }
      // What presented them may have gone with them on top.
      shown = Array(shown.prefix { $0.controller.presentingViewController != nil })
      moved()
    }
  }

  private func moved() {
    isMoving = false
    follow(router.path)
  }
}

extension RootViewController: UIAdaptivePresentationControllerDelegate {
  /// By a swipe: the router does not know yet.
  public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
    let gone = presentationController.presentedViewController
    guard let index = shown.firstIndex(where: { $0.controller === gone }) else { return }
    let destination = shown[index].destination
    shown.removeSubrange(index...)
    if router.top == destination { router.back() }
  }
}

extension Router.Destination {
  /// The camera has the whole screen; all others leave the feed in sight.
  var fillsScreen: Bool { self == .recording }
}
