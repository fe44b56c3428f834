internal import Ranking

/// How far what somebody does is believed, 0 to 1. Guests cost nothing, and neither do accounts of today.
enum Trust {
  static let guest: Float = 0.4
  static let newAccount: Float = 0.6
  static let newForMs: Int64 = 86_400_000

  /// Nothing that authors do with their own clips counts.
  static func of(_ event: EventLog.Event, clipAuthor: EntityID) -> Float {
    if EntityID(of: event.viewer) == clipAuthor { return 0 }
    guard let sinceMs = event.accountSinceMs else { return guest }
    let (age, isWrong) = EventLog.ms(of: event.id).subtractingReportingOverflow(sinceMs)
    return !isWrong && age >= newForMs ? 1 : newAccount
  }
}
