public import AppModel
public import Foundation
public import UIKit

/// Holds the message bar over the feed's pages, as large as the feed, and lets touches beside the bar
/// through. It alone knows the keyboard: the clip under it neither moves nor resizes.
public final class MessageBarContainer: UIView {
  public let bar: MessageBarView
  private let host: ComposerHost
  private var following = KeyboardFollowing()
  private var onKeyboard: NSLayoutConstraint?
  private var onSafeArea: NSLayoutConstraint?
  private var height: NSLayoutConstraint?
  /// Runs when the bar takes another height while nobody writes: what lies over the clip stands above it.
  public var onRestingHeight: ((Double) -> Void)?

  public init(_ host: ComposerHost) {
    self.host = host
    bar = MessageBarView(host)
    super.init(frame: .zero)
    addSubview(bar)
    bar.translatesAutoresizingMaskIntoConstraints = false
    let height = bar.heightAnchor.constraint(equalToConstant: 60)
    let onKeyboard = bar.bottomAnchor.constraint(equalTo: keyboardLayoutGuide.topAnchor)
    let onSafeArea = bar.bottomAnchor.constraint(equalTo: safeAreaLayoutGuide.bottomAnchor)
    self.height = height
    self.onKeyboard = onKeyboard
    self.onSafeArea = onSafeArea
    NSLayoutConstraint.activate([
      bar.leadingAnchor.constraint(equalTo: safeAreaLayoutGuide.leadingAnchor),
      bar.trailingAnchor.constraint(equalTo: safeAreaLayoutGuide.trailingAnchor), height, onSafeArea,
    ])
    bar.onHeight = { [weak self] in self?.setHeight($0) }
  }

  public required init?(coder: NSCoder) { nil }

  public override func layoutSubviews() {
    super.layoutSubviews()
    let keyboard = Double(keyboardLayoutGuide.layoutFrame.height)
    host.keyboardMoved(height: keyboard)
    var next = following
    next.update(
      isWriting: bar.isWriting, keyboard: keyboard, safeArea: Double(safeAreaInsets.bottom))
    guard next != following else { return }
    following = next
    onKeyboard?.isActive = false
    onSafeArea?.isActive = false
    (next.isFollowing ? onKeyboard : onSafeArea)?.isActive = true
  }

  public override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let hit = super.hitTest(point, with: event)
    return hit === self ? nil : hit
  }

  /// Inside the animation of the bar's parts.
  private func setHeight(_ value: Double) {
    setNeedsLayout()
    guard height?.constant != CGFloat(value) else { return }
    height?.constant = value
    layoutIfNeeded()
    if !bar.isWriting { onRestingHeight?(value) }
  }
}
