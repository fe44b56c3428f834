internal import CZlib
internal import Contract
internal import HTTPTypes
public import Hummingbird
internal import Platform
internal import Synchronization

/// gzip of RFC 1952 by zlib.
public enum Gzip {
  /// In bytes: less than that fits into one packet anyway.
  public static let worthwhile = 1200

  public static func isAccepted(by request: Request) -> Bool {
    isAccepted(request.headers[.acceptEncoding] ?? "")
  }

  static func isAccepted(_ codings: String) -> Bool {
    // NB: by bytes; no browser names more than a handful, and 80 KB by characters take as long as forty
    // requests.
    guard codings.utf8.count <= 1024 else { return false }
    return codings.lowercased().split(atByte: UInt8(ascii: ",")).contains { part in
      let fields = part.split(atByte: UInt8(ascii: ";")).map(\.withoutBlanks)
      guard fields.first == "gzip" || fields.first == "*" else { return false }
      let quality = fields.dropFirst().lazy.compactMap { $0.rest(behind: "q=") }.first
      return quality.flatMap { Double($0.withoutBlanks) } != 0
    }
  }

  /// Level 6: level 9 takes three times as long for one per cent.
  public static func compress(_ bytes: [UInt8], level: Int32 = 6) throws -> [UInt8] {
    let deflater = try spare.withLock { $0[level]?.popLast() } ?? Deflater(level)
    let packed = try deflater.compress(bytes)
    spare.withLock { spare in
      if (spare[level]?.count ?? 0) < keptForEach { spare[level, default: []].append(deflater) }
    }
    return packed
  }

  /// A stream takes 256 KB, which the kernel would have to find, clear and take back for each answer.
  private static let spare = Mutex<[Int32: [Deflater]]>([:])
  private static let keptForEach = 4
}

/// One stream of zlib, used by one caller at a time. NB: that is what its being taken out of `spare` sees to.
private final class Deflater: @unchecked Sendable {
  private let stream: UnsafeMutablePointer<z_stream>

  init(_ level: Int32) throws {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, plus 16 for the gzip wrapper.
    guard
      deflateInit2_(
        stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw AppError(.internalError, "zlib cannot start") }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    guard deflateReset(stream) == Z_OK else { throw AppError(.internalError, "zlib cannot start again") }
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    return try bytes.withUnsafeBufferPointer { input in
      try [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(bound)
        let status = deflate(stream, Z_FINISH)
        guard status == Z_STREAM_END else { throw AppError(.internalError, "zlib ended with \(status)") }
        count = bound - Int(stream.pointee.avail_out)
      }
    }
  }
}
