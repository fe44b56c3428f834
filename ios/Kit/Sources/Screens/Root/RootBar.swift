public import AppModel
public import SwiftUI

/// The way from the feed to what lies over it: the search, the camera, notifications, messages, the person,
/// and the rest in a menu. Below it the upload that is under way.
public struct RootBar: View {
  private let router: Router
  private let unseen: @MainActor () -> Int
  private let unread: @MainActor () -> Int
  private let upload: UploadModel
  private let keeps: Bool
  private let discovery: Discovery

  /// `unseen`: notifications; `unread`: messages; `keeps`: whether this device can keep clips.
  public init(
    _ router: Router, discovery: Discovery, upload: UploadModel, keeps: Bool,
    unseen: @escaping @MainActor () -> Int, unread: @escaping @MainActor () -> Int
  ) {
    self.router = router
    self.discovery = discovery
    self.upload = upload
    self.keeps = keeps
    self.unseen = unseen
    self.unread = unread
  }

  public var body: some View {
    VStack(alignment: .trailing, spacing: 4) {
      places
      UploadPill(upload) { router.open(.upload) }
    }
  }

  private var places: some View {
    HStack(spacing: 0) {
      Button {
        discovery.open(.search)
      } label: {
        Image(systemName: "magnifyingglass").frame(width: 44, height: 44)
      }
      .accessibilityLabel("Search")
      button("Record a clip", "video.badge.plus", .recording)
      button("Notifications", unseen() > 0 ? "bell.badge.fill" : "bell", .notifications)
        .accessibilityValue(unseen() > 0 ? Text("\(unseen()) new") : Text(verbatim: ""))
      button("Messages", unread() > 0 ? "message.badge.filled.fill" : "message", .conversations)
        .accessibilityValue(unread() > 0 ? Text("\(unread()) unread") : Text(verbatim: ""))
      button("Account", "person.crop.circle", .account)
      Menu {
        Button("Upload a video", systemImage: "arrow.up.circle") { router.open(.upload) }
        Button("A clip from words", systemImage: "sparkles") { router.open(.generating) }
        Button("Trending", systemImage: "flame") { discovery.open(.trending) }
        if keeps {
          Button("Kept clips", systemImage: "arrow.down.circle") { router.open(.keptClips) }
        }
        Button("Settings", systemImage: "gearshape") { router.open(.settings) }
      } label: {
        Image(systemName: "ellipsis.circle").frame(width: 44, height: 44)
      }
      .accessibilityLabel("More")
    }
    .font(.title3)
    .foregroundStyle(.white)
    .shadow(color: .black, radius: 3)
    .dynamicTypeSize(...DynamicTypeSize.xxxLarge)
  }

  private func button(
    _ name: LocalizedStringKey, _ image: String, _ destination: Router.Destination
  ) -> some View {
    Button {
      router.open(destination)
    } label: {
      Image(systemName: image).frame(width: 44, height: 44)
    }
    .accessibilityLabel(name)
  }
}
