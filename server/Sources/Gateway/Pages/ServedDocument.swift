internal import Contract
internal import HTTPServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import OpenAPI
internal import Platform

/// The OpenAPI document as it is served: made and compressed once, and asked for again by its tag.
struct ServedDocument: Sendable {
  private struct Form {
    let plain: [UInt8]
    let compressed: [UInt8]?
    let tag: String
  }

  private static let form: Form = {
    let plain = Array(Document.text.utf8)
    return Form(
      plain: plain, compressed: try? Gzip.compress(plain, level: 9),
      tag: String(ContentHash.of(plain).prefix(20)))
  }()

  func answer(_ request: Request) throws -> Response {
    let form = Self.form
    let compressed = Gzip.isAccepted(by: request) ? form.compressed : nil
    // NB: a strong tag stands for exact bytes, so the compressed form needs one of its own.
    let tag = compressed == nil ? "\"\(form.tag)\"" : "\"\(form.tag)-gz\""
    // Tools of other sites may read it too: it is the same for everybody.
    var headers: HTTPFields = [
      .contentType: "application/json; charset=utf-8", .eTag: tag, .cacheControl: "public, max-age=300",
      .vary: "Accept-Encoding", .accessControlAllowOrigin: "*",
    ]
    if Validators.matches(request.headers[.ifNoneMatch], tag) {
      return Response(status: .notModified, headers: headers)
    }
    if compressed != nil { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: compressed ?? form.plain)))
  }
}
