/// Problem details of RFC 9457, the body of every error response.
public struct Problem: Codable, Sendable, Equatable, Error {
  public static let contentType = "application/problem+json"

  /// A stable name of the kind of problem; it is not an address to open.
  public var type: String
  public var title: String
  public var status: Int
  public var detail: String
  public var code: String
  /// What in the request is wrong, where it is one thing: a path into the body (`details.tags[0]`), or the
  /// name of a parameter or a header.
  public var field: String?
  public var requestId: String
  public var retryable: Bool
  /// Of `second_step_needed`: with what the second step of the sign-in is taken, once, within ten minutes.
  public var challenge: String?
  /// Of the answer's `Retry-After`, and not of its body: after how long the same may be asked for again, at
  /// most `WireResponse.longestRetryAfter`.
  public var retryAfterSeconds: Int?

  private enum CodingKeys: String, CodingKey {
    case type, title, status, detail, code, field, requestId, retryable, challenge
  }

  /// `detail` replaces the table's sentence where there is something more exact to say.
  public init(
    _ code: ErrorCode, detail: String? = nil, field: String? = nil, challenge: String? = nil,
    requestID: String
  ) {
    self.type = "urn:clipfeed:problem:\(code.rawValue)"
    self.title = code.title
    self.status = code.status
    self.detail = detail ?? code.message
    self.code = code.rawValue
    self.field = field
    self.requestId = requestID
    self.retryable = code.retryable
    self.challenge = challenge
  }
}
