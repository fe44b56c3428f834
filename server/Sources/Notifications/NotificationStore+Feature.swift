internal import Contract
public import Features
public import Platform

extension NotificationStore {
  public func feature(sealing: any ClipSealing) -> Feature {
    Feature(
      endpoints: endpoints(sealing), jobs: [], periodicTasks: [], merging: self, erasing: self,
      exporting: self)
  }

  private func endpoints(_ sealing: any ClipSealing) -> [Endpoint] {
    [
      // A guest has no list, and nobody's is empty.
      Endpoint(reading: "notifications") { call in
        let page = try call.page()
        guard let account = call.viewer?.accountID else {
          return NotificationPage(items: [], nextCursor: nil, mark: "0")
        }
        return try await self.page(of: account, cursor: page.cursor, limit: page.limit, sealing: sealing)
      },
      Endpoint("markNotificationsSeen") { call in
        let seen = try await call.body(NotificationsSeen.self)
        guard let account = call.viewer?.accountID else { return UnseenCount(unseen: 0) }
        return try await markSeen(upTo: seen.upTo, by: account)
      },
      Endpoint(reading: "unseenNotifications") { call in
        guard let account = call.viewer?.accountID else { return UnseenCount(unseen: 0) }
        return try await unseen(of: account)
      },
      Endpoint(reading: "notificationSettings") { try await settings(of: $0.viewer?.id) },
      Endpoint("changeNotificationSettings") { call in
        let change = try await call.body(NotificationSettingsChange.self)
        return try await self.change(change, of: call.viewer?.id ?? "")
      },
    ]
  }
}
