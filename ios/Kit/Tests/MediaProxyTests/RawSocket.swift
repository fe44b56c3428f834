import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Sends to whoever may have gone, without a signal for it.
func sendQuietly(_ bytes: Data, on socket: Int32) {
  #if canImport(Glibc)
    let flags = Int32(MSG_NOSIGNAL)
  #else
    let flags: Int32 = 0
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
  #endif
  bytes.withUnsafeBytes { _ = send(socket, $0.baseAddress, $0.count, flags) }
}

/// A connection to this device's port; −1 if there is none.
func connectRaw(port: UInt16) -> Int32 {
  #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
  #else
    let stream = SOCK_STREAM
  #endif
  let socket = socket(AF_INET, stream, 0)
  guard socket >= 0 else { return -1 }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  let size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isConnected = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
  }
  guard isConnected == 0 else {
    close(socket)
    return -1
  }
  return socket
}

/// Sends bytes to this device's port and goes away without reading an answer.
func sendAndHangUp(_ bytes: Data, port: UInt16) {
  let socket = connectRaw(port: port)
  guard socket >= 0 else { return }
  sendQuietly(bytes, on: socket)
  close(socket)
}

/// What comes on a connection until the other side ends it, after these bytes were sent.
func sendAndListen(_ bytes: Data, on socket: Int32) async -> String {
  // NB: a thread of its own. One of the few that tasks share must not stand still for it.
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: listen(bytes, on: socket)) }
  }
}

/// The first that comes on a connection after these bytes were sent, "" where the other side ends it. It stays open.
func sendAndReceive(_ bytes: Data, on socket: Int32) async -> String {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      sendQuietly(bytes, on: socket)
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = max(0, recv(socket, &buffer, buffer.count, 0))
      continuation.resume(returning: String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }
}

private func listen(_ bytes: Data, on socket: Int32) -> String {
  sendQuietly(bytes, on: socket)
  var answer = Data()
  var buffer = [UInt8](repeating: 0, count: 4_096)
  while case let count = recv(socket, &buffer, buffer.count, 0), count > 0 { answer += buffer.prefix(count) }
  close(socket)
  return String(decoding: answer, as: UTF8.self)
}
