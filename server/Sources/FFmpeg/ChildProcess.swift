internal import CSpawn
internal import Foundation
internal import Glibc
internal import Synchronization

/// One run of an external program inside limits, on a thread of its own.
///
/// NB: the child is killed by the kernel when the thread that started it ends, so that even `kill -9` of this process
/// leaves no ffmpeg behind. That is why it is not a thread of a pool, which may end when it likes.
struct ChildProcess: Sendable {
  struct Result: Sendable {
    /// Exit status; negative: the signal that ended it.
    var status: Int32
    var output: [UInt8]
    /// The last lines of standard error.
    var complaint: String
    var timedOut: Bool
  }

  struct CannotStart: Error, CustomStringConvertible {
    let program: String
    let code: Int32
    var description: String { "cannot start \(program): \(String(cString: strerror(code)))" }
  }

  var program: String
  var arguments: [String]
  var folder: URL
  /// A 4K HEVC decoder with its frame threads and four encoders stays below half of this.
  var memoryBytes: UInt64 = 6 << 30
  var cpuSeconds: UInt64 = 3600
  var fileBytes: UInt64 = 256 << 20
  var wallSeconds: Double
  /// Output beyond this is read and forgotten.
  var outputBytes = 16 << 20

  /// Output lines go to `onLine` if there is one, else into the result.
  func run(onLine: (@Sendable (Substring) -> Void)? = nil) async throws -> Result {
    let flag = Flag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(with: Swift.Result { try follow(flag, onLine) })
        }
      }
    } onCancel: {
      flag.value.withLock { $0 = true }
    }
  }

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

  private func follow(_ cancelled: Flag, _ onLine: ((Substring) -> Void)?) throws -> Result {
    var output = Pipe()
    var errors = Pipe()
    defer {
      output.closeAll()
      errors.closeAll()
    }
    let child = try start(output.writing, errors.writing)
    output.closeWriting()
    errors.closeWriting()

    var result = Result(status: 0, output: [], complaint: "", timedOut: false)
    var tail: [UInt8] = []
    var line: [UInt8] = []
    let deadline = Date().addingTimeInterval(wallSeconds)
    while output.isOpen || errors.isOpen {
      var polled = [
        pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polled, 2, 100)
      if cancelled.value.withLock({ $0 }) {
        kill(-child, SIGKILL)
      } else if Date() > deadline, !result.timedOut {
        result.timedOut = true
        kill(-child, SIGKILL)
      }
      if polled[0].revents != 0, let bytes = output.read() {
        if let onLine {
          Self.split(bytes, &line, onLine)
        } else if result.output.count < outputBytes {
          result.output += bytes
        }
      }
      if polled[1].revents != 0, let bytes = errors.read() {
        tail = Array((tail + bytes).suffix(4096))
      }
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // Anything the child may have started itself.
    kill(-child, SIGKILL)
    if cancelled.value.withLock({ $0 }) { throw CancellationError() }
    result.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    result.complaint = String(decoding: tail, as: UTF8.self)
    return result
  }

  private func start(_ output: Int32, _ error: Int32) throws -> pid_t {
    let texts = [program] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    // TMPDIR keeps temporary files in the job's folder; nothing else of our environment is handed on.
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("TMPDIR=\(folder.path)"), strdup("LC_ALL=C"), nil,
    ]
    defer { (argv + environment).forEach { free($0) } }
    let child = program.withCString { path in
      folder.path.withCString { place in
        argv.withUnsafeMutableBufferPointer { argv in
          environment.withUnsafeMutableBufferPointer { environment in
            var request = spawn_request(
              path: path, arguments: argv.baseAddress, environment: environment.baseAddress,
              folder: place, output: output, error: error, memory_bytes: memoryBytes,
              cpu_seconds: cpuSeconds, file_bytes: fileBytes)
            return clipfeed_spawn(&request)
          }
        }
      }
    }
    guard child > 0 else { throw CannotStart(program: program, code: -child) }
    return child
  }

  private static func split(_ bytes: [UInt8], _ rest: inout [UInt8], _ onLine: (Substring) -> Void) {
    rest += bytes
    let text = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in text.dropLast() { onLine(Substring(decoding: line, as: UTF8.self)) }
    rest = Array((text.last ?? []).suffix(4096))
  }
}

/// A pipe whose ends are closed exactly once.
private struct Pipe {
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1

  init() {
    var ends: [Int32] = [-1, -1]
    // A child never sees these by accident: it closes all that it was not given before it starts its program.
    guard pipe(&ends) == 0 else { return }
    (reading, writing) = (ends[0], ends[1])
  }

  var isOpen: Bool { reading >= 0 }

  /// Nil at the end; the reading side is closed then.
  mutating func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = Glibc.read(reading, &buffer, buffer.count)
    guard count > 0 else {
      if count < 0, errno == EINTR || errno == EAGAIN { return [] }
      close(reading)
      reading = -1
      return nil
    }
    return Array(buffer.prefix(count))
  }

  mutating func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  mutating func closeAll() {
    closeWriting()
    if reading >= 0 { close(reading) }
    reading = -1
  }
}
