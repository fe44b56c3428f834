public import AppModel
public import Foundation
internal import SwiftUI
public import UIKit

/// Short sentences over everything, sheets included. It is as large as the sentence, so that touches beside
/// it go to what lies below.
@MainActor public final class AnnouncementWindow: UIWindow {
  private static let margin: CGFloat = 16
  private static let widest: CGFloat = 480

  private let announcements: Announcements
  private let below: UIWindow
  private let controller: UIHostingController<AnnouncementView>
  /// Where the keyboard is or goes, on the screen.
  private var keyboard: CGRect?
  private var keyboardToken: (any NSObjectProtocol)?

  /// `below` is the window that the sentences are about.
  public init(_ announcements: Announcements, over below: UIWindow, scene: UIWindowScene) {
    self.announcements = announcements
    self.below = below
    controller = UIHostingController(rootView: AnnouncementView(announcements))
    super.init(windowScene: scene)
    windowLevel = .alert
    backgroundColor = .clear
    controller.view.backgroundColor = .clear
    rootViewController = controller
    isHidden = true
    track(self) { [weak self] in self?.follow() }
    followKeyboard()
  }

  public required init?(coder: NSCoder) { nil }

  /// Its window lies over this one. It lives as long as the app, and so does this.
  private func followKeyboard() {
    keyboardToken = NotificationCenter.default.addObserver(
      forName: UIResponder.keyboardWillChangeFrameNotification, object: nil, queue: .main
    ) { [weak self] notice in
      let frame = notice.userInfo?[UIResponder.keyboardFrameEndUserInfoKey] as? CGRect
      MainActor.assumeIsolated {
        self?.keyboard = frame
        self?.place()
      }
    }
  }

  private func follow() {
    guard let next = announcements.waiting.first else { return isHidden = true }
    place()
    isHidden = false
    UIAccessibility.post(notification: .announcement, argument: next.text.words)
  }

  private func place() {
    let room = below.bounds
    let width = max(0, min(room.width - 2 * Self.margin, Self.widest))
    let size = controller.sizeThatFits(in: CGSize(width: width, height: room.height / 2))
    // From the screen: a window need not be as large.
    let keys = keyboard.map { below.convert($0, from: nil as UIWindow?) }
    let top = AnnouncementPlace.top(
      of: Double(size.height), in: Double(room.height),
      keyboard: keys.map { (Double($0.minY), Double($0.maxY)) })
    frame = CGRect(
      x: (room.width - min(size.width, width)) / 2, y: CGFloat(top), width: min(size.width, width),
      height: size.height)
  }
}

/// The first that waits, until it has been read.
struct AnnouncementView: View {
  private let announcements: Announcements
  @Environment(\.accessibilityVoiceOverEnabled) private var isSpoken

  init(_ announcements: Announcements) { self.announcements = announcements }

  var body: some View {
    if let announcement = announcements.waiting.first {
      bar(announcement).task(id: announcement.id) { await leave(announcement) }
    }
  }

  private func bar(_ announcement: Announcements.Announcement) -> some View {
    HStack(spacing: 12) {
      Text(verbatim: announcement.text.words).multilineTextAlignment(.leading)
      if let action = announcement.action {
        Button(LocalizedStringKey(action.title)) {
          announcements.remove(announcement.id)
          action.run()
        }
        .bold()
        .frame(minWidth: 44, minHeight: 44)
      }
    }
    .font(.callout)
    .padding(.horizontal, 16)
    .padding(.vertical, 10)
    .background(.thickMaterial, in: RoundedRectangle(cornerRadius: 16))
    .onTapGesture { announcements.remove(announcement.id) }
    .accessibilityElement(children: .contain)
  }

  /// Longer with something to tap, and for who listens.
  private func leave(_ announcement: Announcements.Announcement) async {
    let seconds = announcement.action == nil ? 3 : 6
    try? await Task.sleep(for: .seconds(isSpoken ? seconds * 2 : seconds))
    if !Task.isCancelled { announcements.remove(announcement.id) }
  }
}
