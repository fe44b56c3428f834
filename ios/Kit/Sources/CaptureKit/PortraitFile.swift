internal import CoreGraphics
internal import CoreImage
public import Foundation

/// A picture of the photo library as it is sent to be somebody's face: the square in its middle, upright, no
/// larger than it is shown anywhere.
///
/// NB: what the file says of place and device may come along; the server keeps none of it.
public enum PortraitFile {
  /// Pixels of a side.
  private static let side = 1024.0

  /// `nil`: it is no picture that this system reads.
  public static func jpeg(of file: Data) async -> Data? {
    guard let picture = CIImage(data: file, options: [.applyOrientationProperty: true]),
      let space = CGColorSpace(name: CGColorSpace.sRGB)
    else { return nil }
    let whole = picture.extent
    let shorter = min(whole.width, whole.height)
    guard shorter >= 1 else { return nil }
    let square = CGRect(
      x: whole.midX - shorter / 2, y: whole.midY - shorter / 2, width: shorter, height: shorter)
    let scale = min(1, side / shorter)
    let made = picture.cropped(to: square).transformed(
      by: CGAffineTransform.identity.scaledBy(x: scale, y: scale))
    return CIContext(options: nil).jpegRepresentation(of: made, colorSpace: space, options: [:])
  }
}
