internal import AppModel
internal import CoreGraphics
internal import CoreImage
internal import CoreVideo
public import Foundation
internal import Metal
internal import QuartzCore
public import UIKit

/// The live picture, as tall and wide as its place: it fills it. For people only; what is recorded has no
/// look.
@MainActor public final class FinderView: UIView {
  let painter: FinderPainter

  init() {
    let device = MTLCreateSystemDefaultDevice()
    let layer = CAMetalLayer()
    painter = FinderPainter(layer, device)
    super.init(frame: .zero)
    backgroundColor = .black
    isUserInteractionEnabled = false
    self.layer.addSublayer(layer)
  }

  public required init?(coder: NSCoder) { nil }

  public override func layoutSubviews() {
    super.layoutSubviews()
    painter.resize(to: bounds, scale: contentScaleFactor)
  }
}

/// Draws frames into a layer, on the camera's queue. One at a time: a frame that comes while the one before
/// is being drawn is not shown.
final class FinderPainter: @unchecked Sendable {
  private struct State {
    var size = CGSize.zero
    var cube: LookCube?
    var isDrawing = false
    var latest: (buffer: CVPixelBuffer, turn: PictureTurn)?
  }

  let layer: CAMetalLayer
  private let commands: (any MTLCommandQueue)?
  private let painter: LookPainter
  private let lock = NSLock()
  private var state = State()

  init(_ layer: CAMetalLayer, _ device: (any MTLDevice)?) {
    self.layer = layer
    painter = LookPainter(device)
    commands = device?.makeCommandQueue()
    layer.device = device
    layer.pixelFormat = .bgra8Unorm
    // Core Image writes into it as into any texture.
    layer.framebufferOnly = false
  }

  @MainActor func resize(to bounds: CGRect, scale: CGFloat) {
    layer.frame = bounds
    let size = CGSize(width: bounds.width * scale, height: bounds.height * scale)
    layer.drawableSize = size
    lock.withLock { state.size = size }
  }

  func show(through cube: LookCube?) { lock.withLock { state.cube = cube } }

  /// The camera is gone: no picture of before is to be found any more.
  func forget() { lock.withLock { state.latest = nil } }

  func draw(_ buffer: CVPixelBuffer, _ turn: PictureTurn) {
    lock.lock()
    state.latest = (buffer, turn)
    let (size, cube, isBusy) = (state.size, state.cube, state.isDrawing)
    state.isDrawing = true
    lock.unlock()
    guard !isBusy else { return }
    guard size.width >= 1, size.height >= 1, let drawable = layer.nextDrawable(),
      let command = commands?.makeCommandBuffer()
    else { return ended() }
    let image = painter.image(buffer, turn, size: size, fills: true, through: cube)
    let place = CIRenderDestination(mtlTexture: drawable.texture, commandBuffer: command)
    do {
      _ = try painter.context.startTask(toRender: image, to: place)
      command.present(drawable)
      command.addCompletedHandler { [weak self] _ in self?.ended() }
      command.commit()
    } catch {
      ended()
    }
  }

  private func ended() { lock.withLock { state.isDrawing = false } }

  /// The newest frame through each of these, as JPEG. Takes some ms each.
  func pictures(through cubes: [LookCube?], height: Int) -> [Data] {
    lock.lock()
    let latest = state.latest
    lock.unlock()
    guard let latest else { return [] }
    let size = CGSize(width: CGFloat(height) * 9 / 16, height: CGFloat(height))
    return cubes.map {
      painter.jpeg(painter.image(latest.buffer, latest.turn, size: size, fills: true, through: $0))
    }
  }
}
