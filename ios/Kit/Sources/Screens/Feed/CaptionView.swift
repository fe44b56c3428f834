internal import AppModel
internal import Foundation
internal import UIKit

/// A clip's caption, in which tags are links: where they stand a finger is for them, everywhere else it is
/// for the clip.
///
/// It is the system's text view, so VoiceOver's rotor, Full Keyboard Access and the pointer find the links.
final class CaptionView: UITextView {
  /// So far around a link a finger still means it; a line is 20 points high.
  private static let reach = 12.0

  private var caption = CaptionText("")
  private var links: [CaptionText.Link] = []
  private var address: ((String) -> URL?)?
  var onTag: ((String) -> Void)?

  /// `address`: of a tag's page.
  convenience init(address: @escaping (String) -> URL?) {
    self.init(frame: .zero, textContainer: nil)
    self.address = address
    isEditable = false
    isSelectable = true
    isScrollEnabled = false
    backgroundColor = .clear
    textContainerInset = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
    textContainer.lineFragmentPadding = 0
    textContainer.lineBreakMode = .byTruncatingTail
    adjustsFontForContentSizeCategory = true
    // What tells links from the rest is their weight: they are as white as everything over a video.
    linkTextAttributes = [.foregroundColor: UIColor.white]
    self.delegate = self
  }

  override init(frame: CGRect, textContainer: NSTextContainer?) {
    super.init(frame: frame, textContainer: textContainer)
  }

  required init?(coder: NSCoder) { nil }

  /// Nothing is selected in it, and no menu of the keyboard's comes up.
  override var canBecomeFirstResponder: Bool { false }

  /// 0: as many as there are.
  var lines: Int {
    get { textContainer.maximumNumberOfLines }
    set {
      if newValue != textContainer.maximumNumberOfLines { textContainer.maximumNumberOfLines = newValue }
    }
  }

  /// There is more of it than room: then the whole of it takes fingers.
  func scrolls(_ scrolls: Bool) {
    if scrolls != isScrollEnabled { isScrollEnabled = scrolls }
  }

  func show(_ caption: CaptionText) {
    guard caption != self.caption else { return }
    self.caption = caption
    links = caption.links
    let metrics = UIFontMetrics(forTextStyle: .subheadline)
    let strong = metrics.scaledFont(for: .systemFont(ofSize: 15, weight: .semibold))
    let text = NSMutableAttributedString(
      string: caption.text,
      attributes: [
        .font: UIFont.preferredFont(forTextStyle: .subheadline), .foregroundColor: UIColor.white,
      ])
    for link in links {
      let range = NSRange(location: link.range.lowerBound, length: link.range.count)
      text.addAttribute(.font, value: strong, range: range)
      if let page = address?(link.tag) { text.addAttribute(.link, value: page, range: range) }
    }
    attributedText = text
    textAlignment = .natural
  }

  /// The tag at a point of this view.
  func tag(at point: CGPoint) -> String? {
    guard let range = characterRange(at: point) else { return nil }
    let place = offset(from: beginningOfDocument, to: range.start)
    // Of a point beside the text the nearest character is answered.
    let letter = firstRect(for: range).insetBy(dx: -Self.reach, dy: -Self.reach)
    return letter.contains(point) ? links.first { $0.range.contains(place) }?.tag : nil
  }

  override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
    // VoiceOver finds by touch what is to be read aloud, and that is all of it.
    super.point(inside: point, with: event)
      && (UIAccessibility.isVoiceOverRunning || isScrollEnabled || tag(at: point) != nil)
  }
}

extension CaptionView: UITextViewDelegate {
  func textView(
    _ textView: UITextView, primaryActionFor textItem: UITextItem, defaultAction: UIAction
  ) -> UIAction? {
    let place = textItem.range.location
    guard let tag = links.first(where: { $0.range.contains(place) })?.tag else { return nil }
    return UIAction { [weak self] _ in self?.onTag?(tag) }
  }

  /// A long press is the clip's menu, here too.
  func textView(
    _ textView: UITextView, menuConfigurationFor textItem: UITextItem, defaultMenu: UIMenu
  ) -> UITextItem.MenuConfiguration? { nil }
}
