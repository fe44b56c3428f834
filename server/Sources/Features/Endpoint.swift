/// How an operation of `/openapi.json` is carried out.
///
/// The operation says who may ask, how often, what a body holds, which codes may come back and the status of
/// the answer; the gateway sees to all of it. An endpoint says what is done, and nothing of HTTP.
public struct Endpoint: Sendable {
  /// Ids of the operations: `sendMessage`; of GET and HEAD `getMessages` and `headMessages`.
  public let operations: [String]
  /// Nil: there is nothing to say but the status.
  public let answer: @Sendable (Call) async throws -> (any Encodable & Sendable)?

  public init<Value: Encodable & Sendable>(
    _ operation: String, _ answer: @escaping @Sendable (Call) async throws -> Value
  ) {
    operations = [operation]
    self.answer = answer
  }

  /// Of one whose answer has no body.
  public init(doing operation: String, _ work: @escaping @Sendable (Call) async throws -> Void) {
    operations = [operation]
    answer = {
      try await work($0)
      return nil
    }
  }

  /// Of GET, and HEAD of the same. `what`: the id without its verb, `messages`.
  public init<Value: Encodable & Sendable>(
    reading what: String, _ answer: @escaping @Sendable (Call) async throws -> Value
  ) {
    let upper = what.prefix(1).uppercased() + what.dropFirst()
    operations = ["get\(upper)", "head\(upper)"]
    self.answer = answer
  }
}
