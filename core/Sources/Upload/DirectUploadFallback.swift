/// Whether the bytes go through the server although they may go straight to the storage: where a firewall, a
/// name that is not known here or a wrong setting keeps this client from the storage, the machine would try
/// in vain until it gives up. For hosts in Swift; the page has its own.
///
/// It takes three rounds one behind the other in which the storage refused, or hardly a byte left, and after
/// which the server answered. A connection that breaks on the way is no reason, since parts are made for
/// that.
public struct DirectUploadFallback: Sendable {
  static let patience = 3
  /// Less may lie in buffers of this device; and who never gets further gets no part through either.
  static let hardlyBytes = 256 * 1024

  public private(set) var isTaken = false
  private var rounds = 0
  private var isBarred = false
  private var isReached = false

  public init() {}

  /// `nil`: the storage has the part.
  public mutating func partEnded(_ failure: Upload.Reason?, bytesLeft: Int) {
    switch failure {
    case .addressExpired: isBarred = true
    case .network where bytesLeft < Self.hardlyBytes: isBarred = true
    default: isReached = true
    }
  }

  /// And takes bytes: a round has ended.
  public mutating func serverAnswered() {
    if isReached { rounds = 0 } else if isBarred { rounds += 1 }
    isReached = false
    isBarred = false
    isTaken = isTaken || rounds >= Self.patience
  }
}
