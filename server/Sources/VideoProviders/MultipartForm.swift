internal import Foundation

/// multipart/form-data (RFC 7578).
struct MultipartForm {
  private var bytes: [UInt8] = []
  private let boundary = "clipfeed-\(UUID().uuidString)"

  /// `name` is one of ours.
  mutating func add(_ name: String, _ value: String) {
    open(name, "")
    bytes += Array((value + "\r\n").utf8)
  }

  mutating func add(_ name: String, file: String, type: String, _ content: [UInt8]) {
    open(name, "; filename=\"\(file)\"\r\nContent-Type: \(type)")
    bytes += content
    bytes += Array("\r\n".utf8)
  }

  var body: VendorClient.Body {
    VendorClient.Body(
      bytes: bytes + Array("--\(boundary)--\r\n".utf8), type: "multipart/form-data; boundary=\(boundary)")
  }

  private mutating func open(_ name: String, _ rest: String) {
    bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(rest)\r\n\r\n".utf8)
  }
}
