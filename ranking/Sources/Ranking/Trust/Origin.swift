/// Who an event is from, as far as it says how much it is to be believed. The host knows it; nothing here
/// names a person or an address.
public struct Origin: Sendable, Equatable {
  /// Without an account.
  public var isGuest: Bool
  /// When the account, or the guest's token, was made, in milliseconds since 1970. Nothing counts as just
  /// now.
  public var since: Int64?
  /// Those who come from near each other have the same: a keyed hash of the network of the address (the
  /// first 24 bits of IPv4, the first 48 of IPv6), under a key that the host changes from time to time and
  /// keeps to itself. Nothing if it does not know.
  public var addressGroup: UInt64?

  public init(isGuest: Bool, since: Int64?, addressGroup: UInt64?) {
    self.isGuest = isGuest
    self.since = since
    self.addressGroup = addressGroup
  }
}
