/// By which a repeated request is known, and whose it is, the id of an account or of a guest: who knows
/// somebody else's has nothing by it.
public struct IdempotencyKey: Sendable, Equatable {
  public let creator: String
  public let text: String

  public init(_ text: String, of creator: String) {
    self.creator = creator
    self.text = text
  }
}
