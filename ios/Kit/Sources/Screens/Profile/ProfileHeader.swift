internal import AppModel
internal import Contract
internal import SwiftUI

/// Who somebody is, what they say of themselves, and what one can do about them.
struct ProfileHeader: View {
  private let model: ProfileModel
  private let profile: Profile

  init(_ model: ProfileModel, _ profile: Profile) {
    self.model = model
    self.profile = profile
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 12) {
      PersonLine(profile.author, side: 84)
        .accessibilityAddTraits(.isHeader)
      if profile.viewer.followed {
        Text("Follows you").font(.footnote).foregroundStyle(.secondary)
      }
      if !profile.viewer.blocked { row { counts } }
      if !profile.bio.isEmpty { Text(verbatim: profile.bio).textSelection(.enabled) }
      ForEach(model.links, id: \.self) { link in
        Link(destination: link.url) {
          Label {
            Text(verbatim: link.text).multilineTextAlignment(.leading)
          } icon: {
            Image(systemName: "link")
          }
          .frame(minHeight: 44)
        }
        .accessibilityHint("Opens in the browser.")
      }
      row { actions }
    }
    .frame(maxWidth: .infinity, alignment: .leading)
    .padding()
  }

  /// Beside each other if they fit, else below.
  private func row(@ViewBuilder _ parts: () -> some View) -> some View {
    let parts = parts()
    return ViewThatFits(in: .horizontal) {
      HStack(spacing: 16) { parts }
      VStack(alignment: .leading, spacing: 4) { parts }
    }
  }

  @ViewBuilder private var counts: some View {
    Text("\(profile.clips) clips").frame(minHeight: 44)
    Button("\(profile.followers) followers") { model.openFollowers() }.frame(minHeight: 44)
    Button("\(profile.following) followed") { model.openFollowing() }.frame(minHeight: 44)
  }

  @ViewBuilder private var actions: some View {
    if profile.viewer.isSelf {
      Button("Edit profile") { model.edit() }.buttonStyle(.bordered).frame(minHeight: 44)
      share
    } else if profile.viewer.blocked {
      Button("Unblock") { Task { await model.unblock() } }
        .buttonStyle(.bordered)
        .frame(minHeight: 44)
        .disabled(model.isBusy)
        .accessibilityLabel(Text("Unblock \(profile.author.name)"))
    } else {
      Button(profile.viewer.following ? "Following" : "Follow") { model.toggleFollow() }
        .buttonStyle(.bordered)
        .frame(minHeight: 44)
        .accessibilityLabel(
          profile.viewer.following
            ? Text("Unfollow \(profile.author.name)") : Text("Follow \(profile.author.name)"))
      Button("Message") { model.write() }
        .buttonStyle(.bordered)
        .frame(minHeight: 44)
        .accessibilityLabel(Text("Write to \(profile.author.name)"))
      share
    }
  }

  @ViewBuilder private var share: some View {
    if let link = model.link { ShareLink("Share", item: link).buttonStyle(.bordered).frame(minHeight: 44) }
  }
}
