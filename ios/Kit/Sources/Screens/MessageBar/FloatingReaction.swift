internal import AppModel
internal import Contract
internal import CoreGraphics
internal import Foundation
internal import UIKit

/// The picture of a reaction on its way up over the clip.
enum FloatingReaction {
  private static let side = 40.0

  @MainActor static func rise(_ reaction: Reaction, from place: CGPoint, in view: UIView) {
    let flight = ReactionFlight(
      sway: Double.random(in: -1...1), reducesMotion: UIAccessibility.isReduceMotionEnabled)
    guard let first = flight.moments.first else { return }
    let picture = ReactionPicture(reaction, side: side)
    picture.center = place
    set(picture, first)
    view.addSubview(picture)
    UIView.animateKeyframes(withDuration: flight.duration, delay: 0, options: []) {
      for (from, to) in zip(flight.moments, flight.moments.dropFirst()) {
        UIView.addKeyframe(withRelativeStartTime: from.time, relativeDuration: to.time - from.time) {
          set(picture, to)
        }
      }
    } completion: { _ in
      picture.removeFromSuperview()
    }
  }

  @MainActor private static func set(_ picture: UIView, _ moment: ReactionFlight.Moment) {
    picture.alpha = moment.alpha
    picture.transform = CGAffineTransform(translationX: moment.x, y: moment.y)
      .scaledBy(x: moment.scale, y: moment.scale)
  }
}
