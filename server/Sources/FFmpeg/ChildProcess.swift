internal import Foundation
internal import Glibc
internal import Platform
internal import Synchronization

/// One run of an external program inside limits, on a thread of its own.
///
/// NB: the child is killed by the kernel when the thread that started it ends, so that even `kill -9` of this
/// process leaves no ffmpeg behind. That is why it is not a thread of a pool, which may end when it likes.
struct ChildProcess: Sendable {
  struct Result: Sendable {
    /// Exit status; negative: the signal that ended it.
    var status: Int32
    var output: [UInt8]
    /// The last lines of standard error.
    var complaint: String
    var timedOut: Bool

    /// It came to no end of its own: its time was over, something killed it (the kernel where memory or its
    /// processor time was used up, an operator), or the disk was full. That says nothing of the file that it
    /// read.
    ///
    /// NB: a file can be made to look so, by a text in it that is printed, or by what it costs. So this is
    /// only ever a reason to try again, as often as a job is tried.
    var wasCutOff: Bool {
      timedOut || status == -SIGKILL
        || ["No space left on device", "Disk quota exceeded"].contains { complaint.contains($0) }
    }
  }

  /// Seconds beside those of the work in which a run that a person's clip needs may wait for processors: as
  /// many as `ConversionBudget` gives a conversion. Processor time bounds what a file may cost.
  static let waitingSeconds = 300.0

  var program: String
  var arguments: [String]
  var folder: URL
  /// Files outside of the folder that it may read as well.
  var readable: [URL] = []
  /// A 4K HEVC decoder with its frame threads and four encoders stays below half of this.
  var memoryBytes: UInt64 = 6 << 30
  /// Of all its threads together; nil: four for each second that it may last.
  var cpuSeconds: UInt64?
  var fileBytes: UInt64 = 256 << 20
  var wallSeconds: Double
  /// How far it stands back behind others; requests come before all of them.
  var niceness = Confinement.usualNiceness
  /// Output beyond this is read and forgotten.
  var outputBytes = 16 << 20
  /// What it is kept from beside that.
  var level = Confinement.level
  /// Beside the little that every child gets.
  var environment: [String: String] = [:]
  /// What it can read from its standard input; nil: nothing.
  var input: URL?

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
    var output = try Pipe()
    defer { output.closeAll() }
    var errors = try Pipe()
    defer { errors.closeAll() }
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
    result.status = Spawn.status(of: child)
    // Anything the child may have started itself.
    kill(-child, SIGKILL)
    if cancelled.value.withLock({ $0 }) { throw CancellationError() }
    let killed = Confinement.killed
    if level == .folder, result.status == 1, tail.suffix(killed.count) == killed[...] {
      result.status = -SIGKILL
      tail.removeLast(killed.count)
    }
    result.complaint = String(decoding: tail, as: UTF8.self)
    return result
  }

  private func start(_ output: Int32, _ error: Int32) throws -> pid_t {
    let command =
      try Confinement.prefix(
        memoryBytes: memoryBytes, cpuSeconds: cpuSeconds ?? UInt64(wallSeconds.rounded(.up)) * 4,
        fileBytes: fileBytes, folder: folder,
        readable: readable, niceness: niceness, level: level) + [program] + arguments
    let reading = try input.map { file in
      let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Spawn.CannotStart(program: program, code: errno) }
      return descriptor
    }
    defer { if let reading { close(reading) } }
    // TMPDIR keeps temporary files in the job's folder; nothing else of our environment is handed on.
    let own = ["TMPDIR": folder.path, "LC_ALL": "C"]
    return try Spawn(
      command, environment: own.merging(environment) { $1 }, folder: folder.path, input: reading,
      output: output, error: error
    ).start()
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

  /// Throws where there are too many open files: without it a program would seem to have said nothing.
  init() throws {
    var ends: [Int32] = [-1, -1]
    // A child never sees these by accident: it closes all that it was not given before it starts its program.
    guard pipe(&ends) == 0 else {
      throw Spawn.CannotStart(program: "a program that writes to a pipe", code: errno)
    }
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
