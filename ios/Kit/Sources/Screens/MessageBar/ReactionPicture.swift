internal import AppModel
internal import Contract
internal import CoreGraphics
internal import Foundation
internal import QuartzCore
internal import UIKit

/// A reaction's picture, as sharp at any size.
final class ReactionPicture: UIView {
  private let reaction: Reaction
  private let side: Double

  init(_ reaction: Reaction, side: Double) {
    self.reaction = reaction
    self.side = side
    super.init(frame: CGRect(x: 0, y: 0, width: side, height: side))
    isUserInteractionEnabled = false
    draw()
  }

  required init?(coder: NSCoder) { nil }

  private func draw() {
    guard let art = ReactionArt(reaction) else { return }
    let factor = side / ReactionArt.side
    for shape in art.shapes {
      let layer = CAShapeLayer()
      layer.path = Self.path(shape, factor).cgPath
      layer.fillColor = shape.fill.map { UIColor(rgb: $0, alpha: shape.fillAlpha).cgColor }
      layer.strokeColor = shape.stroke.map { UIColor(rgb: $0, alpha: 1).cgColor }
      layer.lineWidth = shape.lineWidth * factor * (shape.placing?.scale ?? 1)
      layer.lineCap = .round
      layer.lineJoin = .round
      self.layer.addSublayer(layer)
    }
  }

  private static func path(_ shape: ReactionArt.Shape, _ factor: Double) -> UIBezierPath {
    let radians = (shape.placing?.degrees ?? 0) * .pi / 180
    return UIBezierPath(shape.path, factor) { point in
      shape.placing?.place(point, sine: sin(radians), cosine: cos(radians)) ?? point
    }
  }
}

extension UIBezierPath {
  convenience init(
    _ path: VectorPath, _ factor: Double,
    place: (VectorPath.Point) -> VectorPath.Point = { $0 }
  ) {
    self.init()
    func point(_ point: VectorPath.Point) -> CGPoint {
      let placed = place(point)
      return CGPoint(x: placed.x * factor, y: placed.y * factor)
    }
    for element in path.elements {
      switch element {
      case .move(let end): move(to: point(end))
      case .line(let end): addLine(to: point(end))
      case .curve(let one, let two, let end):
        addCurve(to: point(end), controlPoint1: point(one), controlPoint2: point(two))
      case .close: close()
      }
    }
  }
}

extension UIColor {
  /// 0xRRGGBB.
  convenience init(rgb: Int, alpha: Double) {
    self.init(
      red: Double(rgb >> 16 & 255) / 255, green: Double(rgb >> 8 & 255) / 255, blue: Double(rgb & 255) / 255,
      alpha: alpha)
  }
}
