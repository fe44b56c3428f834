public import Glibc

/// How a program is started: in a process group of its own, with no descriptor of ours but those that are
/// named here.
///
/// NB: not by Foundation's `Process`. On Linux that reads beyond the list of our open files, which ends this
/// process now and then once it has more than a thousand (swift-corelibs-foundation, pull request 5472; in
/// Swift until 6.3).
public struct Spawn: Sendable {
  public struct CannotStart: Error, CustomStringConvertible {
    public let program: String
    public let code: Int32

    public init(program: String, code: Int32) {
      self.program = program
      self.code = code
    }

    public var description: String { "cannot start \(program): \(String(cString: strerror(code)))" }
  }

  /// The program's path, and its arguments.
  public var command: [String]
  /// Nothing of ours is handed on beside this.
  public var environment: [String: String]
  /// Nil: ours.
  public var folder: String?
  /// Descriptors of ours; nil: nothing can be read, and what is written is lost.
  public var input: Int32?
  public var output: Int32?
  public var error: Int32?

  public init(
    _ command: [String], environment: [String: String], folder: String? = nil, input: Int32? = nil,
    output: Int32? = nil, error: Int32? = nil
  ) {
    (self.command, self.environment, self.folder) = (command, environment, folder)
    (self.input, self.output, self.error) = (input, output, error)
  }

  /// Its number, by which somebody has to wait for its end.
  public func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (place, given) in [input, output, error].enumerated() {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, Int32(place))
      } else {
        posix_spawn_file_actions_addopen(
          &actions, Int32(place), "/dev/null", place == 0 ? O_RDONLY : O_WRONLY, 0)
      }
    }
    try GNUSpawn.closeFrom(&actions, 3)
    if let folder { try GNUSpawn.changeFolder(&actions, folder) }
    // The web server ignores SIGPIPE and may block others; a child starts with the defaults.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var argv: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var words: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + words).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, command[0], &actions, &attributes, &argv, &words)
    guard code == 0 else { throw CannotStart(program: command[0], code: code) }
    return child
  }

  /// Waits for its end: its exit status, or, negative, the signal that ended it.
  public static func status(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
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
      throw Spawn.CannotStart(program: "a child without \(name) (glibc 2.34)", code: ENOSYS)
    }
    return symbol
  }
}
