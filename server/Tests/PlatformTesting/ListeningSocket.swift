import Contract
import Foundation
import Platform

/// A socket that listens on loopback, open until nobody holds it any more: whoever waits at it while it is
/// closed would wait at the next one with its number, and take a connection that is another's.
final class ListeningSocket: Sendable {
  let descriptor: Int32
  let port: Int

  /// `backlog`: connections that wait to be accepted, at most.
  init(backlog: Int32) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, backlog) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw AppError(.internalError, "no port: \(errno)") }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Nil once nobody listens any more.
  func next() -> Int32? {
    let connection = accept(descriptor, nil, nil)
    return connection < 0 ? nil : connection
  }

  /// Whoever waits at it goes on, and nobody connects any more.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  deinit { close(descriptor) }
}
