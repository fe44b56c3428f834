internal import AppModel
internal import CoreGraphics
internal import CoreImage
internal import CoreVideo
internal import Foundation
internal import Metal

/// Turns, scales and colours pictures with Core Image, for the finder, the review and the finished video
/// alike.
///
/// It works without colour management, on the numbers as cameras and screens encode them: that is what the
/// core's looks are made for, and what a browser does with them. A CIContext may be used on any thread.
final class LookPainter: @unchecked Sendable {
  let context: CIContext

  init(_ device: (any MTLDevice)? = MTLCreateSystemDefaultDevice()) {
    let options: [CIContextOption: Any] = [
      .workingColorSpace: NSNull(), .outputColorSpace: NSNull(), .cacheIntermediates: false,
    ]
    context = device.map { CIContext(mtlDevice: $0, options: options) } ?? CIContext(options: options)
  }

  /// The picture turned and through the look, in the middle of a rectangle of this size: it fills it, or is
  /// seen whole on black.
  func image(
    _ buffer: CVPixelBuffer, _ turn: PictureTurn, size: CGSize, fills: Bool, through cube: LookCube?
  ) -> CIImage {
    let turned = CIImage(cvPixelBuffer: buffer).oriented(forExifOrientation: turn.exif)
    let from = turned.extent
    let bounds = CGRect(x: 0, y: 0, width: size.width, height: size.height)
    guard from.width > 0, from.height > 0 else { return CIImage(color: .black).cropped(to: bounds) }
    let across = size.width / from.width
    let along = size.height / from.height
    let scale = fills ? max(across, along) : min(across, along)
    let placed = turned.transformed(
      by: CGAffineTransform(
        a: scale, b: 0, c: 0, d: scale, tx: (size.width - from.width * scale) / 2 - from.minX * scale,
        ty: (size.height - from.height * scale) / 2 - from.minY * scale)
    ).cropped(to: bounds)
    let coloured = cube.map { placed.through($0) } ?? placed
    // NB: a buffer of a pool still has the picture of before where nothing is drawn.
    return fills ? coloured : coloured.composited(over: CIImage(color: .black).cropped(to: bounds))
  }

  func draw(_ image: CIImage, into buffer: CVPixelBuffer, size: CGSize) {
    context.render(
      image, to: buffer, bounds: CGRect(x: 0, y: 0, width: size.width, height: size.height), colorSpace: nil)
  }

  func jpeg(_ image: CIImage) -> Data {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB) else { return Data() }
    return context.jpegRepresentation(of: image, colorSpace: space, options: [:]) ?? Data()
  }
}

extension CIImage {
  fileprivate func through(_ cube: LookCube) -> CIImage {
    applyingFilter(
      "CIColorCube", parameters: ["inputCubeDimension": LookCube.edge, "inputCubeData": cube.floats])
  }
}
