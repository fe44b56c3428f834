internal import Contract
internal import CoreTypes
internal import Foundation
internal import Upload

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The server's side of an upload (docs/design/uploads-on-the-wire.md), one function for each request. Each
/// throws `Refused` or `CancellationError` and nothing else.
struct UploadRequests: Sendable {
  let api: any Contract.Transport
  let base: URL

  /// `guest` as a `Cookie` header has it; what comes back is the guest that this made, if it made one.
  func create(_ new: NewUpload, key: UploadKey, guest: String?) async throws -> (UploadStatus, String?) {
    var headers = ["content-type": "application/json", "idempotency-key": Self.text(key)]
    headers["cookie"] = guest
    guard let body = try? WireCoding.encode(new) else { throw Refused(Upload.Failure(.rejected)) }
    let response = try await send(WireRequest("POST", Route.uploads.path(), headers: headers, body: body))
    return (try Self.status(in: response), guestCookie(of: response))
  }

  func state(_ id: String) async throws -> UploadStatus {
    try Self.status(in: try await send(WireRequest("GET", Route.upload.path(id))))
  }

  /// Nobody else adds to it any more when this returns, so its offset is one to go on from.
  func settledState(_ id: String) async throws -> UploadStatus {
    _ = try await send(WireRequest("HEAD", Route.upload.path(id)))
    return try await state(id)
  }

  func describe(_ id: String, _ patch: ClipDetails) async throws {
    guard let body = try? WireCoding.encode(patch) else { throw Refused(Upload.Failure(.rejected)) }
    _ = try await send(
      WireRequest(
        "PATCH", Route.upload.path(id), headers: ["content-type": "application/merge-patch+json"],
        body: body))
  }

  func commit(_ id: String) async throws -> UploadStatus {
    try Self.status(in: try await send(WireRequest("POST", Route.uploadCommit.path(id))))
  }

  func terminate(_ id: String) async throws {
    _ = try await send(WireRequest("DELETE", Route.upload.path(id)))
  }

  /// Bytes one behind the other go to the server; their answer is `taken`'s to read.
  func part(_ id: String, offset: Int64, headers: [String: String], body: URL) -> PartUpload {
    var headers = headers
    headers["Content-Type"] = "application/offset+octet-stream"
    headers["Upload-Offset"] = String(offset)
    return PartUpload(
      method: "PATCH", url: URL(string: Route.upload.path(id), relativeTo: base)?.absoluteURL ?? base,
      headers: headers, body: body)
  }

  /// Up to where the server has everything.
  static func taken(_ response: WireResponse) throws -> Int64 {
    guard (200..<300).contains(response.status), let offset = Refused.offset(response) else {
      throw Refused(response)
    }
    return offset
  }

  private func send(_ request: WireRequest) async throws -> WireResponse {
    let response: WireResponse
    do {
      response = try await api.send(request)
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw Refused(error)
    }
    guard (200..<300).contains(response.status) else { throw Refused(response) }
    return response
  }

  /// An answer that is none (a captive portal's page) counts as an error of the server.
  private static func status(in response: WireResponse) throws -> UploadStatus {
    guard let status = try? WireCoding.decode(UploadStatus.self, from: response.body), !status.id.isEmpty
    else { throw Refused(Upload.Failure(.serverBusy)) }
    return status
  }

  private func guestCookie(of response: WireResponse) -> String? {
    guard let field = response.headers["set-cookie"] else { return nil }
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: base)
      .filter { $0.name.hasSuffix("clipfeed_guest") && !$0.value.isEmpty }
    return cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  private static func text(_ key: UploadKey) -> String { hex([key.high, key.low]) }

  static func hex(_ words: [Int64]) -> String {
    words.map { word in
      let digits = String(UInt64(bitPattern: word), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
