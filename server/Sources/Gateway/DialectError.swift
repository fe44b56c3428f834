internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Platform

/// An error as OpenAI's API writes it, for programs that speak its dialect: what their libraries make an
/// exception of, by status and code.
enum DialectError {
  private struct Body: Encodable { let error: Inner }

  private struct Inner: Encodable {
    let message: String
    let type: String
    let code: String
    let param: String?

    private enum Key: String, CodingKey { case message, type, code, param }

    /// NB: what is not there is written as null, as they do.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(message, forKey: .message)
      try container.encode(type, forKey: .type)
      try container.encode(code, forKey: .code)
      try container.encode(param, forKey: .param)
    }
  }

  /// In place of the problem that the same error is elsewhere, with its headers.
  @inline(never)
  static func answer(because error: any Error, _ problem: Response) -> Response {
    let code = Gateway.code(of: error)
    let (detail, field) = words(of: error)
    let status = status(of: code)
    let inner = Inner(
      message: detail ?? code.message, type: kind(of: code, status), code: name(of: code), param: field)
    let body = (try? WireCoding.encode(Body(error: inner))) ?? Data()
    var headers = problem.headers
    headers[.contentType] = "application/json; charset=utf-8"
    // That of the problem: a client would wait for bytes that never come.
    headers[.contentLength] = "\(body.count)"
    if status == 429, headers[.retryAfter] == nil { headers[.retryAfter] = retryAfter }
    // Their libraries repeat what comes with 429, and there are no credits before tomorrow.
    if code == .insufficientCredits { headers[.xShouldRetry] = "false" }
    return Response(
      status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// In seconds, where nobody knows better.
  private static let retryAfter = "60"

  private static func words(of error: any Error) -> (detail: String?, field: String?) {
    switch error {
    case let error as Refusal: (error.detail, error.field)
    case let error as AppError: (error.detail, error.field)
    default: (nil, nil)
    }
  }

  /// They have one status for all that is wrong in a request, and one for all that is too much.
  private static func status(of code: ErrorCode) -> Int {
    switch code {
    case .insufficientCredits, .generationsUnderWay: 429
    default: code.status == 422 ? 400 : code.status
    }
  }

  private static func kind(of code: ErrorCode, _ status: Int) -> String {
    switch status {
    case 401: "authentication_error"
    case 403: "permission_error"
    case 429: code == .insufficientCredits ? "insufficient_quota" : "rate_limit_error"
    case 500...: "server_error"
    default: "invalid_request_error"
    }
  }

  /// Theirs where programs go by it; else ours.
  private static func name(of code: ErrorCode) -> String {
    switch code {
    case .apiKeyInvalid: "invalid_api_key"
    case .tooManyRequests, .generationsUnderWay: "rate_limit_exceeded"
    case .insufficientCredits: "insufficient_quota"
    default: code.rawValue
    }
  }
}

extension HTTPField.Name {
  static let xShouldRetry = HTTPField.Name("X-Should-Retry")!
}
