/// Something that may be away, and can say so.
public protocol HealthChecking: Sendable {
  /// Throws what is wrong with it, in words for an operator.
  func check() async throws
}
