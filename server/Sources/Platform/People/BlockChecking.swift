public import Contract

extension Transaction {
  /// NB: who follows or writes to somebody looks for blocks first, and who blocks ends what there is. One
  /// after the other, or each misses what the other is about to write.
  public func lock(between one: String, and other: String) throws {
    try lock("between \(min(one, other)) and \(max(one, other))")
  }
}

/// Who wants to have nothing to do with whom. It holds both ways: between two of whom one has blocked the
/// other there are no clips, no comments and no notices.
public protocol BlockChecking: Sendable {
  /// False for nearly everybody, who need not be asked about anything more then.
  func hasAnyBlock(_ viewer: String, in transaction: any Transaction) throws -> Bool
  /// Those of these authors that have blocked the viewer, or that the viewer has.
  func blocked(
    from viewer: String, among authors: [String], in transaction: any Transaction
  ) throws -> Set<String>
  /// Throws `author_blocked` to whoever has blocked the author. Who was blocked is not told so: it throws
  /// `missing`, as if there were nothing.
  func requireNotBlocked(
    _ viewer: String, _ author: String, else missing: ErrorCode, in transaction: any Transaction) throws
}
