internal import AVFoundation
internal import AppModel
internal import CoreMedia
internal import CoreVideo
internal import Foundation

/// What is done with the frames of one part of a plan.
final class PlanInstruction: NSObject, AVVideoCompositionInstructionProtocol, @unchecked Sendable {
  let timeRange: CMTimeRange
  let enablePostProcessing = false
  let containsTweening = true
  let requiredSourceTrackIDs: [NSValue]?
  let passthroughTrackID = kCMPersistentTrackID_Invalid
  let track: CMPersistentTrackID
  let turn: PictureTurn
  let fills: Bool
  let cube: LookCube?

  init(_ range: CMTimeRange, track: CMPersistentTrackID, turn: PictureTurn, fills: Bool, cube: LookCube?) {
    timeRange = range
    requiredSourceTrackIDs = [NSNumber(value: track)]
    self.track = track
    self.turn = turn
    self.fills = fills
    self.cube = cube
    super.init()
  }
}

/// Draws each frame of a composition through its part's look. AVFoundation makes it, and hands it frames that
/// it has brought to standard range and the colours of HDTV, whatever a phone filmed in.
final class LookCompositor: NSObject, AVVideoCompositing {
  private let painter = LookPainter()

  var sourcePixelBufferAttributes: [String: any Sendable]? {
    [
      kCVPixelBufferPixelFormatTypeKey as String: [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      ],
      kCVPixelBufferMetalCompatibilityKey as String: true,
    ]
  }

  var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
    [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
      kCVPixelBufferMetalCompatibilityKey as String: true,
    ]
  }

  func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

  func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
    guard let instruction = request.videoCompositionInstruction as? PlanInstruction,
      let frame = request.sourceFrame(byTrackID: instruction.track),
      let buffer = request.renderContext.newPixelBuffer()
    else { return request.finish(with: VideoTrouble.failed) }
    let size = request.renderContext.size
    let image = painter.image(
      frame, instruction.turn, size: size, fills: instruction.fills, through: instruction.cube)
    painter.draw(image, into: buffer, size: size)
    request.finish(withComposedVideoFrame: buffer)
  }
}
