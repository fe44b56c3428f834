public import Platform

/// How others see an account: its author, with the same id.
public protocol AuthorProfiles: Sendable {
  /// Throws `handle_taken`.
  func makeFace(id: String, handle: String, name: String, in transaction: any Transaction) throws
  func renameFace(id: String, name: String, in transaction: any Transaction) throws
}
