internal import Foundation
internal import NIOCore
internal import Synchronization

/// A range of a file as a body, read when the network takes more, so that memory does not grow with the part.
final class FilePieces: AsyncSequence, AsyncIteratorProtocol, @unchecked Sendable {
  typealias Element = ByteBuffer

  // NB: unchecked, since only the one request that the body belongs to iterates; `isShort` is asked after it.
  private let handle: FileHandle
  private let size: Int
  private let progress: @Sendable (Int) -> Void
  private var left: Int
  private var sent = 0
  private let short = Mutex(false)

  /// The file ended before the range did.
  var isShort: Bool { short.withLock { $0 } }

  /// `progress` gets the number of bytes that were taken so far.
  init(handle: FileHandle, count: Int, size: Int, progress: @escaping @Sendable (Int) -> Void) {
    self.handle = handle
    self.size = size
    self.progress = progress
    left = count
  }

  func makeAsyncIterator() -> FilePieces { self }

  func next() async throws -> ByteBuffer? {
    progress(sent)
    guard left > 0 else { return nil }
    guard let piece = try handle.read(upToCount: Swift.min(size, left)), !piece.isEmpty else {
      short.withLock { $0 = true }
      throw CocoaError(.fileReadUnknown)
    }
    left -= piece.count
    sent += piece.count
    return ByteBuffer(bytes: piece)
  }
}
