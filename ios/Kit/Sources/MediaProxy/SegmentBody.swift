internal import FlyingSocks
internal import Foundation
internal import MediaStore

/// The bytes of a segment as they come: from memory, or from the download that is under way.
struct SegmentBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let table: LoadTable
  let load: Int
  let key: SegmentKey
  let range: Range<Int>
  let onStale: @Sendable (Int) -> Void
  let onServed: @Sendable () -> Void

  func makeAsyncIterator() -> Iterator { Iterator(body: self, at: range.lowerBound) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    let body: SegmentBody
    var at: Int

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    /// Throws, which cuts the connection, when the rest does not come.
    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      guard at < body.range.upperBound else { return nil }
      let memory = body.table.memory
      while body.table.clip(body.load) != nil {
        try Task.checkCancellation()
        let (portion, version) = memory.read(
          body.key, from: at, most: Swift.min(count, body.range.upperBound - at))
        switch portion {
        case .bytes(let bytes):
          at += bytes.count
          if at == body.range.upperBound { body.onServed() }
          return bytes
        // Less is stored than was declared.
        case .end: throw SocketError.disconnected
        case .pending:
          if body.table.isStale(body.load, body.key) {
            body.onStale(body.load)
            throw SocketError.disconnected
          }
          await memory.changed(body.key.item, since: version)
        }
      }
      throw SocketError.disconnected
    }
  }
}
