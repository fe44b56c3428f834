public import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// What happened around somebody's clips and comments, the newest first.
public struct NotificationsScreen: View {
  private static let top = "top"

  private let model: NotificationsModel
  private let base: URL
  private let signIn: @MainActor () -> Void
  private let openSettings: @MainActor () -> Void

  /// `base`: the instance.
  public init(
    _ model: NotificationsModel, base: URL, signIn: @escaping @MainActor () -> Void,
    openSettings: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.base = base
    self.signIn = signIn
    self.openSettings = openSettings
  }

  public var body: some View {
    ScrollViewReader { place in
      content.overlay(alignment: .top) { arrivals(place) }
    }
    .navigationTitle("Notifications")
    .toolbar {
      ToolbarItem(placement: .primaryAction) {
        Button(action: openSettings) {
          Image(systemName: "gearshape").frame(width: 44, height: 44)
        }
        .accessibilityLabel("What you hear of")
      }
    }
    .task(id: model.isInUse) { await model.appeared() }
    .onDisappear { model.left() }
  }

  @ViewBuilder private var content: some View {
    if model.isInUse {
      rows
    } else {
      VStack(spacing: 8) {
        Text("With an account, you find here who likes, comments and follows.")
          .multilineTextAlignment(.center)
        Button("Sign in", action: signIn).frame(minHeight: 44)
      }
      .padding()
    }
  }

  private var rows: some View {
    List {
      ForEach(model.entries, id: \.id) { entry in
        Button {
          model.open(entry)
        } label: {
          row(entry)
        }
        .id(entry.id == model.entries.first?.id ? Self.top : entry.id)
        .task { await model.list.came(to: entry) }
      }
      if let failure = model.list.failure {
        FailedPage(failure) { Task { await model.list.again() } }.listRowSeparator(.hidden)
      } else if model.list.isLoading {
        ProgressView().frame(maxWidth: .infinity).listRowSeparator(.hidden)
      }
    }
    .listStyle(.plain)
    .refreshable { await model.look() }
    .overlay {
      if model.isEmpty {
        ContentUnavailableView(
          "Nothing yet", systemImage: "bell",
          description: Text("Who likes your clips, comments on them or follows you stands here."))
      }
    }
  }

  private func row(_ entry: NotificationEntry) -> some View {
    HStack(alignment: .top, spacing: 12) {
      sign(entry)
      VStack(alignment: .leading, spacing: 2) {
        Text(verbatim: entry.sentence?.words ?? "").foregroundStyle(.primary)
        if let words = entry.words {
          Text(verbatim: words).font(.footnote).foregroundStyle(.secondary).lineLimit(2)
        }
        Text(verbatim: Age.of(entry.createdAt, at: Date()).words)
          .font(.footnote)
          .foregroundStyle(.secondary)
      }
      Spacer(minLength: 0)
      if model.isNew(entry) {
        Text("New").font(.footnote).bold().foregroundStyle(.tint)
      }
      if let clip = entry.clip, clip.picture != nil {
        ClipPicture(ListPicture(of: clip, base: base)).frame(width: 36, height: 64)
      }
    }
    .frame(minHeight: 52)
    .contentShape(.rect)
    .accessibilityElement(children: .combine)
  }

  /// Who did it, or that nobody did.
  @ViewBuilder private func sign(_ entry: NotificationEntry) -> some View {
    if let person = entry.people.first {
      FaceDisc(person)
    } else {
      Image(systemName: "bell").font(.headline).frame(width: 36, height: 36).accessibilityHidden(true)
    }
  }

  @ViewBuilder private func arrivals(_ place: ScrollViewProxy) -> some View {
    if model.hasNewer {
      Button("Show what is new") {
        place.scrollTo(Self.top, anchor: .top)
        Task { await model.look() }
      }
      .buttonStyle(.borderedProminent)
      .frame(minHeight: 44)
    }
  }
}
