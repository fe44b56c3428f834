internal import Contract

extension Operation {
  static let notifications: [Operation] =
    reading(
      "notifications", .notifications, "notifications",
      "What happened to whoever asks, the last first; what is gone by now is left out.",
      NotificationPage.self, parameters: Parameter.page,
      links: Parameter.next(of: "getNotifications")
        + Link.byID(at: "/items/0/clip/id", "getClip", "headClip"))
    + [
      Operation(
        id: "markNotificationsSeen", route: .notificationsSeen, method: "PUT", tag: "notifications",
        summary: "Says how far the list was seen.", bodies: [.json(NotificationsSeen.self)],
        answers: [.json(200, "What is still new.", UnseenCount.self)],
        codes: [.invalidParameter], access: .viewers, limit: .caller(.marks))
    ]
    + reading(
      "unseenNotifications", .unseenNotifications, "notifications", "How many entries of the list are new.",
      UnseenCount.self)
    + reading(
      "notificationSettings", .notificationSettings, "notifications",
      "What whoever asks wants to hear of, and where.", NotificationSettings.self)
    + [
      Operation(
        id: "changeNotificationSettings", route: .notificationSettings, method: "PUT", tag: "notifications",
        summary: "Changes what whoever asks wants to hear of.",
        bodies: [.json(NotificationSettingsChange.self)],
        answers: [.json(200, "All of them.", NotificationSettings.self)],
        codes: [.invalidParameter], access: .viewers, limit: .caller(.accountChanges))
    ]
}
