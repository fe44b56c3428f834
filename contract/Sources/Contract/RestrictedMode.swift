public import Foundation

/// Whether somebody sees clips that are for adults alone.
public struct RestrictedMode: Codable, Sendable, Equatable {
  /// Such clips are nowhere.
  public var restricted: Bool
  /// When the account said that it is an adult's; nil: it never did.
  public var confirmedAt: Date?

  public init(restricted: Bool, confirmedAt: Date? = nil) {
    self.restricted = restricted
    self.confirmedAt = confirmedAt
  }
}

/// The body that changes it.
public struct RestrictedModeChange: Codable, Sendable, Equatable {
  public var restricted: Bool
  /// The account says that it is an adult's. It says so once; what it has said, it has said.
  public var isAdult: Bool?

  public init(restricted: Bool, isAdult: Bool? = nil) {
    self.restricted = restricted
    self.isAdult = isAdult
  }
}
