internal import AppModel
internal import Contract
internal import CoreTypes
internal import Foundation
internal import UIKit

/// What lies over the clip and does not move with it: sound, captions, the line and its time, and the signs.
/// When a sign is due is the model's to say.
final class FeedOverlayView: UIView {
  private let model: FeedModel
  private var textSize: TextSizeObservation?
  private let sound: FeedButton
  private let captions: FeedButton
  private let pictureInPicture: FeedButton
  private let slider = UISlider(frame: .zero)
  private let time = UILabel(frame: .zero)
  private let spinner = UIActivityIndicatorView(frame: .zero)
  private let sign = UIImageView(frame: .zero)
  private let words = UILabel(frame: .zero)
  private let retry: UIButton
  private let board = UIView(frame: .zero)
  private let boardImage = UIImageView(frame: .zero)
  private var boardURL: String?
  /// The place that the message bar takes.
  var bottomInset = 0.0 { didSet { setNeedsLayout() } }
  /// The same of the controls at the upper edge.
  var topInset = 0.0 { didSet { setNeedsLayout() } }
  /// How much of the lower edge is taken, with the line.
  var taken: Double { bottomInset + 44 }

  init(_ model: FeedModel) {
    self.model = model
    sound = FeedButton("speaker.slash.fill", "speaker.wave.2.fill") { model.toggleSound() }
    captions = FeedButton("captions.bubble", "captions.bubble.fill") { model.toggleCaptions() }
    pictureInPicture = FeedButton("pip.enter", "pip.exit") { model.togglePictureInPicture() }
    retry = UIButton(frame: .zero, primaryAction: UIAction { _ in model.helped() })
    super.init(frame: .zero)
    build()
    textSize = TextSizeObservation(self)
    watchSlider()
    updateSigns()
    updateScrubber()
  }

  required init?(coder: NSCoder) { nil }

  private func build() {
    sign.tintColor = .white
    sign.contentMode = .scaleAspectFit
    spinner.style = .large
    spinner.color = .white
    for label in [time, words] {
      label.textColor = .white
      label.textAlignment = .center
      label.numberOfLines = 0
      label.adjustsFontForContentSizeCategory = true
    }
    time.font = .preferredFont(forTextStyle: .footnote)
    words.font = .preferredFont(forTextStyle: .headline)
    retry.setWords(.headline)
    board.clipsToBounds = true
    board.isHidden = true
    board.addSubview(boardImage)
    slider.minimumTrackTintColor = .white
    slider.accessibilityLabel = String(localized: "Position")
    for view in [sign, spinner, words, retry, board, time, slider, sound, captions, pictureInPicture] {
      addSubview(view)
    }
  }

  private func watchSlider() {
    slider.addAction(UIAction { [model] _ in model.scrubBegan() }, for: .touchDown)
    slider.addAction(
      UIAction { [weak self, model] _ in
        guard let self else { return }
        // By VoiceOver it changes without a finger on it.
        let isTouched = model.scrubber.isHeld
        if !isTouched { model.scrubBegan() }
        model.scrubMoved(toShare: Double(slider.value))
        if !isTouched { model.scrubEnded() }
      }, for: .valueChanged)
    let end = UIAction { [model] _ in model.scrubEnded() }
    for event in [UIControl.Event.touchUpInside, .touchUpOutside, .touchCancel] {
      slider.addAction(end, for: event)
    }
  }

  // MARK: What the model says

  func updateSigns() {
    let isHeard = !model.state.isMuted
    sound.show(
      isOn: isHeard, count: 0,
      name: isHeard ? String(localized: "Sound off") : String(localized: "Sound on"))
    let clip = model.currentClip
    captions.isHidden = clip?.playback.captions?.isEmpty ?? true
    captions.show(
      isOn: clip.map { model.captions(of: $0) != nil } ?? false, count: 0,
      name: String(localized: "Captions"))
    pictureInPicture.isHidden = model.window == .impossible
    pictureInPicture.show(
      isOn: model.window == .open, count: 0,
      name: model.window == .open
        ? String(localized: "End picture in picture") : String(localized: "Picture in picture"))
    let shown = model.sign
    words.text = text(of: shown)
    words.isHidden = words.text == nil
    retry.isHidden = shown != .trouble && model.wayOut == nil
    retry.setTitle(
      model.wayOut == nil ? String(localized: "Try again") : String(localized: "See For you"), for: .normal)
    sign.image = UIImage(systemName: "play.fill")
    sign.isHidden = shown != .paused
    let spins = shown == .buffering || shown == .opening || model.state.isWaiting
    spinner.isHidden = !spins
    if spins { spinner.startAnimating() } else { spinner.stopAnimating() }
    slider.isHidden = model.state.current == nil
    time.isHidden = !model.scrubber.isHeld
    setNeedsLayout()
  }

  private func text(of sign: FeedState.Sign) -> String? {
    switch sign {
    case .trouble: model.trouble.words
    case .empty: model.emptyWords.map(\.words).joined(separator: "\n\n")
    case .none, .paused: model.state.isAtEnd ? String(localized: "You have seen everything.") : nil
    case .opening, .buffering: nil
    }
  }

  func updateScrubber() {
    let scrubber = model.scrubber
    if !scrubber.isHeld { slider.value = Float(scrubber.share) }
    slider.accessibilityValue = scrubber.text
    time.text = scrubber.text
    time.isHidden = !scrubber.isHeld
    showBoard(at: scrubber.isHeld ? scrubber.position : nil)
    if scrubber.isHeld { setNeedsLayout() }
  }

  /// The storyboard's picture of the place where the finger is; fetched when somebody scrubs, and not before.
  private func showBoard(at place: Milliseconds?) {
    guard let place, let storyboard = model.currentClip?.playback.storyboard, let size = storyboard.size,
      let tile = storyboard.tile(atMilliseconds: place.rawValue)
    else {
      board.isHidden = true
      return
    }
    if boardURL != storyboard.url {
      boardURL = storyboard.url
      boardImage.image = nil
      model.pictures.picture(storyboard.url, isKept: false) { [weak self] data in
        if self?.boardURL == storyboard.url { self?.boardImage.image = UIImage(data: data) }
      }
    }
    board.isHidden = boardImage.image == nil
    let scale = 120 / Double(max(tile.width, tile.height))
    board.bounds = CGRect(
      x: 0, y: 0, width: Double(tile.width) * scale, height: Double(tile.height) * scale)
    boardImage.frame = CGRect(
      x: -Double(tile.x) * scale, y: -Double(tile.y) * scale, width: Double(size.width) * scale,
      height: Double(size.height) * scale)
  }

  // MARK: Where it lies

  /// What is not of a control is the clip's.
  override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
    let view = super.hitTest(point, with: event)
    return view === self || view === board ? nil : view
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    let (width, height) = (Double(bounds.width), Double(bounds.height))
    let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
    func place(_ view: UIView, _ x: Double, _ y: Double, _ w: Double, _ h: Double) {
      view.frame = CGRect(x: isMirrored ? width - x - w : x, y: y, width: w, height: h)
    }
    let right = width - Double(safeAreaInsets.right) - 8
    let top = Double(safeAreaInsets.top) + 4 + topInset
    // What is not there leaves no gap.
    var y = top
    for button in [sound, pictureInPicture, captions] where !button.isHidden {
      place(button, right - 52, y, 52, 52)
      y += 56
    }
    let line = height - max(bottomInset, Double(safeAreaInsets.bottom)) - 36
    let left = Double(safeAreaInsets.left) + 16
    place(slider, left, line, right - left - 8, 44)
    let timeSize = time.sizeThatFits(CGSize(width: width, height: 60))
    time.center = CGPoint(x: width / 2, y: line - 24)
    time.bounds = CGRect(x: 0, y: 0, width: timeSize.width + 8, height: timeSize.height)
    board.center = CGPoint(x: width / 2, y: line - 48 - Double(board.bounds.height) / 2)
    spinner.center = CGPoint(x: width / 2, y: height / 2)
    place(sign, width / 2 - 36, height / 2 - 36, 72, 72)
    let room = min(width - 64, 420)
    let size = words.sizeThatFits(CGSize(width: room, height: height))
    let isAtEnd = model.sign == .none || model.sign == .paused
    let wordsTop = isAtEnd ? top + 60 : height / 2 - Double(size.height) - 8
    place(words, (width - room) / 2, wordsTop, room, Double(size.height))
    let retrySize = retry.wordsSize(within: room)
    place(retry, (width - retrySize.width) / 2, height / 2 + 8, retrySize.width, retrySize.height)
  }
}
