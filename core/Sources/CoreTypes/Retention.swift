/// How many of those who start a clip still watch it after 0, 1, 2 … seconds, in millionths: what
/// the server knows from all who have seen it.
public struct Retention: Equatable, Sendable {
  public static let whole: Int32 = 1_000_000
  /// More seconds than the longest clip has.
  public static let maxSeconds = 600

  /// One entry for each whole second from 0 on; the last one stays (those who watch on and on).
  public let shares: [Int32]

  /// `nil` for no entry or too many. Shares out of range are brought into it, and never rise.
  public init?(shares: [Int32]) {
    guard !shares.isEmpty, shares.count <= Self.maxSeconds else { return nil }
    var bound = Self.whole
    self.shares = shares.map { share in
      bound = min(max(share, 0), bound)
      return bound
    }
  }
}
