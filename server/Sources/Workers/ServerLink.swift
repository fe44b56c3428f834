internal import Foundation
internal import Glibc
internal import Platform

/// The other end of `WorkerProcess`, in the process that a server has started for its workers: standard
/// input, a socket.
public struct ServerLink: Sendable {
  /// After the server is gone, or wants an end. Longer than it waits itself.
  static let mostSeconds: UInt32 = 10

  private let socket: Int32

  public init() { self.init(socket: STDIN_FILENO) }

  init(socket: Int32) { self.socket = socket }

  /// What finds no room is lost: a server that reads nothing does not hold up work.
  public func tell(_ report: WorkerReport) {
    let bytes = Array((report.line + "\n").utf8)
    _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Calls `hear` whenever jobs have been queued. Returns when the server wants an end, or is gone: after
  /// kill -9 too.
  public func follow(_ hear: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        while read() { hear() }
        continuation.resume()
      }
    }
  }

  /// Ends this process some seconds from now, however it hangs: a server that is gone leaves nobody behind.
  public static func endSoon() {
    Thread.detachNewThread {
      sleep(mostSeconds)
      _exit(EXIT_FAILURE)
    }
  }

  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      return count > 0
    }
  }

  /// Where memory runs out the kernel takes this process, and what it starts, before the server. (From 0 to
  /// 1000; anybody may raise their own.)
  public static func volunteer() {
    try? Data("500".utf8).write(to: URL(fileURLWithPath: "/proc/self/oom_score_adj"))
  }
}
