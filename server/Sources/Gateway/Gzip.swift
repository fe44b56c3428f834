internal import CZlib
internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// gzip of RFC 1952 by zlib.
enum Gzip {
  static func isAccepted(by request: Request) -> Bool {
    (request.headers[.acceptEncoding] ?? "").lowercased().split(separator: ",").contains { part in
      let fields = part.split(separator: ";").map { $0.filter { $0 != " " } }
      guard fields.first == "gzip" || fields.first == "*" else { return false }
      let quality = fields.dropFirst().first { $0.hasPrefix("q=") }
      return quality.flatMap { Double($0.dropFirst(2)) } != 0
    }
  }

  /// Level 6: level 9 takes three times as long for one per cent.
  static func compress(_ bytes: [UInt8], level: Int32 = 6) throws -> [UInt8] {
    var stream = z_stream()
    // 15 bits of window, plus 16 for the gzip wrapper.
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw AppError(.internalError, "zlib cannot start") }
    defer { deflateEnd(&stream) }
    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    return try [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      let status = input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(bound)
        return deflate(&stream, Z_FINISH)
      }
      guard status == Z_STREAM_END else { throw AppError(.internalError, "zlib ended with \(status)") }
      count = bound - Int(stream.avail_out)
    }
  }
}
