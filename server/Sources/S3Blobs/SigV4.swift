internal import Crypto
internal import Foundation
internal import Platform

/// Signature Version 4 of Amazon Web Services, as S3 wants it: who may do this one request, proven by a key
/// that never travels. Pure: the same request, key and time give the same text. It knows nothing of buckets,
/// sockets or clocks.
struct SigV4: Sendable {
  typealias Pair = (name: String, value: String)

  struct Credentials: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    let accessKey: String
    let secretKey: String
    /// Comes with credentials that are lent for a time.
    var sessionToken: String?

    // NB: never the secret; values are printed in logs and test failures.
    var description: String { "credentials" }
    var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// What is signed. Names of headers are in lower case; `path` is already percent-encoded, the query is not.
  struct Request {
    var method: String
    var path: String
    var query: [Pair] = []
    var headers: [Pair]
  }

  static let algorithm = "AWS4-HMAC-SHA256"
  /// Stands in for the hash of a body that whoever signs does not know: an address that is handed out.
  static let unsignedPayload = "UNSIGNED-PAYLOAD"

  let credentials: Credentials
  let region: String
  var service = "s3"

  /// The request's headers with those that prove it: time, hash of the body, token, signature.
  func signed(_ request: Request, payloadHash: String, at ms: Int64) -> [Pair] {
    var request = request
    request.headers.append(("x-amz-content-sha256", payloadHash))
    request.headers.append(("x-amz-date", Timestamps.basic(ms)))
    if let token = credentials.sessionToken { request.headers.append(("x-amz-security-token", token)) }
    let signature = signature(of: request, payloadHash: payloadHash, at: ms)
    let value =
      "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(ms)), "
      + "SignedHeaders=\(Self.names(request.headers)), Signature=\(signature)"
    return request.headers + [("authorization", value)]
  }

  /// The query, encoded, of an address with which anyone may do this request until it expires. Headers that
  /// are signed must be sent with exactly these values.
  func presignedQuery(_ request: Request, seconds: Int, at ms: Int64) -> String {
    var request = request
    request.query += [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(ms))"),
      ("X-Amz-Date", Timestamps.basic(ms)), ("X-Amz-Expires", "\(seconds)"),
      ("X-Amz-SignedHeaders", Self.names(request.headers)),
    ]
    if let token = credentials.sessionToken { request.query.append(("X-Amz-Security-Token", token)) }
    let signature = signature(of: request, payloadHash: Self.unsignedPayload, at: ms)
    return Self.encodedQuery(request.query) + "&X-Amz-Signature=\(signature)"
  }

  /// Sorted by encoded name, then value, as the signature wants it and any server takes it.
  static func encodedQuery(_ query: [Pair]) -> String {
    query.map { (encoded($0.name), encoded($0.value)) }
      .sorted { $0.0 == $1.0 ? precedes($0.1, $1.1) : precedes($0.0, $1.0) }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Percent-encodes all but what RFC 3986 leaves alone; in a path the slash stays too.
  static func encoded(_ text: String, keepingSlashes: Bool = false) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "/") where keepingSlashes: result += "/"
      default: result += "%" + ContentHash.hex([byte]).uppercased()
      }
    }
    return result
  }

  private func scope(_ ms: Int64) -> String {
    "\(Timestamps.basic(ms).prefix(8))/\(region)/\(service)/aws4_request"
  }

  private func signature(of request: Request, payloadHash: String, at ms: Int64) -> String {
    let headers = request.headers.map { ($0.name, Self.folded($0.value)) }
      .sorted { Self.precedes($0.0, $1.0) }.map { "\($0.0):\($0.1)\n" }.joined()
    let canonical = [
      request.method, request.path, Self.encodedQuery(request.query), headers, Self.names(request.headers),
      payloadHash,
    ].joined(separator: "\n")
    let toSign = [
      Self.algorithm, Timestamps.basic(ms), scope(ms), ContentHash.of(Array(canonical.utf8)),
    ].joined(separator: "\n")
    var key = Array("AWS4\(credentials.secretKey)".utf8)
    for part in [String(Timestamps.basic(ms).prefix(8)), region, service, "aws4_request", toSign] {
      key = Array(HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: SymmetricKey(data: key)))
    }
    return ContentHash.hex(key)
  }

  private static func names(_ headers: [Pair]) -> String {
    headers.map(\.name).sorted(by: precedes).joined(separator: ";")
  }

  /// Without spaces at the ends, and with one where there are several.
  private static func folded(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
