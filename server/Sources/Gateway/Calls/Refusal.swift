internal import Contract
internal import HTTPTypes

/// An error that needs headers of its own beside the problem.
struct Refusal: Error {
  let code: ErrorCode
  let detail: String?
  /// As that of `AppError`.
  let field: String?
  let challenge: String?
  let headers: HTTPFields

  init(
    _ code: ErrorCode, _ detail: String? = nil, _ headers: HTTPFields = [:], field: String? = nil,
    challenge: String? = nil
  ) {
    self.code = code
    self.detail = detail
    self.field = field
    self.challenge = challenge
    self.headers = headers
  }
}
