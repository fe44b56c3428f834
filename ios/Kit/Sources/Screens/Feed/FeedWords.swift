internal import Foundation
internal import UIKit

/// Lays a view out anew when the person reads larger or smaller text.
final class TextSizeObservation: @unchecked Sendable {
  private let token: any NSObjectProtocol

  @MainActor init(_ view: UIView) {
    token = NotificationCenter.default.addObserver(
      forName: UIContentSizeCategory.didChangeNotification, object: nil, queue: .main
    ) { [weak view] _ in
      MainActor.assumeIsolated { view?.setNeedsLayout() }
    }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}

/// Buttons of words over the clip: white, and as large as the person reads.
extension UIButton {
  func setWords(_ style: UIFont.TextStyle) {
    setTitleColor(.white, for: .normal)
    titleLabel?.font = .preferredFont(forTextStyle: style)
    titleLabel?.adjustsFontForContentSizeCategory = true
    titleLabel?.numberOfLines = 0
    titleLabel?.textAlignment = .center
  }

  /// In points, 44 each at least. NB: the button's own answer is that of one line.
  func wordsSize(within width: Double) -> (width: Double, height: Double) {
    let size = titleLabel?.sizeThatFits(CGSize(width: width, height: 10_000)) ?? .zero
    return (min(max(Double(size.width) + 8, 44), max(width, 44)), max(Double(size.height) + 16, 44))
  }
}
