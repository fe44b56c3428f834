internal import Synchronization

/// How far pieces of a job are that are worked on beside each other, as one figure: each counts by its
/// effort.
public final class SharedProgress: Sendable {
  private let step: String
  private let efforts: [Double]
  private let permille: Range<Double>
  private let progress: JobProgress
  private let done: Mutex<[Double]>

  /// `permille`: what of the job all of them are together.
  public init(_ step: String, of efforts: [Double], within permille: Range<Double>, _ progress: JobProgress) {
    self.step = step
    self.efforts = efforts
    self.permille = permille
    self.progress = progress
    done = Mutex(efforts.map { _ in 0 })
  }

  /// `share` of that piece, from 0 to 1.
  public func report(_ piece: Int, done share: Double) {
    let sum = done.withLock { done in
      done[piece] = share
      return zip(done, efforts).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let part = sum / max(1, efforts.reduce(0, +)) * (permille.upperBound - permille.lowerBound)
    progress.report(step, permille: Int(clamping: (permille.lowerBound + part).rounded(.towardZero)))
  }
}
