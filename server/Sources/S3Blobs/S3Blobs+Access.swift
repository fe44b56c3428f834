internal import AsyncHTTPClient
internal import Contract
internal import Foundation
internal import NIOHTTP1

extension S3Blobs {
  /// Why the bucket cannot be used, for the operator: names where, and says what to do.
  public struct NoAccess: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// Does once what a server does: writes, reads, lists, begins and aborts an upload, removes.
  public func checkAccess() async throws {
    var doing = "write"
    do {
      var once = client
      once.attempts = 2
      let key = "\(incoming)probe-\(UInt64.random(in: 0...UInt64.max))"
      _ = try await once.answer(S3Call(method: .PUT, key: key, payload: .bytes(Array("ok".utf8))))
      doing = "read"
      try await once.read(key, range: 0..<2) { _ in }
      doing = "list"
      _ = try await once.objects(under: incoming, after: nil, limit: 1)
      doing = "upload in parts to"
      try await once.abort(try await once.beginMultipart(key + "-parts", headers: []))
      doing = "remove from"
      try await once.remove(key)
    } catch let failure as S3Failure {
      throw NoAccess(description: sentence(failure, doing))
    }
  }

  private func sentence(_ failure: S3Failure, _ doing: String) -> String {
    let answer = "(the answer to \"\(doing)\" was \(failure.code))"
    switch failure.code {
    case "NoSuchBucket", "Status404":
      return
        "There is no bucket \(bucket.name) at \(bucket.origin) \(answer); make it, or mend CLIPFEED_S3_BUCKET."
    case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken":
      return "The keys are not accepted \(answer); mend CLIPFEED_S3_ACCESS_KEY and CLIPFEED_S3_SECRET_KEY."
    case "AuthorizationHeaderMalformed", "PermanentRedirect", "TemporaryRedirect",
      "IllegalLocationConstraintException":
      return "The bucket lies in another region \(answer); mend CLIPFEED_S3_REGION."
    case "AccessDenied", "Status403":
      return "The keys may not \(doing) bucket \(bucket.name) \(answer); give them the right to."
    default:
      return failure.status == 0
        ? "Nothing answers at \(bucket.origin) \(answer); mend CLIPFEED_S3_ENDPOINT, or start the storage."
        : "The bucket \(bucket.name) cannot be used now \(answer)."
    }
  }
}
