import Foundation
import Synchronization

/// A link to a server of this machine that can be cut right after the server has been told something: what it
/// answers then reaches nobody.
final class CuttingProxy: Sendable {
  let port: Int
  private let listener: Int32
  private let word = Mutex<[UInt8]?>(nil)

  struct CannotListen: Error {}

  init(to target: Int) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard listens else { throw CannotListen() }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        carry(client, to: target)
      }
    }
  }

  /// The next time that a client says this, the link is cut once the server has done it. Once.
  func cutsAfter(_ text: String) { word.withLock { $0 = Array(text.utf8) } }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func carry(_ client: Int32, to target: Int) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(target)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(client)
      close(server)
      return
    }
    let isCut = Flag()
    Thread.detachNewThread { [self] in
      Self.pump(from: client, to: server) { bytes in
        word.withLock { word in
          guard let text = word, bytes.firstRange(of: text) != nil else { return }
          word = nil
          isCut.value.withLock { $0 = true }
        }
        return true
      }
      shutdown(server, Int32(SHUT_RDWR))
    }
    Thread.detachNewThread {
      // Its answer says that it was done; it stays here.
      Self.pump(from: server, to: client) { _ in isCut.value.withLock { !$0 } }
      shutdown(client, Int32(SHUT_RDWR))
    }
  }

  private final class Flag: Sendable {
    let value = Mutex(false)
  }

  private static func pump(from source: Int32, to target: Int32, _ passes: ([UInt8]) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0, passes(Array(buffer.prefix(count))) else { return }
      guard send(Array(buffer.prefix(count)), to: target) else { return }
    }
  }

  @discardableResult
  private static func send(_ bytes: [UInt8], to target: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
