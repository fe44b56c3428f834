internal import Foundation
internal import UIKit

/// The heart that a double tap leaves; where things are to rest it only fades.
@MainActor enum HeartView {
  static func show(over view: UIView, x: Double, y: Double, isCalm: Bool) {
    let heart = UIImageView(frame: CGRect(x: x - 48, y: y - 48, width: 96, height: 96))
    heart.image = UIImage(systemName: "heart.fill")
    heart.tintColor = .white
    heart.contentMode = .scaleAspectFit
    heart.isUserInteractionEnabled = false
    view.addSubview(heart)
    if !isCalm { heart.transform = CGAffineTransform(scaleX: 0.2, y: 0.2) }
    UIView.animateKeyframes(
      withDuration: isCalm ? 0.6 : 0.9, delay: 0,
      animations: {
        if !isCalm {
          UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.2) {
            heart.transform = CGAffineTransform(scaleX: 1.2, y: 1.2)
          }
          UIView.addKeyframe(withRelativeStartTime: 0.2, relativeDuration: 0.15) {
            heart.transform = .identity
          }
        }
        UIView.addKeyframe(withRelativeStartTime: 0.6, relativeDuration: 0.4) { heart.alpha = 0 }
      }, completion: { _ in heart.removeFromSuperview() })
  }
}
