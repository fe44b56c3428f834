public import Platform

/// How an operation is carried out.
///
/// The operation says who may ask, how often, what a body holds, which codes may come back and the status of
/// the answer; the gateway sees to all of it. An endpoint says what is done, and nothing of HTTP.
public struct Endpoint: Sendable {
  /// Ids of the operations: `sendMessage`; of GET and HEAD `getMessages` and `headMessages`.
  public let operations: [String]
  public let answer: @Sendable (Call) async throws -> Answer

  public enum Answer: Sendable {
    /// There is nothing to say but the status.
    case empty
    case value(any Encodable & Sendable)
    /// JSON as it goes out.
    case json([UInt8])
    /// What a medium has in it, which whoever asks may have: with ranges, and kept by nobody on its way.
    case medium(BlobName)
  }

  public init<Value: Encodable & Sendable>(
    _ operation: String, _ answer: @escaping @Sendable (Call) async throws -> Value
  ) {
    operations = [operation]
    self.answer = { .value(try await answer($0)) }
  }

  /// Of one whose answer has no body.
  public init(doing operation: String, _ work: @escaping @Sendable (Call) async throws -> Void) {
    operations = [operation]
    answer = {
      try await work($0)
      return .empty
    }
  }

  /// Of GET, and HEAD of the same. `what`: the id without its verb, `messages`.
  public init<Value: Encodable & Sendable>(
    reading what: String, _ answer: @escaping @Sendable (Call) async throws -> Value
  ) {
    operations = Self.reading(what)
    self.answer = { .value(try await answer($0)) }
  }

  /// The same, of one whose answer is a page of clips. Whoever has an account may comment on them.
  public init(
    readingClips what: String, _ answer: @escaping @Sendable (Call) async throws -> EncodedFeedPage
  ) {
    operations = Self.reading(what)
    self.answer = { .json(try await answer($0).json(commentsOpen: $0.viewer?.accountID != nil)) }
  }

  /// The same, of one whose answer is a medium.
  public init(delivering what: String, _ find: @escaping @Sendable (Call) async throws -> BlobName) {
    operations = Self.reading(what)
    answer = { .medium(try await find($0)) }
  }

  private static func reading(_ what: String) -> [String] {
    let upper = what.prefix(1).uppercased() + what.dropFirst()
    return ["get\(upper)", "head\(upper)"]
  }
}
