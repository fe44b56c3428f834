internal import Foundation
internal import UIKit

/// A symbol with a count under it, white over whatever plays, and 44 points at least.
final class FeedButton: UIButton {
  private var symbol = ""
  private var filled: String?
  private let count = UILabel(frame: .zero)

  /// `filled`: the symbol while the thing is on; `nil` for what is never on.
  convenience init(_ symbol: String, _ filled: String?, _ act: @escaping () -> Void) {
    self.init(frame: .zero, primaryAction: UIAction { _ in act() })
    self.symbol = symbol
    self.filled = filled
    tintColor = .white
    count.textColor = .white
    count.textAlignment = .center
    count.font = .preferredFont(forTextStyle: .caption2)
    count.adjustsFontForContentSizeCategory = true
    count.isUserInteractionEnabled = false
    addSubview(count)
    show(isOn: false, count: 0, name: "")
  }

  /// Nothing is no number to look at; whoever hears it is told.
  func show(isOn: Bool, count number: Int, name: String) {
    setImage(UIImage(systemName: isOn ? filled ?? symbol : symbol), for: .normal)
    let text = number.formatted(.number.notation(.compactName))
    count.text = number > 0 ? text : nil
    if !name.isEmpty { accessibilityLabel = name }
    accessibilityValue = number > 0 ? text : nil
  }

  /// What a count in large text takes below the button, beyond the room that every button has there.
  var overhang: Double { count.text == nil ? 0 : max(0, Double(count.font.lineHeight).rounded(.up) - 16) }

  override func layoutSubviews() {
    super.layoutSubviews()
    let height = 16 + overhang
    count.frame = CGRect(x: -6, y: bounds.height - 14, width: bounds.width + 12, height: height)
  }
}
