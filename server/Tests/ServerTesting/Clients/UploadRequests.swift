import Contract
import Foundation
import Platform
import Testing

@testable import Composition

/// What a client sends to upload a file.
enum UploadRequests {
  /// Some bytes that pass for the beginning of an MP4; no decoder ever sees them.
  static func file(_ count: Int, seed: Int = 0) -> Data {
    Data([0, 0, 0, 24]) + Data("ftypmp42".utf8)
      + Data(
        (12..<count).map { (place: Int) -> UInt8 in
          UInt8(truncatingIfNeeded: (place + seed) * 31 + place / 256)
        })
  }

  static func creation(_ file: Data, key: String = "key-of-a-file", size: Int? = nil, hash: String? = nil)
    throws
    -> WireRequest
  {
    let new = NewUpload(
      sizeBytes: size ?? file.count, sha256: hash ?? ContentHash.of(file), type: "video/mp4",
      details: ClipDetails(caption: "At the #Pier", tags: ["dawn"]))
    return WireRequest(
      "POST", Route.uploads.path(),
      headers: ["content-type": "application/json", "idempotency-key": key], body: try WireCoding.encode(new))
  }

  static func piece(_ id: String, _ bytes: Data, at offset: Int, _ headers: [String: String] = [:])
    -> WireRequest
  {
    let own = ["content-type": "application/offset+octet-stream", "upload-offset": "\(offset)"]
    return WireRequest("PATCH", Route.upload.path(id), headers: own.merging(headers) { $1 }, body: bytes)
  }

  /// A clip of these bytes that somebody uploaded, and that can be watched.
  @discardableResult
  static func publish(
    _ file: Data, _ visibility: Visibility?, key: String = "key-of-a-file",
    of sourceType: DigitalSourceType? = nil, on bench: TestInstance, _ transport: any Transport
  ) async throws -> UploadStatus {
    let new = NewUpload(
      sizeBytes: file.count, sha256: ContentHash.of(file), type: "video/mp4",
      details: ClipDetails(caption: "At the #pier", visibility: visibility), digitalSourceType: sourceType)
    let made = try await transport.send(
      WireRequest(
        "POST", Route.uploads.path(),
        headers: ["content-type": "application/json", "idempotency-key": key],
        body: try WireCoding.encode(new)))
    let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
    _ = try await transport.send(piece(id, file, at: 0))
    _ = try await transport.send(WireRequest("POST", Route.uploadCommit.path(id)))
    while try await bench.instance.worker(tools: bench.tools).runNext() {}
    let end = try await transport.send(WireRequest("GET", Route.upload.path(id)))
    let upload = try WireCoding.decode(UploadStatus.self, from: end.body)
    try #require(upload.state == .published)
    return upload
  }
}
