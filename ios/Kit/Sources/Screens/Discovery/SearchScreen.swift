public import AppModel
public import Contract
public import Foundation
public import SwiftUI

/// A field that suggests, and what is found. A clip opens the feed; whoever comes back finds the same place.
public struct SearchScreen: View {
  @Bindable private var model: SearchModel
  private let base: URL
  private let preview: ClipPreview
  private let openProfile: @MainActor (Author) -> Void
  @FocusState private var isTyping: Bool

  /// `base`: the instance.
  public init(
    _ model: SearchModel, base: URL, preview: ClipPreview, openProfile: @escaping @MainActor (Author) -> Void
  ) {
    self.model = model
    self.base = base
    self.preview = preview
    self.openProfile = openProfile
  }

  public var body: some View {
    VStack(spacing: 0) {
      field
      if !model.suggestions.isEmpty {
        SuggestionList(model) { isTyping = false }
      } else if model.asked.isEmpty {
        RecentList(model) { isTyping = false }
      } else {
        SearchResults(model, base: base, preview: preview, openProfile: openProfile)
      }
    }
    .navigationTitle("Search")
    .task { if model.asked.isEmpty { isTyping = true } }
  }

  private var field: some View {
    HStack {
      Image(systemName: "magnifyingglass").foregroundStyle(.secondary).accessibilityHidden(true)
      TextField("Clips, people, tags and sounds", text: $model.text)
        .textInputAutocapitalization(.never)
        .autocorrectionDisabled()
        .submitLabel(.search)
        .focused($isTyping)
        .onSubmit { model.submit() }
        .frame(minHeight: 44)
      if !model.text.isEmpty {
        Button("Clear", systemImage: "xmark.circle.fill") {
          model.ask("")
          isTyping = true
        }
        .labelStyle(.iconOnly)
        .foregroundStyle(.secondary)
        .frame(minWidth: 44, minHeight: 44)
      }
    }
    .padding(.horizontal, 12)
    .background(Color.gray.opacity(0.15), in: RoundedRectangle(cornerRadius: 12))
    .padding(.horizontal)
    .padding(.vertical, 8)
  }
}

/// What somebody may be about to look for.
struct SuggestionList: View {
  private let model: SearchModel
  private let done: @MainActor () -> Void

  init(_ model: SearchModel, done: @escaping @MainActor () -> Void) {
    self.model = model
    self.done = done
  }

  var body: some View {
    List {
      ForEach(model.suggestions.indices, id: \.self) { index in
        row(model.suggestions[index])
      }
    }
    .scrollDismissesKeyboard(.interactively)
    .accessibilityLabel("Suggestions")
  }

  private func row(_ suggestion: SearchSuggestion) -> some View {
    Button {
      done()
      model.choose(suggestion)
    } label: {
      HStack {
        Image(systemName: picture(suggestion.kind)).accessibilityHidden(true)
        name(suggestion).foregroundStyle(.primary)
        Spacer()
        detail(suggestion).font(.footnote).foregroundStyle(.secondary)
      }
      .frame(minHeight: 44)
      .accessibilityElement(children: .combine)
    }
  }

  private func picture(_ kind: SearchSuggestion.Kind) -> String {
    switch kind {
    case .tag: "number"
    case .person: "person"
    case .words: "magnifyingglass"
    }
  }

  private func name(_ suggestion: SearchSuggestion) -> Text {
    switch suggestion.kind {
    case .tag: Text(verbatim: "#" + suggestion.text)
    case .person: Text(verbatim: suggestion.person?.name ?? suggestion.text)
    case .words: Text(verbatim: suggestion.text)
    }
  }

  private func detail(_ suggestion: SearchSuggestion) -> Text {
    switch suggestion.kind {
    case .tag: suggestion.clips.map { Text("\($0) clips") } ?? Text(verbatim: "")
    case .person: Text(verbatim: "@" + suggestion.text)
    case .words: Text(verbatim: "")
    }
  }
}

/// What was looked for on this device.
struct RecentList: View {
  private let model: SearchModel
  private let done: @MainActor () -> Void

  init(_ model: SearchModel, done: @escaping @MainActor () -> Void) {
    self.model = model
    self.done = done
  }

  var body: some View {
    List {
      if model.recent.texts.isEmpty {
        Text("Look for clips, people, tags and sounds.").foregroundStyle(.secondary)
      } else {
        Section {
          ForEach(model.recent.texts, id: \.self) { text in
            Button {
              done()
              model.ask(text)
            } label: {
              Text(verbatim: text).foregroundStyle(.primary).frame(minHeight: 44)
            }
            .swipeActions(edge: .trailing) {
              Button("Remove", systemImage: "trash", role: .destructive) { model.recent.remove(text) }
            }
            .accessibilityAction(named: "Remove") { model.recent.remove(text) }
          }
          Button("Remove all", role: .destructive) { model.recent.removeAll() }
        } header: {
          Text("Recent")
        }
      }
    }
    .scrollDismissesKeyboard(.interactively)
  }
}
