internal import Platform

/// Rows on their way to the server, as `COPY … (FORMAT binary)` takes them. A number is a `BIGINT` and goes
/// into nothing else.
final class RowLoading {
  /// A signature, which line ends that were changed on the way would break, and no options.
  private static let head: [UInt8] =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [0, 0, 0, 0] + [0, 0, 0, 0]
  private static let bytesOfAPiece = 1 << 16

  private var bytes = RowLoading.head
  private let send: ([UInt8]) -> Bool

  /// `send` says whether the connection is still there.
  init(_ send: @escaping ([UInt8]) -> Bool) {
    self.send = send
  }

  /// Values stand as the columns do.
  func put(_ row: [SQLValue]) throws {
    try SQLValue.requireStorable(row)
    append(Int16(row.count))
    for value in row {
      switch value {
      case .null: append(Int32(-1))
      case .integer(let number):
        append(Int32(8))
        append(number)
      case .text(let text):
        append(Int32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
      }
    }
    if bytes.count >= Self.bytesOfAPiece { try flush() }
  }

  func end() throws {
    append(Int16(-1))
    try flush()
  }

  private func flush() throws {
    guard send(bytes) else { throw TransactionFailure.lost("the connection broke while rows were sent") }
    bytes.removeAll(keepingCapacity: true)
  }

  private func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
