internal import CoreGraphics
internal import CoreImage
public import Foundation

/// A picture of the photo library as it is sent, upright and no larger than it is shown anywhere: to be
/// somebody's face the square in its middle, to begin a clip all of it.
///
/// NB: what the file says of place and device may come along; the server keeps none of it.
public enum PortraitFile {
  /// Pixels of a side.
  private static let side = 1024.0

  /// Of the longer side of a whole one.
  private static let longest = 2048.0

  /// `nil`: it is no picture that this system reads.
  public static func jpeg(of file: Data) async -> Data? {
    made(of: file) { whole in
      let shorter = min(whole.width, whole.height)
      let square = CGRect(
        x: whole.midX - shorter / 2, y: whole.midY - shorter / 2, width: shorter, height: shorter)
      return (square, side / shorter)
    }
  }

  /// The same of all of it.
  public static func whole(of file: Data) async -> Data? {
    made(of: file) { whole in (whole, longest / max(whole.width, whole.height)) }
  }

  /// `part`: which part of an extent, and by how much it is made smaller, if it is.
  private static func made(of file: Data, _ part: (CGRect) -> (CGRect, Double)) -> Data? {
    guard let picture = CIImage(data: file, options: [.applyOrientationProperty: true]),
      let space = CGColorSpace(name: CGColorSpace.sRGB)
    else { return nil }
    let whole = picture.extent
    guard min(whole.width, whole.height) >= 1 else { return nil }
    let (area, wanted) = part(whole)
    let scale = min(1, wanted)
    let made = picture.cropped(to: area).transformed(
      by: CGAffineTransform.identity.scaledBy(x: scale, y: scale))
    return CIContext(options: nil).jpegRepresentation(of: made, colorSpace: space, options: [:])
  }
}
