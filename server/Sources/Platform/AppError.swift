public import Contract

/// An error with a place in the table. Only the gateway turns it into HTTP, only commands turn it into text.
public struct AppError: Error, Sendable, Equatable, CustomStringConvertible {
  public let code: ErrorCode
  /// Says more exactly than the table what is wrong; nil: the table's sentence is enough.
  public let detail: String?

  public init(_ code: ErrorCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }

  public var message: String { detail ?? code.message }
  public var description: String { "\(code.rawValue): \(message)" }
}
