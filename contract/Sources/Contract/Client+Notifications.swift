/// What an account hears of, and what it wants to hear of.
extension Client {
  /// What happened last first. Looked at anew with each request: what is gone or blocked by then is left out.
  public func notifications(cursor: String? = nil, limit: Int? = nil) async throws -> NotificationPage {
    try await page(Route.notifications.path(), cursor: cursor, limit: limit)
  }

  /// `mark`: of the page that was seen. Answers what is still new.
  public func markNotificationsSeen(upTo mark: String) async throws -> UnseenCount {
    try await write("PUT", NotificationsSeen(upTo: mark), to: Route.notificationsSeen.path())
  }

  public func unseenNotifications() async throws -> UnseenCount {
    try await get(Route.unseenNotifications.path())
  }

  public func notificationSettings() async throws -> NotificationSettings {
    try await get(Route.notificationSettings.path())
  }

  /// Answers all of them, as they are then.
  public func change(_ change: NotificationSettingsChange) async throws -> NotificationSettings {
    try await write("PUT", change, to: Route.notificationSettings.path())
  }

  /// A browser, by what its push service gave it.
  public func register(_ new: NewWebDevice) async throws -> PushDevice {
    try await write("POST", new, to: Route.webDevices.path())
  }
}
