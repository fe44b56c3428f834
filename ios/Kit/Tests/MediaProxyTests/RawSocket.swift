import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Sends bytes to this device's port and goes away without reading an answer.
func sendAndHangUp(_ bytes: Data, port: UInt16) {
  #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
  #else
    let stream = SOCK_STREAM
  #endif
  let socket = socket(AF_INET, stream, 0)
  guard socket >= 0 else { return }
  defer { close(socket) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isConnected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
  }
  guard isConnected == 0 else { return }
  bytes.withUnsafeBytes { buffer in _ = send(socket, buffer.baseAddress, buffer.count, 0) }
}
