public import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// Somebody on a page of their own. A clip opens the feed; whoever comes back finds the same place.
public struct ProfileScreen: View {
  private let model: ProfileModel
  private let base: URL
  private let preview: ClipPreview
  @State private var toBlock: Author?

  /// `base`: the instance.
  public init(_ model: ProfileModel, base: URL, preview: ClipPreview) {
    self.model = model
    self.base = base
    self.preview = preview
  }

  public var body: some View {
    content
      .navigationTitle(Text(verbatim: "@" + model.handle))
      .toolbar {
        ToolbarItem(placement: .primaryAction) {
          if model.canReport { more }
        }
      }
      .blockQuestion($toBlock) { _ in await model.block() }
      .task { await model.begin() }
  }

  private var more: some View {
    Menu {
      Button("Report", systemImage: "flag") { model.report() }
      if model.canBlock {
        Button("Block", systemImage: "hand.raised", role: .destructive) { toBlock = model.profile?.author }
      }
    } label: {
      Image(systemName: "ellipsis.circle").frame(width: 44, height: 44)
    }
    .accessibilityLabel("More")
  }

  @ViewBuilder private var content: some View {
    switch model.state {
    case .loading: ProgressView("Loading")
    case .failed(let why): TryAgainView(why) { await model.load() }.padding()
    case .nobody:
      ContentUnavailableView(
        "Nobody is here", systemImage: "person.crop.circle.badge.questionmark",
        description: Text("There is nobody of this name here, or not any more."))
    case .shown(let profile):
      if profile.viewer.blocked {
        ScrollView {
          ProfileHeader(model, profile)
          Text("You have blocked \(profile.author.name). Unblock them to see their clips.")
            .foregroundStyle(.secondary)
            .padding()
        }
        .refreshable { await model.reload() }
      } else {
        ClipGridView(
          list: model.grid.list, base: base, preview: preview, none: LocalizedStringKey(model.noClips.key),
          returnsTo: model.grid.returnsTo, counts: true, header: header(of: profile),
          reload: { await model.reload() }, open: { model.grid.open($0) })
      }
    }
  }

  private func header(of profile: Profile) -> some View {
    VStack(alignment: .leading, spacing: 0) {
      ProfileHeader(model, profile)
      if model.tabs.count > 1 {
        Picker("Which clips", selection: tab) {
          ForEach(model.tabs, id: \.self) { Text(verbatim: $0.title.words).tag($0) }
        }
        .pickerStyle(.segmented)
        .padding(.horizontal)
        .padding(.bottom, 8)
      }
      if let seenBy = model.seenBy {
        VStack(alignment: .leading, spacing: 0) {
          Text(verbatim: seenBy.words).font(.footnote).foregroundStyle(.secondary)
          Button("Change that") { model.edit() }.frame(minHeight: 44)
        }
        .padding(.horizontal)
      }
    }
  }

  private var tab: Binding<ProfileModel.Tab> {
    Binding(get: { model.tab }, set: { model.turn(to: $0) })
  }
}
