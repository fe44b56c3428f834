import Foundation
import Testing

/// Takes connections, and never says a word.
final class SilentServer {
  private let socket: Int32
  let address: String

  init() throws {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 64) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    try #require(bound)
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  /// How many have come so far.
  func connections() -> Int {
    var count = 0
    while true {
      let one = accept(socket, nil, nil)
      guard one >= 0 else { return count }
      close(one)
      count += 1
    }
  }

  deinit { close(socket) }
}
