import Contract
import Foundation
import NIOCore
import Platform

@testable import PlatformTesting
@testable import Redis

/// A Redis of one test's own, on a port that stays the same, so that it can go and come back.
final class RedisProcess: @unchecked Sendable {
  let port: Int
  /// Has the port while no server is there: bound and not listening, it is nobody else's and takes no
  /// connection. Redis may be bound beside it, since both allow that (SO_REUSEADDR).
  private let holder: Int32
  private let folder: URL
  private let arguments: [String]
  private var process: ChildProgram?

  /// `arguments` come after those that every such server has; `{port}` in them is the port.
  init(arguments: [String] = []) throws {
    folder = TestFolders.path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (holder, port) = try Self.heldPort()
    self.arguments = arguments
  }

  deinit {
    stop()
    close(holder)
    FileManager.default.removeTestFolder(folder)
  }

  var address: String { "redis://127.0.0.1:\(port)" }

  /// Returns once connections are taken.
  func start() throws {
    let given = arguments.map { $0.replacingOccurrences(of: "{port}", with: String(port)) }
    process = try ChildProgram(
      "/usr/bin/redis-server",
      ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder.path]
        + (given.contains("--port") ? [] : ["--port", String(port)]) + given)
    for _ in 0..<600 {
      if (try? Self.connect(to: port)) != nil { return }
      usleep(50_000)
    }
    throw AppError(.internalError, "redis-server did not start")
  }

  func stop() {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  func send(_ signal: Int32) { process.map { _ = kill($0.processIdentifier, signal) } }

  private static func connect(to port: Int) throws {
    let socket = try open()
    defer { close(socket) }
    guard withAddress(port, { Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }) == 0
    else {
      throw SocketTransport.Failure(step: "connect", code: errno)
    }
  }

  private static func heldPort() throws -> (holder: Int32, port: Int) {
    let socket = try open()
    var isShared: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    var found = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withAddress(0) { bind(socket, $0, size) }
    let named = withUnsafeMutablePointer(to: &found) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
    }
    guard status == 0, named == 0 else {
      let failure = SocketTransport.Failure(step: "bind", code: errno)
      close(socket)
      throw failure
    }
    return (socket, Int(UInt16(bigEndian: found.sin_port)))
  }

  private static func open() throws -> Int32 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw SocketTransport.Failure(step: "socket", code: errno) }
    return socket
  }

  private static func withAddress<Value>(_ port: Int, _ body: (UnsafePointer<sockaddr>) -> Value) -> Value {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}

extension RedisPatience {
  /// Comes back at once.
  static let quick = {
    var patience = RedisPatience()
    patience.connect = .seconds(60)
    patience.answer = .seconds(10)
    patience.firstPauseMs = 10
    patience.longestPauseMs = 50
    return patience
  }()
}
