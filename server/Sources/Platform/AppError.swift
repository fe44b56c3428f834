public import Contract

/// An error with a place in the table. Only the gateway turns it into HTTP, only commands turn it into text.
public struct AppError: Error, Sendable, Equatable, CustomStringConvertible {
  public let code: ErrorCode
  /// Says more exactly than the table what is wrong; nil: the table's sentence is enough.
  public let detail: String?
  /// What in the request is wrong, where it is one thing: a path into the body (`details.tags[0]`), or the
  /// name of a parameter or a header.
  public let field: String?
  /// Of `second_step_needed`: what the next request brings. It is in no text, so in no log.
  public let challenge: String?

  public init(
    _ code: ErrorCode, _ detail: String? = nil, field: String? = nil, challenge: String? = nil
  ) {
    self.code = code
    self.detail = detail
    self.field = field
    self.challenge = challenge
  }

  public var message: String { detail ?? code.message }
  public var description: String { "\(code.rawValue): \(message)" }
}
