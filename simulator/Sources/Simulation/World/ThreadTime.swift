internal import Foundation

/// Time that the processor spent on this thread: what others do on the machine does not count.
enum ThreadTime {
  /// ns.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
