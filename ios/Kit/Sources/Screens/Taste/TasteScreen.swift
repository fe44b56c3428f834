public import AppModel
internal import Contract
public import SwiftUI

/// What For you goes by: each belief can be taken out, and what was left out be taken back.
public struct TasteScreen: View {
  @Bindable private var model: TasteModel
  private let openTrending: @MainActor () -> Void

  public init(_ model: TasteModel, openTrending: @escaping @MainActor () -> Void) {
    self.model = model
    self.openTrending = openTrending
  }

  public var body: some View {
    List {
      if let taste = model.taste {
        learning
        tags(taste)
        authors(taste)
        leftOut
        Section {
          Button(action: openTrending) { TwoLines("Trending", "What rises now").frame(minHeight: 44) }
          Button("Forget what was learned", role: .destructive) { model.asksToForget = true }
            .disabled(model.isBusy)
        }
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading").frame(maxWidth: .infinity)
      }
    }
    .navigationTitle("Your feed")
    .task { await model.load() }
    .refreshable { await model.load() }
    .alert("Forget what was learned?", isPresented: $model.asksToForget) {
      Button("Forget it", role: .destructive) { Task { await model.forget() } }
      Button("Cancel", role: .cancel) {}
    } message: {
      Text(
        "For you starts anew, with what many people like and what is new. Your likes, bookmarks and follows stay. This can’t be undone."
      )
    }
  }

  private var learning: some View {
    Section {
      Toggle(isOn: personalised) {
        SettingLabel(
          "Learn what I like",
          "From what you watch and like, for you alone. Without it, For you shows the newest clips.")
      }
      .disabled(model.isBusy)
    } footer: {
      Text("What follows is counted in the last hundred clips that you liked or watched to the end.")
    }
  }

  private var personalised: Binding<Bool> {
    Binding(
      get: { model.taste?.personalised ?? true }, set: { isOn in Task { await model.setPersonalised(isOn) } })
  }

  private func tags(_ taste: Taste) -> some View {
    Section("Tags that you seem to like") {
      if taste.tags.isEmpty { nothing }
      ForEach(taste.tags, id: \.tag) { liked in
        let name = "#" + liked.tag
        ActionRow {
          VStack(alignment: .leading) {
            Text(verbatim: name).font(.headline)
            Text("\(liked.clips) clips").font(.footnote).foregroundStyle(.secondary)
          }
          .accessibilityElement(children: .combine)
        } action: {
          remove(Dismissal(.tag, liked.tag), name)
        }
      }
    }
  }

  private func authors(_ taste: Taste) -> some View {
    Section("People whose clips you seem to like") {
      if taste.authors.isEmpty { nothing }
      ForEach(taste.authors, id: \.author.id) { liked in
        ActionRow {
          VStack(alignment: .leading) {
            PersonLine(liked.author)
            Text("\(liked.clips) clips").font(.footnote).foregroundStyle(.secondary)
          }
          .accessibilityElement(children: .combine)
        } action: {
          remove(Dismissal(.author, liked.author.id), liked.author.name)
        }
      }
    }
  }

  private var leftOut: some View {
    Section("What you want less of") {
      if model.dismissed.isEmpty {
        Text("Nothing. Say so in the menu of a clip, under “Why this clip?”.").foregroundStyle(.secondary)
      }
      ForEach(model.dismissed, id: \.dismissal.subject) { left in
        ActionRow {
          name(of: left)
        } action: {
          let name = plainName(of: left)
          Button("Take back") { Task { await model.takeBack(left.dismissal, name: name) } }
            .buttonStyle(.bordered)
            .disabled(model.isBusy)
            .accessibilityLabel(Text("Take back: \(name)"))
        }
      }
    }
  }

  private var nothing: some View {
    Text("Nothing yet. It comes with what you like, and with clips that you watch to the end.")
      .foregroundStyle(.secondary)
  }

  private func remove(_ wish: Dismissal, _ name: String) -> some View {
    Button("Remove") { Task { await model.remove(wish, name: name) } }
      .buttonStyle(.bordered)
      .disabled(model.isBusy)
      .accessibilityLabel(Text("Remove: \(name)"))
  }

  private func plainName(of left: Taste.Dismissed) -> String {
    switch left.dismissal.kind {
    case .tag: "#" + left.dismissal.subject
    case .sound: SoundPage.title(by: left.author).words
    case .author, .clip: left.author?.name ?? "?"
    }
  }

  @ViewBuilder private func name(of left: Taste.Dismissed) -> some View {
    switch left.dismissal.kind {
    case .tag:
      Text(verbatim: plainName(of: left)).font(.headline)
    case .sound:
      Label {
        Text(verbatim: plainName(of: left))
      } icon: {
        Image(systemName: "music.note")
      }
      .font(.headline)
    case .author, .clip:
      if let author = left.author {
        PersonLine(author)
      } else {
        Text("Somebody who is gone").font(.headline)
      }
    }
  }
}
