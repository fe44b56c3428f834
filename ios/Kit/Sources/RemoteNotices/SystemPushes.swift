public import AppModel
internal import Foundation
internal import UIKit
internal import UserNotifications

/// Notifications as the system has them: it carries out `PushModel`'s port, and tells the model what the
/// system says. It decides nothing, and refuses to know where anything leads.
///
/// It has to be there before the app has finished launching, or a tap that starts the app is not heard of.
@MainActor public final class SystemPushes: PushPort {
  /// Hears of taps, and says what is shown while the app is open.
  public weak var model: PushModel? {
    didSet {
      guard let model, let tapped else { return }
      self.tapped = nil
      model.tapped(tapped)
    }
  }

  /// Came before there was anybody to hear of it.
  private var tapped: [String: String]?
  private let listener = Listener()

  public init() {
    listener.owner = self
    // NB: the system keeps its delegate weakly.
    UNUserNotificationCenter.current().delegate = listener
  }

  // MARK: PushPort

  public func permission() async -> PushPermission {
    await withCheckedContinuation { continuation in
      UNUserNotificationCenter.current().getNotificationSettings { settings in
        let permission: PushPermission =
          switch settings.authorizationStatus {
          case .notDetermined: .undecided
          case .denied: .refused
          default: .given
          }
        continuation.resume(returning: permission)
      }
    }
  }

  public func ask() async -> Bool {
    await withCheckedContinuation { continuation in
      UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) {
        isGiven, _ in continuation.resume(returning: isGiven)
      }
    }
  }

  public func requestToken() { UIApplication.shared.registerForRemoteNotifications() }

  public func showBadge(_ count: Int) {
    UNUserNotificationCenter.current().setBadgeCount(count)
  }

  // MARK: What the system says

  fileprivate func isShown(_ payload: [String: String]) -> Bool { model?.isShown(payload) ?? true }

  fileprivate func wasTapped(_ payload: [String: String]) {
    if let model { model.tapped(payload) } else { tapped = payload }
  }
}

/// NB: the system calls it on whatever thread it likes, so it is of none; what it is told to answer with it
/// may be told on the main one, as UIKit wants it.
private final class Listener: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
  /// Set once, before the system knows of this.
  @MainActor weak var owner: SystemPushes?

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    let payload = Self.payload(of: notification)
    Task { @MainActor in
      let isShown = owner?.isShown(payload) ?? true
      completionHandler(isShown ? [.banner, .list, .sound, .badge] : [.badge])
    }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    let payload = Self.payload(of: response.notification)
    Task { @MainActor in
      owner?.wasTapped(payload)
      completionHandler()
    }
  }

  /// What is text in it, under names that are text: nothing else leads anywhere.
  private static func payload(of notification: UNNotification) -> [String: String] {
    var texts: [String: String] = [:]
    for (name, value) in notification.request.content.userInfo {
      if let name = name as? String, let text = value as? String { texts[name] = text }
    }
    return texts
  }
}
