public import AppModel
public import Foundation
internal import SwiftUI
public import UIKit

/// Short sentences over everything, sheets included. It is as large as the sentence, so that touches beside
/// it go to what lies below.
@MainActor public final class AnnouncementWindow: UIWindow {
  private static let margin: CGFloat = 16
  /// Above the message bar, and above the controls of a sheet.
  private static let rise: CGFloat = 120
  private static let widest: CGFloat = 480

  private let announcements: Announcements
  private let below: UIWindow
  private let controller: UIHostingController<AnnouncementView>

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
  }

  public required init?(coder: NSCoder) { nil }

  private func follow() {
    guard let next = announcements.waiting.first else { return isHidden = true }
    let room = below.bounds
    let width = max(0, min(room.width - 2 * Self.margin, Self.widest))
    let size = controller.sizeThatFits(in: CGSize(width: width, height: room.height / 2))
    frame = CGRect(
      x: (room.width - min(size.width, width)) / 2, y: max(0, room.height - Self.rise - size.height),
      width: min(size.width, width), height: size.height)
    isHidden = false
    UIAccessibility.post(notification: .announcement, argument: next.text.words)
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
