public import Contract
public import Platform

/// A message as it goes to an endpoint, signed.
public struct SignedMessage: Sendable, Equatable {
  /// The same for each try.
  public var id: String
  /// Of this try, in seconds since 1970.
  public var timestamp: Int64
  /// One for each secret that counts, with a space between.
  public var signatures: String
  /// JSON.
  public var body: [UInt8]

  public init(id: String, timestamp: Int64, signatures: String, body: [UInt8]) {
    self.id = id
    self.timestamp = timestamp
    self.signatures = signatures
    self.body = body
  }
}

/// What an endpoint answered, of which nothing is kept but this.
public enum WebhookOutcome: Sendable, Equatable {
  /// `retryAfterMs`: where it says after how long to try again.
  case answered(status: Int, retryAfterMs: Int64? = nil)
  case unanswered(WebhookDeliveryProblem)
}

/// Who writes to endpoints. An endpoint is a stranger whom another stranger named.
public protocol WebhookSending: Sendable {
  /// Whether this can be written to, as far as can be told without asking anybody.
  func mayReach(_ address: String) -> Bool
  /// Says what became of it, in a time that ends. The same one may be sent again.
  func send(_ message: SignedMessage, to address: String) async -> WebhookOutcome
}

/// Which accounts are more than a name that somebody chose.
public protocol AccountVerifying: Sendable {
  func isVerified(_ account: String, in transaction: any Transaction) throws -> Bool
}

/// Who tells people of their endpoints.
public protocol WebhookTelling: Sendable {
  /// It was switched off, though its owner did not ask for it. `account`: nil: it is the operator's.
  func switchedOff(
    _ webhook: String, of account: String?, because problem: WebhookProblem, in transaction: any Transaction
  ) throws
}

/// Who asks providers after videos.
public protocol PollHurrying: Sendable {
  /// The next look at that video of the provider's is now, if there is one to come.
  func hurry(_ video: String, at provider: String, in transaction: any Transaction) throws
}
