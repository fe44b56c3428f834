/// Whose upload it is, and so whose turn and whose share it takes.
public enum UploadOwner: Sendable, Equatable {
  case account(String)
  /// Guests are told apart by address only: anybody could make any number of them. What is kept is no address
  /// but a name of it, for a day (`DailyNames`).
  case guest(address: String)

  public var isAccount: Bool { if case .account = self { true } else { false } }
}

/// As it is kept in the database.
extension UploadOwner: LosslessStringConvertible {
  private static let accountPrefix = "account:"
  private static let guestPrefix = "guest:"

  public var description: String {
    switch self {
    case .account(let id): Self.accountPrefix + id
    case .guest(let address): Self.guestPrefix + address
    }
  }

  public init?(_ text: String) {
    if text.starts(withBytesOf: Self.accountPrefix) {
      self = .account(String(text.dropFirst(Self.accountPrefix.count)))
    } else if text.starts(withBytesOf: Self.guestPrefix) {
      self = .guest(address: String(text.dropFirst(Self.guestPrefix.count)))
    } else {
      return nil
    }
  }
}
