internal import AVFoundation
public import Foundation
public import UIKit

/// Shows one player, and a poster over it until the clip's first frame is on its layer.
@MainActor public final class PlayerView: UIView {
  private let poster = UIImageView(frame: .zero)

  init(_ player: AVPlayer) {
    super.init(frame: .zero)
    // What lies below shows through until there is a picture.
    backgroundColor = .clear
    clipsToBounds = true
    show(player)
    playerLayer.videoGravity = .resizeAspect
    poster.contentMode = .scaleAspectFit
    poster.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    addSubview(poster)
  }

  public required init?(coder: NSCoder) { nil }

  public override class var layerClass: AnyClass { AVPlayerLayer.self }

  var playerLayer: AVPlayerLayer { layer as! AVPlayerLayer }

  func show(_ player: AVPlayer) { playerLayer.player = player }

  /// The clip's exact first frame or its placeholder, set when a clip is attached: nothing of the clip before
  /// is seen. Without one the ground stays black.
  public func setPoster(_ image: UIImage?) { poster.image = image }

  /// Whether the whole clip is to be seen, or the view is to be filled.
  public func setFills(_ fills: Bool) {
    playerLayer.videoGravity = fills ? .resizeAspectFill : .resizeAspect
    poster.contentMode = fills ? .scaleAspectFill : .scaleAspectFit
  }

  func showPoster() { poster.isHidden = false }

  /// The layer has the frame: nothing else lies over it.
  func showPicture() { poster.isHidden = true }
}
