internal import Contract
internal import Foundation
internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Response {
  /// A value of the contract.
  static func json(
    _ value: some Encodable, to request: Request, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    try json(text: [UInt8](try WireCoding.encode(value)), to: request, status: status)
  }

  /// Text that is JSON already, compressed where that is worth it and `request` takes it. `level`: zlib's.
  static func json(
    text: [UInt8], to request: Request, status: HTTPResponse.Status = .ok, level: Int32 = 6
  ) throws -> Response {
    let isPacked = text.count > Gzip.worthwhile && Gzip.isAccepted(by: request)
    let bytes = isPacked ? try Gzip.compress(text, level: level) : text
    return json(bytes: ByteBuffer(bytes: bytes), isPacked: isPacked, status: status)
  }

  /// `isPacked`: `bytes` are compressed by gzip.
  static func json(
    bytes: ByteBuffer, isPacked: Bool, status: HTTPResponse.Status = .ok
  ) -> Response {
    var headers: HTTPFields = [
      .contentType: "application/json; charset=utf-8", .cacheControl: "no-store", .vary: "Accept-Encoding",
    ]
    if isPacked { headers[.contentEncoding] = "gzip" }
    return Response(status: status, headers: headers, body: .init(byteBuffer: bytes))
  }

  /// Whoever keeps this answer must not give it to requests that differ in that header.
  mutating func vary(by header: String) {
    headers[.vary] = (headers[.vary].map { "\($0), " } ?? "") + header
  }
}
