internal import NIOCore

/// Runs tasks on an event loop: between a connection and the code that answers its requests no thread has to
/// be woken. What blocks or computes for long must leave it, as it must leave any event loop.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
