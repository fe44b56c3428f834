internal import AVFoundation
public import CoreGraphics
internal import CoreMedia
internal import CoreTypes
internal import Foundation
public import Transfer

/// Pictures of a video on this device, for a strip to choose from.
public enum VideoPictures {
  /// The picture of that moment or near it, upright, at most so many pixels wide and high. `nil`: there is
  /// none.
  public static func picture(of moment: VideoMoment, atMost side: Double) async -> CGImage? {
    let generator = AVAssetImageGenerator(asset: AVURLAsset(url: moment.file, options: nil))
    generator.appliesPreferredTrackTransform = true
    generator.maximumSize = CGSize(width: side, height: side)
    return try? await generator.image(at: CMTime(moment.time)).image
  }
}
