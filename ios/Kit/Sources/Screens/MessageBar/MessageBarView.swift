public import AppModel
internal import Composer
public import Contract
internal import CoreGraphics
public import Foundation
internal import QuartzCore
public import UIKit

/// Draws the message bar as `MessageBarLayout` says, and reports what is typed, measured and tapped.
///
/// It refuses to know which text belongs to which clip, when a message may go and why the bar looks as it
/// does.
public final class MessageBarView: UIView {
  private static let pictureSide = 28.0

  private let host: ComposerHost
  private let background = UIView(frame: .zero)
  private let field = MessageTextView(frame: .zero, textContainer: nil)
  private let placeholder = UILabel(frame: .zero)
  private let dot = UIView(frame: .zero)
  private let closed = UILabel(frame: .zero)
  private let state = UILabel(frame: .zero)
  private let charactersLeft = UILabel(frame: .zero)
  private let plane: UIButton
  private var reactions: [UIButton] = []
  private var counts: [UILabel] = []
  private var animator: UIViewPropertyAnimator?
  private var shownLayout: MessageBarLayout?
  private var announced: Composer.Delivery = .idle
  private var confirmation: Task<Void, Never>?
  /// Runs when the bar has another height, inside the animation of its parts.
  var onHeight: ((Double) -> Void)?
  /// Runs when nobody writes any more.
  public var onEnd: (() -> Void)?

  public init(_ host: ComposerHost) {
    self.host = host
    plane = UIButton(frame: .zero, primaryAction: UIAction { _ in host.sendTapped() })
    super.init(frame: .zero)
    addParts()
    styleField()
    host.display = self
    // A drag that begins here moves the field's text or nothing: it is no page.
    addGestureRecognizer(UIPanGestureRecognizer(target: nil, action: nil))
    followTextSize()
    apply(animated: false)
  }

  public required init?(coder: NSCoder) { nil }

  /// A key or a link asks for it.
  public func focus() { _ = field.becomeFirstResponder() }

  public var isWriting: Bool { field.isFirstResponder }

  public override func layoutSubviews() {
    super.layoutSubviews()
    apply(animated: false)
    measure()
  }

  /// The bar lives as long as the app, and so does this.
  private func followTextSize() {
    _ = NotificationCenter.default.addObserver(
      forName: UIContentSizeCategory.didChangeNotification, object: nil, queue: .main
    ) { [weak self] _ in
      MainActor.assumeIsolated { self?.setNeedsLayout() }
    }
  }

  // MARK: Parts

  private func addParts() {
    background.layer.cornerRadius = MessageBarLayout.touch / 2
    background.layer.borderWidth = 1
    background.isUserInteractionEnabled = false
    dot.layer.cornerRadius = 4
    dot.backgroundColor = UIColor(rgb: 0xFF5D73, alpha: 1)
    dot.isUserInteractionEnabled = false
    for part in [background, field, placeholder, dot, closed, state, charactersLeft] { addSubview(part) }
    for reaction in ComposerHost.reactions { addReaction(reaction) }
    addPlane()
    for label in [placeholder, closed, state, charactersLeft] {
      label.isUserInteractionEnabled = false
      label.adjustsFontForContentSizeCategory = true
    }
    placeholder.font = .preferredFont(forTextStyle: .callout)
    placeholder.text = String(localized: "Send message")
    placeholder.isAccessibilityElement = false
    closed.font = .preferredFont(forTextStyle: .footnote)
    closed.numberOfLines = 2
    state.font = .preferredFont(forTextStyle: .footnote)
    charactersLeft.font = .preferredFont(forTextStyle: .footnote)
    charactersLeft.textAlignment = effectiveUserInterfaceLayoutDirection == .rightToLeft ? .left : .right
  }

  private func addReaction(_ reaction: Reaction) {
    let host = host
    let button = UIButton(
      frame: .zero,
      primaryAction: UIAction { [weak self] _ in
        if let self { UIImpactFeedbackGenerator(style: .light, view: self).impactOccurred() }
        host.reactionTapped(reaction)
      })
    let picture = ReactionPicture(reaction, side: Self.pictureSide)
    let inset = (MessageBarLayout.touch - Self.pictureSide) / 2
    picture.frame = CGRect(x: inset, y: 3, width: Self.pictureSide, height: Self.pictureSide)
    let count = UILabel(frame: CGRect(x: 0, y: 30, width: MessageBarLayout.touch, height: 14))
    count.font = .systemFont(ofSize: 11, weight: .semibold)
    count.textColor = .white
    count.textAlignment = .center
    button.addSubview(picture)
    button.addSubview(count)
    addSubview(button)
    reactions.append(button)
    counts.append(count)
  }

  private func addPlane() {
    let side = MessageBarLayout.touch
    let line = CAShapeLayer()
    line.path = UIBezierPath(ReactionArt.plane, 20 / ReactionArt.planeSide).cgPath
    line.frame = CGRect(x: (side - 20) / 2, y: (side - 20) / 2, width: 20, height: 20)
    line.fillColor = nil
    line.strokeColor = UIColor.white.cgColor
    line.lineWidth = 1.9
    line.lineCap = .round
    line.lineJoin = .round
    let disc = CALayer()
    disc.frame = CGRect(x: 5, y: 5, width: side - 10, height: side - 10)
    disc.cornerRadius = (side - 10) / 2
    disc.backgroundColor = UIColor(rgb: 0xE5486A, alpha: 1).cgColor
    plane.layer.addSublayer(disc)
    plane.layer.addSublayer(line)
    plane.accessibilityLabel = String(localized: "Send")
    addSubview(plane)
  }

  private func styleField() {
    field.delegate = self
    field.font = .preferredFont(forTextStyle: .callout)
    field.adjustsFontForContentSizeCategory = true
    field.textColor = .white
    field.tintColor = .white
    field.backgroundColor = .clear
    field.keyboardAppearance = .dark
    field.textContainerInset = .zero
    field.textContainer.lineFragmentPadding = 0
    field.textContentType = nil
    field.autocapitalizationType = .sentences
    field.inlinePredictionType = .no
    field.textAlignment = .natural
    field.showsVerticalScrollIndicator = false
    field.onReturn = { [weak self] in self?.host.sendTapped() }
    field.onEscape = { [weak self] in self?.host.fieldDismissed() }
  }

  // MARK: Drawing

  private func apply(animated: Bool) {
    let layout = MessageBarLayout(
      host.bar,
      MessageBarLayout.Metrics(
        width: bounds.width, lineHeight: placeholder.font.lineHeight, captionHeight: state.font.lineHeight,
        isLargeText: traitCollection.preferredContentSizeCategory.isAccessibilityCategory,
        reducesMotion: UIAccessibility.isReduceMotionEnabled,
        isRightToLeft: effectiveUserInterfaceLayoutDirection == .rightToLeft,
        isTextEmpty: host.text.isEmpty, confirmsSent: confirmation != nil))
    setWords()
    guard layout != shownLayout else { return }
    shownLayout = layout
    setReach(layout)
    // What is under way goes on from where it is.
    animator?.stopAnimation(true)
    animator = nil
    guard animated else {
      place(layout)
      onHeight?(layout.height)
      return
    }
    let next = UIViewPropertyAnimator(duration: MessageBarLayout.duration, curve: .easeOut) { [weak self] in
      self?.place(layout)
      self?.onHeight?(layout.height)
    }
    animator = next
    next.startAnimation()
  }

  private func place(_ layout: MessageBarLayout) {
    let parts: [(UIView, MessageBarLayout.Part)] = [
      (background, layout.field), (field, layout.field), (placeholder, layout.placeholder), (dot, layout.dot),
      (closed, layout.closed), (state, layout.state), (charactersLeft, layout.charactersLeft),
      (plane, layout.plane),
    ]
    for (view, part) in parts { place(view, part) }
    for (button, part) in zip(reactions, layout.reactions) { place(button, part) }
    for button in reactions.dropFirst(layout.reactions.count) { button.alpha = 0 }
    setText(layout)
    let border = host.bar.isFocused ? 0.58 : 0.24
    background.layer.borderColor = UIColor(rgb: 0xFFFFFF, alpha: border).cgColor
    background.backgroundColor = UIColor(rgb: 0x0C0E14, alpha: host.bar.isFocused ? 0.94 : 0.58)
  }

  /// The field is as large as what is behind it, so that a tap anywhere reaches it, with its text or
  /// without.
  private func setText(_ layout: MessageBarLayout) {
    let (field, text) = (layout.field.frame, layout.text.frame)
    let inset = UIEdgeInsets(
      top: text.y - field.y, left: text.x - field.x, bottom: field.y + field.height - text.y - text.height,
      right: field.x + field.width - text.x - text.width)
    if self.field.textContainerInset != inset { self.field.textContainerInset = inset }
    self.field.textColor = layout.text.isShown ? .white : .clear
  }

  private func place(_ view: UIView, _ part: MessageBarLayout.Part) {
    // NB: the frame of what is scaled means nothing.
    view.bounds = CGRect(
      x: view.bounds.minX, y: view.bounds.minY, width: part.frame.width, height: part.frame.height)
    view.center = CGPoint(x: part.frame.x + part.frame.width / 2, y: part.frame.y + part.frame.height / 2)
    view.alpha = part.alpha
    view.transform = CGAffineTransform(scaleX: part.scale, y: part.scale)
  }

  /// What is not seen can be neither tapped nor reached from the first moment on.
  private func setReach(_ layout: MessageBarLayout) {
    field.isScrollEnabled = layout.scrolls
    field.isUserInteractionEnabled = layout.field.isShown
    plane.isUserInteractionEnabled = layout.plane.isShown
    plane.isEnabled = layout.plane.isEnabled
    for (index, button) in reactions.enumerated() {
      let part = layout.reactions.indices.contains(index) ? layout.reactions[index] : nil
      button.isUserInteractionEnabled = part?.isShown ?? false
      button.isEnabled = part?.isEnabled ?? false
    }
    accessibilityElements = layout.order.flatMap { element -> [Any] in
      switch element {
      case .field: layout.field.isShown ? [field] : [closed]
      case .reactions: Array(reactions.prefix(layout.reactions.count))
      case .plane: [plane]
      case .charactersLeft: [charactersLeft]
      case .state: [state]
      }
    }
  }

  private func setWords() {
    closed.text = host.closedReason.words
    closed.textColor = UIColor(rgb: 0xFFFFFF, alpha: 0.72)
    placeholder.textColor = .white
    if let clip = host.clip, !clip.author.name.isEmpty {
      field.accessibilityLabel = String(localized: "Send message to \(clip.author.name)")
    } else {
      field.accessibilityLabel = String(localized: "Send message")
    }
    let bar = host.bar
    let isBad = bar.delivery == .failed || bar.delivery == .refused
    // A message of now says more than one that has arrived.
    if bar.delivery != .idle {
      confirmation?.cancel()
      confirmation = nil
    }
    if confirmation == nil { state.text = host.state?.words }
    state.textColor = isBad ? UIColor(rgb: 0xFFB3BE, alpha: 1) : .white
    let left = Int(bar.charactersLeft)
    charactersLeft.text =
      left < 0 ? String(localized: "\(-left) too many") : String(localized: "\(left) left")
    charactersLeft.textColor = left < 0 ? UIColor(rgb: 0xFF9AA8, alpha: 1) : .white
    for (index, reaction) in ComposerHost.reactions.enumerated() { setCount(index, reaction) }
    // Once for each failure.
    if isBad, announced != bar.delivery, let words = host.state?.words {
      UIAccessibility.post(notification: .announcement, argument: words)
    }
    announced = bar.delivery
  }

  private func setCount(_ index: Int, _ reaction: Reaction) {
    let count = host.counts[reaction.rawValue] ?? 0
    counts[index].text = count > 0 ? count.formatted(.number.notation(.compactName)) : nil
    reactions[index].accessibilityLabel = ReactionArt.name(of: reaction).words
    reactions[index].accessibilityValue = count > 0 ? count.formatted() : nil
  }

  // MARK: Measuring

  /// What the whole text needs, whatever the field shows of it.
  private func measure() {
    guard let layout = shownLayout, layout.text.frame.width > 0, let font = field.font else { return }
    let room = CGSize(width: layout.field.frame.width, height: .greatestFiniteMagnitude)
    let inset = field.textContainerInset
    host.textMeasured(
      height: field.sizeThatFits(room).height - inset.top - inset.bottom, lineHeight: font.lineHeight)
  }
}

extension MessageBarView: UITextViewDelegate {
  public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool {
    if host.bar.isEditable { return true }
    // The core says what a tap means then.
    host.fieldFocused()
    return false
  }

  public func textViewDidBeginEditing(_ textView: UITextView) { host.fieldFocused() }

  public func textViewDidEndEditing(_ textView: UITextView) {
    host.fieldBlurred()
    onEnd?()
  }

  public func textViewDidChange(_ textView: UITextView) {
    host.textTyped(textView.text)
    apply(animated: true)
    measure()
  }
}

extension MessageBarView: MessageBarDisplay {
  public func barChanged() { apply(animated: true) }

  public func textChanged() {
    // Or the caret would jump to the end under somebody who writes.
    if field.text != host.text { field.text = host.text }
    apply(animated: true)
    measure()
  }

  public func leaveField() {
    if field.isFirstResponder { _ = field.resignFirstResponder() }
  }

  public func float(_ reaction: Reaction) {
    guard let index = ComposerHost.reactions.firstIndex(of: reaction), let above = superview else { return }
    let button = reactions[index]
    let place = above.convert(CGPoint(x: button.bounds.midX, y: button.bounds.midY), from: button)
    FloatingReaction.rise(reaction, from: place, in: above)
  }

  public func confirmSent() {
    confirmation?.cancel()
    state.text = String(localized: "Sent")
    UIAccessibility.post(notification: .announcement, argument: state.text)
    confirmation = Task { [weak self] in
      try? await Task.sleep(for: .seconds(3))
      guard !Task.isCancelled else { return }
      self?.confirmation = nil
      self?.apply(animated: true)
    }
    apply(animated: true)
  }
}
