public import CoreMetrics
internal import Foundation
internal import Glibc
internal import Logging
internal import Platform
public import ServiceLifecycle
internal import Synchronization

/// The workers of a server, in a process of their own: whatever ends a conversion (a trap, a lack of memory,
/// kill -9) ends that process and not the site. It is started again, and the job that ended it is tried
/// thrice at most.
///
/// Both hold an end of one socket. From here a byte goes for each job that is queued; from there come reports
/// (`WorkerReport`). Whoever sees the other's end closed knows that it is gone, however it ended: the kernel
/// closes it.
public final class WorkerProcess: Service {
  /// Tells the program that it is one: its standard input is a socket to the server, which sweeps, folds and
  /// counts.
  public static let flag = "--of-server"

  /// For jobs that are in hand to go back to the queue.
  static let grace = Duration.seconds(4)

  struct KeepsEnding: Error {}

  private struct State {
    var socket: Int32?
    var child: pid_t?
    /// Of the child that has just ended.
    var status: Int32?
    var pace = RestartPace()
    var killAt: ContinuousClock.Instant?

    var isStopping: Bool { killAt != nil }
  }

  private let command: [String]
  private let environment: [String: String]
  private let report: @Sendable (WorkerReport) -> Void
  private let logger = Logger(label: "clipfeed.workers")
  private let deaths: CoreMetrics.Counter
  private let state = Mutex(State())
  /// Waited for while nothing runs, and for the child's end.
  private let pause = NSCondition()

  /// `report` hears what the process says, on a thread of ours.
  public init(
    command: [String], environment: [String: String],
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    report: @escaping @Sendable (WorkerReport) -> Void
  ) {
    self.command = command
    self.environment = environment
    self.report = report
    deaths = CoreMetrics.Counter(label: "clipfeed_worker_deaths_total", dimensions: [], factory: metrics)
    deaths.increment(by: 0)
  }

  /// This very program, also where its file has been replaced since: a newer one would speak to an older
  /// server.
  public static var ownProgram: String {
    let link = "/proc/self/exe"
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    return path.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil } ?? link
  }

  public func run() async throws {
    await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            self.keepRunning()
            continuation.resume()
          }
        }
      } onGracefulShutdown: {
        self.stop(within: Self.grace)
      }
    } onCancel: {
      stop(within: .zero)
    }
  }

  /// A job has been queued. Where many hints wait to be read, one more says nothing new.
  public func hint() {
    state.withLock { state in
      guard let socket = state.socket else { return }
      var byte = UInt8(ascii: "j")
      _ = send(socket, &byte, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Throws if conversions cannot go on.
  public func check() throws {
    if state.withLock({ $0.pace.keepsEnding }) { throw KeepsEnding() }
  }

  var processIdentifier: pid_t? { state.withLock { $0.child } }

  private func stop(within grace: Duration) {
    state.withLock { state in
      let end = ContinuousClock.now + grace
      state.killAt = state.killAt.map { min($0, end) } ?? end
      // It reads an end there, and stops.
      if let socket = state.socket { shutdown(socket, Int32(SHUT_WR)) }
    }
    pause.withLock { pause.broadcast() }
  }

  private func keepRunning() {
    while !state.withLock({ $0.isStopping }) {
      let began = ContinuousClock.now
      var how = "it cannot be started"
      do {
        let (child, socket) = try start()
        awaitEnd(of: child, closing: socket)
        follow(socket)
        how = Self.words(end(socket))
      } catch {
        how = "\(error)"
      }
      let wait: Duration? = state.withLock { state in
        state.isStopping ? nil : state.pace.ended(after: ContinuousClock.now - began)
      }
      guard let wait else { return }
      deaths.increment()
      logger.error(
        "the process that converts has ended", metadata: ["how": "\(how)", "again_after": "\(wait)"])
      sleep(wait)
    }
  }

  private func sleep(_ wait: Duration) {
    let end = Date().addingTimeInterval(wait / .seconds(1))
    pause.withLock {
      while !state.withLock({ $0.isStopping }), pause.wait(until: end) {}
    }
  }

  private func start() throws -> (pid_t, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
      throw Spawn.CannotStart(program: command[0], code: errno)
    }
    defer { close(ends[1]) }
    do {
      let child = try Spawn(command, environment: environment, input: ends[1], error: STDERR_FILENO).start()
      state.withLock { state in
        (state.child, state.socket) = (child, ends[0])
        if state.isStopping { shutdown(ends[0], Int32(SHUT_WR)) }
      }
      return (child, ends[0])
    } catch {
      close(ends[0])
      throw error
    }
  }

  /// Until the other end is closed.
  private func follow(_ socket: Int32) {
    var lines = ReportLines()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let count = poll(&polled, 1, 500)
      killIfLate()
      guard count > 0 else { continue }
      let read = recv(socket, &buffer, buffer.count, 0)
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return }
      for report in lines.add(buffer.prefix(read)) {
        if case .ended = report { state.withLock { $0.pace.worked() } }
        self.report(report)
      }
    }
  }

  private func killIfLate() {
    let late = state.withLock { state in
      state.killAt.map { $0 <= ContinuousClock.now } ?? false ? state.child : nil
    }
    if let late { kill(-late, SIGKILL) }
  }

  /// NB: its end is heard of by the process, not by the socket alone: what prints the backtrace of a crash (a
  /// process of Swift's own) has that open as well, and may outlive it.
  private func awaitEnd(of child: pid_t, closing socket: Int32) {
    Thread.detachNewThread { [self] in
      let status = Spawn.status(of: child)
      state.withLock { state in
        (state.child, state.status) = (nil, status)
        // Before the end of `follow`, which closes it.
        shutdown(socket, Int32(SHUT_RDWR))
      }
      pause.withLock { pause.broadcast() }
    }
  }

  private func end(_ socket: Int32) -> Int32 {
    // Who closes its end is about to end, and is helped if it does not: nobody could stop it any more.
    let late = Date().addingTimeInterval(Self.grace / .seconds(1))
    let status = pause.withLock {
      while true {
        if let status = state.withLock({ $0.status }) { return status }
        if !pause.wait(until: late) { state.withLock { if let child = $0.child { kill(-child, SIGKILL) } } }
      }
    }
    state.withLock { state in
      (state.socket, state.status) = (nil, nil)
      close(socket)
    }
    return status
  }

  private static func words(_ status: Int32) -> String {
    status < 0 ? "signal \(-status)" : "status \(status)"
  }
}
