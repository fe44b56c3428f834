internal import Dispatch

/// Does one thing after the other, away from whoever asks: a ranker computes for milliseconds, and requests
/// are answered on event loops, which have no time for that.
final class RankingQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "clipfeed.ranking", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
