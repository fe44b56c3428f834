internal import Contract
internal import Foundation
internal import NIOCore
internal import NIOPosix
internal import Platform

/// A part of a file as a body: read piece by piece while it is sent, on threads made for blocking calls.
struct FileBody: AsyncSequence, Sendable {
  typealias Element = ByteBuffer

  let url: URL
  let range: Range<Int>

  func makeAsyncIterator() -> Pieces { Pieces(body: self) }

  final class Pieces: AsyncIteratorProtocol {
    private let body: FileBody
    private var offset: Int
    private var file: FileHandle?

    init(body: FileBody) {
      self.body = body
      offset = body.range.lowerBound
    }

    deinit { try? file?.close() }

    func next() async throws -> ByteBuffer? {
      guard offset < body.range.upperBound else { return nil }
      let opened: FileHandle
      if let file { opened = file } else { opened = try FileHandle(forReadingFrom: body.url) }
      file = opened
      let (descriptor, position) = (opened.fileDescriptor, offset)
      let wanted = Swift.min(BlobPiece.maximumBytes, body.range.upperBound - offset)
      let bytes = try await NIOThreadPool.singleton.runIfActive {
        try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
          let read = pread(descriptor, buffer.baseAddress, wanted, off_t(position))
          guard read > 0 else {
            throw AppError(.fileUnreadable, "A file became shorter while it was stored.")
          }
          count = read
        }
      }
      offset += bytes.count
      return ByteBuffer(bytes: bytes)
    }
  }
}

/// A file cut into the parts in which it is sent, with the hash of each and of the whole, taken in one
/// reading: a file that changes afterwards is refused by the storage.
struct FileParts: Sendable {
  /// Up to this, one request does it: losing a connection then costs no more than a part would.
  static let wholeBytes = 16 << 20
  static let partBytes = 8 << 20
  /// What every service takes (Amazon takes ten times as many).
  static let maximumParts = 1000

  let hash: String
  let sizeBytes: Int
  let parts: [(body: FileBody, sha256: String)]

  init(_ url: URL) throws {
    let size = try FileStatus(of: url.path).map(\.size) ?? { throw AppError(.fileUnreadable) }()
    let partBytes =
      size <= Self.wholeBytes
      ? Swift.max(size, 1) : Swift.max(Self.partBytes, (size + Self.maximumParts - 1) / Self.maximumParts)
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    var whole = RunningHash()
    var parts: [(body: FileBody, sha256: String)] = []
    var start = 0
    repeat {
      let end = Swift.min(start + partBytes, size)
      var part = RunningHash()
      var offset = start
      while offset < end {
        guard let piece = try file.read(upToCount: Swift.min(1 << 20, end - offset)), !piece.isEmpty else {
          throw AppError(.fileUnreadable, "A file became shorter while it was stored.")
        }
        whole.add(piece)
        part.add(piece)
        offset += piece.count
      }
      parts.append((FileBody(url: url, range: start..<end), part.value))
      start = end
    } while start < size
    hash = whole.value
    sizeBytes = size
    self.parts = parts
  }
}
