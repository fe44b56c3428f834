internal import Contract
internal import Foundation
internal import NIOPosix
internal import Platform
internal import Synchronization
internal import Uploads

/// The end of one upload's file, held by a lock that other processes see and that a killed process lets go
/// of.
final class LocalTail: UploadTail {
  private let file: Int32
  private let length: Mutex<Int>

  init(path: String) throws {
    file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("open", path) }
    // NB: it may have been removed between being opened and being locked; then it is nobody's file any more.
    guard flock(file, LOCK_EX | LOCK_NB) == 0, FileStatus(of: path) != nil else {
      Foundation.close(file)
      throw AppError(.uploadBusy)
    }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      Foundation.close(file)
      throw Self.failure("look at", path)
    }
    length = Mutex(Int(status.st_size))
  }

  func count() async -> Int { length.withLock { $0 } }

  func append(_ bytes: some Collection<UInt8> & Sendable) async throws {
    try await NIOThreadPool.singleton.runIfActive { [self] in
      if try bytes.withContiguousStorageIfAvailable({ try write(UnsafeRawBufferPointer($0)) }) == nil {
        try Array(bytes).withUnsafeBytes { try write($0) }
      }
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let place = length.withLock { $0 }
      let now = UnsafeRawBufferPointer(rebasing: rest)
      let count = pwrite(file, now.baseAddress, now.count, off_t(place))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure("write to", "an upload") }
      rest = rest.dropFirst(count)
      length.withLock { $0 += count }
    }
  }

  func cut(to count: Int) async throws {
    try await NIOThreadPool.singleton.runIfActive { [self] in
      guard ftruncate(file, off_t(count)) == 0 else { throw Self.failure("cut", "an upload") }
      length.withLock { $0 = count }
    }
  }

  func close() async {
    // NB: not by closing alone. A child process that is just being started has the file open too until it
    // becomes another program, and the next request would find the upload busy.
    _ = flock(file, LOCK_UN)
    Foundation.close(file)
  }

  static func failure(_ verb: String, _ what: String) -> AppError {
    let isFull = errno == ENOSPC || errno == EDQUOT
    return AppError(
      isFull ? .storageFull : .unavailable, "The server cannot \(verb) \(what) (error \(errno)).")
  }
}
