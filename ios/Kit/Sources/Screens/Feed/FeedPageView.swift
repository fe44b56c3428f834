internal import AppModel
internal import Contract
internal import CoreGraphics
internal import CoreTypes
internal import Foundation
internal import PlayerKit
internal import UIKit

/// A page of the feed: what the clip looks like before it plays, the player while it is there, and what is
/// said and done beside it.
final class FeedPageView: UIView {
  let item: ItemID
  private let placeholder = UIImageView(frame: .zero)
  private let poster = UIImageView(frame: .zero)
  private var player: PlayerView?
  private let author = UILabel(frame: .zero)
  /// Over the name, as high as a finger needs.
  private let profile: UIButton
  private let caption: CaptionView
  /// That AI made it; above the caption.
  private let origin = UILabel(frame: .zero)
  private let follow: UIButton
  private let more: UIButton
  /// Below the caption: to the other clips that have the sound.
  private let sound: UIButton
  private let like: FeedButton
  private let comments: FeedButton
  private let bookmark: FeedButton
  private let share: FeedButton
  private let dots: FeedButton
  private var isOpen = false
  /// Of the clip, each once; VoiceOver has an action for each.
  private(set) var tags: [String] = []
  /// What is said of the clip is another now.
  var onSpoken: (() -> Void)?
  private let model: FeedModel
  private var textSize: TextSizeObservation?
  /// The place that the message bar and the line take at the lower edge.
  var bottomInset = 0.0 { didSet { setNeedsLayout() } }

  init(_ item: ItemID, _ model: FeedModel, onShare: @escaping () -> Void, onMenu: @escaping () -> Void) {
    self.item = item
    self.model = model
    caption = CaptionView { model.page(ofTag: $0) }
    profile = UIButton(frame: .zero, primaryAction: UIAction { _ in model.openAuthor() })
    follow = UIButton(frame: .zero, primaryAction: UIAction { _ in model.turn(.follow) })
    sound = UIButton(frame: .zero, primaryAction: UIAction { _ in model.openSound() })
    like = FeedButton("heart", "heart.fill") { model.turn(.like) }
    comments = FeedButton("bubble.right", nil) { model.openComments() }
    bookmark = FeedButton("bookmark", "bookmark.fill") { model.turn(.bookmark) }
    share = FeedButton("arrowshape.turn.up.forward", nil, onShare)
    dots = FeedButton("ellipsis", nil, onMenu)
    var toggle: (() -> Void)?
    more = UIButton(frame: .zero, primaryAction: UIAction { _ in toggle?() })
    super.init(frame: .zero)
    toggle = { [weak self] in self?.toggleCaption() }
    clipsToBounds = true
    backgroundColor = .black
    build()
    textSize = TextSizeObservation(self)
    showPlaceholder()
    update()
  }

  required init?(coder: NSCoder) { nil }

  private func build() {
    for view in [placeholder, poster] {
      view.contentMode = model.fills(item) ? .scaleAspectFill : .scaleAspectFit
      addSubview(view)
    }
    placeholder.contentMode = .scaleToFill
    author.font = .preferredFont(forTextStyle: .headline)
    author.textColor = .white
    author.adjustsFontForContentSizeCategory = true
    author.textAlignment = .natural
    caption.onTag = { [model] in model.onTag?($0) }
    origin.font = .preferredFont(forTextStyle: .footnote)
    origin.textColor = .white
    origin.adjustsFontForContentSizeCategory = true
    origin.textAlignment = .natural
    origin.text = String(localized: "Made by AI")
    for text in [author, profile, origin, caption] { addSubview(text) }
    for button in [follow, more, sound] {
      button.setWords(.subheadline)
      addSubview(button)
    }
    more.setTitle(String(localized: "more"), for: .normal)
    let style = UIImage.SymbolConfiguration(textStyle: .subheadline)
    sound.setPreferredSymbolConfiguration(style, forImageIn: .normal)
    sound.setImage(UIImage(systemName: "music.note"), for: .normal)
    // NB: the button leaves no room between its picture and its word.
    sound.setTitle("\u{A0}" + String(localized: "Sound"), for: .normal)
    sound.tintColor = .white
    sound.accessibilityLabel = String(localized: "Clips with this sound")
    sound.accessibilityHint = String(localized: "Opens in the browser.")
    for button in [like, comments, bookmark, share, dots] { addSubview(button) }
    comments.accessibilityLabel = String(localized: "Comments")
    share.accessibilityLabel = String(localized: "Share")
    dots.accessibilityLabel = String(localized: "More")
  }

  // MARK: Pictures

  private func showPlaceholder() {
    if let clip = model.clip(of: item), let hash = ThumbHash(base64: clip.poster.placeholder) {
      placeholder.image = UIImage(data: hash.bitmapFile)
    }
    showPoster()
  }

  /// Where this device has it: that of the last visit is there with the first frame of the app.
  func showPoster() {
    guard let clip = model.clip(of: item), let data = model.pictures.picture(clip.poster.url) else { return }
    poster.image = UIImage(data: data)
    player?.setPoster(cover)
  }

  /// Lies over the player until that has a picture.
  private var cover: UIImage? { poster.image ?? placeholder.image }

  /// The player at which the clip is attached, over the poster and under everything else.
  func attach(_ view: PlayerView) {
    player = view
    view.setFills(model.fills(item))
    view.setPoster(cover)
    view.isUserInteractionEnabled = false
    insertSubview(view, at: 2)
    setNeedsLayout()
  }

  func detach(_ view: PlayerView) {
    guard player === view else { return }
    view.removeFromSuperview()
    player = nil
  }

  // MARK: What is said of the clip

  func update() {
    guard let standing = model.standing(of: item) else { return }
    let handle = standing.handle.isEmpty ? "" : "  @\(standing.handle)"
    author.text = standing.name + handle
    profile.accessibilityLabel = author.text
    profile.isHidden = !standing.hasProfile
    author.isAccessibilityElement = !standing.hasProfile
    origin.isHidden = !standing.isMadeByAI
    caption.show(standing.caption)
    caption.lines = isOpen ? 0 : 3
    sound.isHidden = standing.soundID == nil
    tags = standing.caption.tags
    onSpoken?()
    follow.isHidden = !standing.canFollow
    let word = standing.isFollowing ? String(localized: "Following") : String(localized: "Follow")
    follow.setTitle(word, for: .normal)
    like.show(
      isOn: standing.isLiked, count: standing.counts.likes,
      name: standing.isLiked ? String(localized: "Unlike") : String(localized: "Like"))
    comments.show(isOn: false, count: standing.counts.comments, name: String(localized: "Comments"))
    bookmark.show(
      isOn: standing.isBookmarked, count: 0,
      name: standing.isBookmarked
        ? String(localized: "Remove from bookmarks") : String(localized: "Save to bookmarks"))
    share.show(isOn: false, count: standing.counts.shares, name: String(localized: "Share"))
    setNeedsLayout()
  }

  /// Whether a touch there is for a tag, and not for the clip.
  func isTag(at point: CGPoint, in view: UIView) -> Bool {
    caption.tag(at: caption.convert(point, from: view)) != nil
  }

  private func toggleCaption() {
    isOpen.toggle()
    more.setTitle(isOpen ? String(localized: "less") : String(localized: "more"), for: .normal)
    update()
  }

  // MARK: Where it lies

  override func layoutSubviews() {
    super.layoutSubviews()
    for view in [placeholder, poster] { view.frame = bounds }
    player?.frame = bounds
    let isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
    let (width, height) = (Double(bounds.width), Double(bounds.height))
    let (left, right) = (Double(safeAreaInsets.left) + 16, width - Double(safeAreaInsets.right) - 8)
    let bottom = height - max(bottomInset, Double(safeAreaInsets.bottom)) - 12
    func place(_ view: UIView, _ x: Double, _ y: Double, _ w: Double, _ h: Double) {
      view.frame = CGRect(x: isMirrored ? width - x - w : x, y: y, width: w, height: h)
    }
    var y = bottom
    for button in [dots, share, bookmark, comments, like] {
      y -= 56 + button.overhang
      place(button, right - 52, y, 52, 52)
    }
    // Lines of text longer than this are hard to read; on an iPad it stays a column.
    let room = min(right - left - 72, 520)
    y = bottom
    var most = isOpen ? height * 0.4 : 10_000
    if !sound.isHidden {
      let link = sound.sizeThatFits(CGSize(width: room, height: 10_000))
      let row = max(44, Double(link.height))
      y -= row
      place(sound, left, y, min(max(Double(link.width), 44), room), row)
      // Or name and Follow would leave the page at its upper edge.
      most = max(most - row, 44)
    }
    let text = caption.sizeThatFits(CGSize(width: room, height: 10_000))
    let whole = isOpen ? text.height : wholeHeight(room)
    more.isHidden = !isOpen && whole <= text.height + 1
    if !more.isHidden {
      y -= 44
      place(more, left, y, more.wordsSize(within: room).width, 44)
    }
    let shown = min(Double(text.height), most)
    caption.scrolls(isOpen && Double(text.height) > most)
    y -= shown
    place(caption, left, y, room, shown)
    if !origin.isHidden {
      let label = origin.sizeThatFits(CGSize(width: room, height: 10_000))
      y -= Double(label.height) + 2
      place(origin, left, y, min(Double(label.width), room), Double(label.height))
    }
    let name = author.sizeThatFits(CGSize(width: room, height: 10_000))
    // As high as a finger needs, and as the largest text.
    let row = max(44, Double(name.height))
    let button = follow.isHidden ? 0 : follow.wordsSize(within: room / 2).width + 12
    y -= row
    let nameWidth = min(Double(name.width), room - button)
    for view in [author, profile] { place(view, left, y, nameWidth, row) }
    place(follow, left + nameWidth + 12, y, max(button, 44), row)
  }

  private func wholeHeight(_ width: Double) -> CGFloat {
    caption.lines = 0
    defer { caption.lines = 3 }
    return caption.sizeThatFits(CGSize(width: width, height: 10_000)).height
  }

  /// What VoiceOver says of the page, before its parts.
  var spoken: String {
    [author.text, origin.isHidden ? nil : origin.text, caption.text].compactMap { $0 }.joined(separator: ". ")
  }
}
