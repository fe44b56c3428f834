package import Foundation

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that is there whole or not at all, and knows when its bytes are not those that were written.
///
/// 24 bytes come first: a mark, the number of bytes and their CRC-64, little endian.
package enum SealedFile {
  static let headerSize = 24
  private static let mark: UInt64 = 0x3130_5345_4C43_4643

  /// Written beside it, synchronised, then renamed: whoever is killed in between leaves a file in `scratch`
  /// that nobody reads.
  package static func write(_ bytes: Data, to path: String, scratch: String) throws {
    try write(bytes, to: path, by: scratch + "/" + UUID().uuidString)
  }

  /// `temporary` is nobody else's.
  package static func write(_ bytes: Data, to path: String, by temporary: String) throws {
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw DiskError(errno) }
    do {
      defer { close(file) }
      try writeAll(header(of: bytes), to: file)
      try writeAll(bytes, to: file)
      guard fsync(file) == 0 else { throw DiskError(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let failure = errno
      unlink(temporary)
      throw DiskError(failure)
    }
  }

  /// `nil` if it is not there, or not as it was written.
  package static func read(_ path: String, size: Int? = nil) -> Data? {
    guard let whole = FileManager.default.contents(atPath: path), whole.count >= headerSize,
      size == nil || whole.count - headerSize == size
    else { return nil }
    let bytes = whole.dropFirst(headerSize)
    guard whole.prefix(headerSize) == header(of: Data(bytes)) else { return nil }
    return Data(bytes)
  }

  private static func header(of bytes: Data) -> Data {
    var header = Data(capacity: headerSize)
    for word in [mark, UInt64(bytes.count), CyclicRedundancyCheck.of(bytes)] {
      withUnsafeBytes(of: word.littleEndian) { header.append(contentsOf: $0) }
    }
    return header
  }

  private static func writeAll(_ bytes: Data, to file: Int32) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer
      while !rest.isEmpty {
        let count = Self.write(file, rest)
        guard count > 0 else {
          if errno == EINTR { continue }
          throw DiskError(errno)
        }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }

  private static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(file, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(file, bytes.baseAddress, bytes.count)
    #endif
  }
}

/// Why something could not be written.
public struct DiskError: Error, Equatable, Sendable {
  public let code: Int32

  public init(_ code: Int32) { self.code = code }

  /// What Foundation makes of the system's answer.
  init(_ error: any Error) {
    let error = error as NSError
    let below = error.userInfo[NSUnderlyingErrorKey] as? NSError
    if let posix = [error, below].compactMap({ $0 }).first(where: { $0.domain == NSPOSIXErrorDomain }) {
      self.init(Int32(truncatingIfNeeded: posix.code))
    } else {
      self.init((error as? CocoaError)?.code == .fileWriteOutOfSpace ? ENOSPC : EIO)
    }
  }

  /// There is no more room, or this app may take no more.
  public var isFull: Bool { code == ENOSPC || code == EDQUOT }
}
