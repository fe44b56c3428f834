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
  /// Files outside of the folder that it may read as well.
  var readable: [URL] = []
  /// A 4K HEVC decoder with its frame threads and four encoders stays below half of this.
  var memoryBytes: UInt64 = 6 << 30
  var cpuSeconds: UInt64 = 3600
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

  /// In a process group of its own, without standard input or any other descriptor of ours.
  private func start(_ output: Int32, _ error: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, error, 2)
    try GNUSpawn.closeFrom(&actions, 3)
    try GNUSpawn.changeFolder(&actions, folder.path)
    // The web server ignores SIGPIPE and may block others; a child starts with the defaults.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    let command =
      try Confinement.prefix(
        memoryBytes: memoryBytes, cpuSeconds: cpuSeconds, fileBytes: fileBytes, folder: folder,
        readable: readable, niceness: niceness, level: level) + [program] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    // TMPDIR keeps temporary files in the job's folder; nothing else of our environment is handed on.
    let words = ["TMPDIR=\(folder.path)", "LC_ALL=C"] + environment.map { "\($0.key)=\($0.value)" }
    var environment: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { (argv + environment).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, command[0], &actions, &attributes, &argv, &environment)
    guard code == 0 else { throw CannotStart(program: program, code: code) }
    return child
  }

  private static func split(_ bytes: [UInt8], _ rest: inout [UInt8], _ onLine: (Substring) -> Void) {
    rest += bytes
    let text = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in text.dropLast() { onLine(Substring(decoding: line, as: UTF8.self)) }
    rest = Array((text.last ?? []).suffix(4096))
  }
}

/// Two file actions of glibc (2.34 and 2.29) that its headers show to GNU sources only.
private enum GNUSpawn {
  typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

  /// No descriptor from this one on reaches the child.
  static func closeFrom(_ actions: Actions, _ first: Int32) throws {
    typealias Call = @convention(c) (Actions, Int32) -> Int32
    _ = unsafeBitCast(try symbol("posix_spawn_file_actions_addclosefrom_np"), to: Call.self)(actions, first)
  }

  static func changeFolder(_ actions: Actions, _ path: String) throws {
    typealias Call = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
    _ = unsafeBitCast(try symbol("posix_spawn_file_actions_addchdir_np"), to: Call.self)(actions, path)
  }

  private static func symbol(_ name: String) throws -> UnsafeMutableRawPointer {
    guard let symbol = dlsym(nil, name) else {
      throw ChildProcess.CannotStart(program: "a child without \(name) (glibc 2.34)", code: ENOSYS)
    }
    return symbol
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
