/// What the system knows of notifications.
@MainActor public protocol PushPort: AnyObject {
  /// What the person has said so far.
  func permission() async -> PushPermission
  /// Asks the person, once: the system asks nobody twice. False: they do not want any.
  func ask() async -> Bool
  /// The device's token comes soon, by `PushModel.received`; or not, without a network.
  func requestToken()
  /// The number on the app's icon.
  func showBadge(_ count: Int)
}

public enum PushPermission: Sendable {
  case undecided, given, refused
}
