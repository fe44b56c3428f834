internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// What was found: clips as a grid, people, tags, sounds. What to try is said where nothing was.
struct SearchResults: View {
  private let model: SearchModel
  private let base: URL
  private let preview: ClipPreview
  private let openProfile: @MainActor (Author) -> Void

  init(
    _ model: SearchModel, base: URL, preview: ClipPreview, openProfile: @escaping @MainActor (Author) -> Void
  ) {
    self.model = model
    self.base = base
    self.preview = preview
    self.openProfile = openProfile
  }

  var body: some View {
    VStack(spacing: 0) {
      Picker("What to look for", selection: kind) {
        ForEach(SearchModel.Kind.allCases, id: \.self) { Text(verbatim: $0.title.words).tag($0) }
      }
      .pickerStyle(.segmented)
      .padding(.horizontal)
      .padding(.bottom, 8)
      found.id(model.asked)
    }
  }

  private var kind: Binding<SearchModel.Kind> {
    Binding(get: { model.kind }, set: { model.turn(to: $0) })
  }

  @ViewBuilder private var found: some View {
    switch model.kind {
    case .clips:
      if model.clips.list.isEmpty {
        NothingFound(model)
      } else {
        ClipGridView(
          list: model.clips.list, base: base, preview: preview, none: "No clips yet.",
          returnsTo: model.clips.returnsTo, counts: true
        ) { model.clips.open($0) }
      }
    case .people:
      if model.people.list.isEmpty { NothingFound(model) } else { people }
    case .tags:
      if model.tags.isEmpty { NothingFound(model) } else { tags }
    case .sounds:
      if model.sounds.isEmpty { NothingFound(model) } else { sounds }
    }
  }

  private var people: some View {
    List {
      ForEach(model.people.list.items, id: \.author.id) { person in
        FoundPersonRow(person, of: model.people) { openProfile(person.author) }
      }
      ListEnd(list: model.people.list, none: "Nobody was found.")
    }
    .task { await model.people.list.begin() }
  }

  private var tags: some View {
    List {
      ForEach(model.tags.items, id: \.tag) { found in
        Button {
          model.ask("#" + found.tag, .clips)
        } label: {
          HStack {
            Text(verbatim: "#" + found.tag).foregroundStyle(.primary)
            Spacer()
            Text("\(found.clips) clips").font(.footnote).foregroundStyle(.secondary)
          }
          .frame(minHeight: 44)
          .accessibilityElement(children: .combine)
        }
        .task { await model.tags.came(to: found) }
      }
      ListEnd(list: model.tags, none: "No tag was found.")
    }
    .task { await model.tags.begin() }
  }

  private var sounds: some View {
    List {
      ForEach(model.sounds.items, id: \.id) { found in
        FoundSoundRow(found, base: base).task { await model.sounds.came(to: found) }
      }
      ListEnd(list: model.sounds, none: "No sound was found.")
    }
    .task { await model.sounds.begin() }
  }
}

/// A sound: who made the first clip that has it, what that one says, and how many have it.
struct FoundSoundRow: View {
  private let found: FoundSound
  private let base: URL

  init(_ found: FoundSound, base: URL) {
    self.found = found
    self.base = base
  }

  var body: some View {
    if let page = SoundPage.address(of: found.id, at: base) {
      Link(destination: page) { row }.accessibilityHint("Opens in the browser.")
    } else {
      row
    }
  }

  private var row: some View {
    HStack(spacing: 12) {
      ClipPicture(ListPicture(of: found, base: base)).frame(width: 36, height: 64)
      VStack(alignment: .leading, spacing: 2) {
        Text(verbatim: SoundPage.title(by: found.author).words).foregroundStyle(.primary)
        if !found.caption.isEmpty {
          Text(verbatim: found.caption).font(.footnote).foregroundStyle(.secondary).lineLimit(1)
        }
        Text("\(found.clips) clips").font(.footnote).foregroundStyle(.secondary)
      }
      Spacer(minLength: 0)
    }
    .frame(minHeight: 44)
    .contentShape(.rect)
    .accessibilityElement(children: .combine)
  }
}

/// What to try.
struct NothingFound: View {
  private let model: SearchModel

  init(_ model: SearchModel) { self.model = model }

  var body: some View {
    List {
      Section {
        Text("Nothing found for “\(model.asked)”.")
        Text(verbatim: model.clips.none.words).foregroundStyle(.secondary)
        ForEach(model.kind.others, id: \.self) { other in
          Button(wayTo(other)) { model.turn(to: other) }.frame(minHeight: 44)
        }
      }
    }
  }

  private func wayTo(_ kind: SearchModel.Kind) -> LocalizedStringKey {
    switch kind {
    case .clips: "Look for clips"
    case .people: "Look for people"
    case .tags: "Look for tags"
    case .sounds: "Look for sounds"
    }
  }
}
