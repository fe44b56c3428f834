import Foundation

/// A connection that stays, byte by byte.
final class PlainSocket: @unchecked Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  struct Failure: Error {
    let code: Int32
  }

  static func open(_ port: Int) async throws -> PlainSocket {
    PlainSocket(try SocketTransport.connect(to: port))
  }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure(code: errno) }
      sent += count
    }
  }

  /// What comes first, once something does.
  func ask(_ question: String) async throws -> String {
    try send(question)
    return try await onThread { String(decoding: try self.read(), as: UTF8.self) }
  }

  /// Until something has come, which stays to be read.
  func waitForBytes() async throws {
    try await onThread {
      var byte: UInt8 = 0
      guard recv(self.descriptor, &byte, 1, Int32(MSG_PEEK)) >= 0 || errno == ECONNRESET else {
        throw Failure(code: errno)
      }
    }
  }

  /// All until the other side closes.
  func readToEnd() async throws -> String {
    try await onThread {
      var all: [UInt8] = []
      while true {
        let piece = try self.read()
        if piece.isEmpty { return String(decoding: all, as: UTF8.self) }
        all += piece
      }
    }
  }

  private func read() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    // Who is let go of in the middle of a request hears it as a reset.
    if count < 0, errno == ECONNRESET { return [] }
    guard count >= 0 else { throw Failure(code: errno) }
    return Array(buffer[..<count])
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
  }
}
