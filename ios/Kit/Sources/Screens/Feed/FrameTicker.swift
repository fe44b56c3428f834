internal import Foundation
internal import QuartzCore

/// Calls once for each frame while it runs, at a rate that may be limited.
@MainActor final class FrameTicker {
  /// What the link keeps alive: not the one who waits for frames, or neither would ever go.
  @MainActor private final class Target: NSObject {
    var onFrame: (() -> Void)?
    @objc func frameCame() { onFrame?() }
  }

  private let target = Target()
  private let link: CADisplayLink

  init(_ onFrame: @escaping () -> Void) {
    target.onFrame = onFrame
    link = CADisplayLink(target: target, selector: #selector(Target.frameCame))
    link.isPaused = true
    link.add(to: .main, forMode: .common)
  }

  var isRunning: Bool {
    get { !link.isPaused }
    set { if link.isPaused == newValue { link.isPaused = !newValue } }
  }

  /// Frames a second at most.
  func limit(to rate: Int32) {
    let rate = Float(min(max(rate, 10), 120))
    link.preferredFrameRateRange = CAFrameRateRange(minimum: min(rate, 60), maximum: rate, preferred: rate)
  }

  func end() { link.invalidate() }
}
