internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// Clips as a grid that opens them.
struct ClipGridView<Header: View>: View {
  private let list: PagedList<Clip>
  private let base: URL
  private let preview: ClipPreview
  private let none: LocalizedStringKey
  private let returnsTo: String?
  private let counts: Bool
  private let header: Header
  private let reload: @MainActor () async -> Void
  private let open: @MainActor (Clip) -> Void
  @AccessibilityFocusState private var spoken: String?

  private let columns = [GridItem(.adaptive(minimum: 104), spacing: 2)]

  /// `returnsTo`: the one for which the grid was left, if it was; `counts`: it says how often each was
  /// watched; `header` scrolls with it.
  init(
    list: PagedList<Clip>, base: URL, preview: ClipPreview, none: LocalizedStringKey, returnsTo: String?,
    counts: Bool, header: Header, reload: @escaping @MainActor () async -> Void,
    open: @escaping @MainActor (Clip) -> Void
  ) {
    self.list = list
    self.base = base
    self.preview = preview
    self.none = none
    self.returnsTo = returnsTo
    self.counts = counts
    self.header = header
    self.reload = reload
    self.open = open
  }

  var body: some View {
    ScrollViewReader { place in
      ScrollView {
        header
        LazyVGrid(columns: columns, spacing: 2) {
          ForEach(list.items, id: \.id) { tile($0) }
        }
        ListEnd(list: list, none: none).padding()
      }
      // Another list may come into its place.
      .task(id: ObjectIdentifier(list)) {
        if let returnsTo {
          place.scrollTo(returnsTo, anchor: .center)
          spoken = returnsTo
        }
        await list.begin()
      }
      .refreshable { [reload] in await reload() }
    }
  }

  private func tile(_ clip: Clip) -> some View {
    Button {
      if preview.isTap(clip.id) { open(clip) }
    } label: {
      ClipPicture(ListPicture(of: clip, base: base))
        .overlay { MovingPicture(preview, clip.id) }
        .overlay(alignment: .bottomLeading) {
          VStack(alignment: .leading, spacing: 2) {
            if clip.aiGenerated == true { MadeByAI() }
            Text(verbatim: clip.caption).font(.caption).lineLimit(2)
          }
          .padding(6).foregroundStyle(.white).background(.black.opacity(0.4))
        }
    }
    .buttonStyle(MovingTileStyle(preview, clip.id) { preview.press(clip) })
    .overlay(alignment: .topLeading) {
      if counts {
        Text("\(clip.counts.views) views").font(.caption2).padding(6).foregroundStyle(.white)
          .background(.black.opacity(0.4)).allowsHitTesting(false)
      }
    }
    .accessibilityLabel(label(clip))
    .accessibilityValue(counts ? Text("\(clip.counts.views) views") : Text(verbatim: ""))
    .accessibilityFocused($spoken, equals: clip.id)
    .task(id: ObjectIdentifier(list)) { await list.came(to: clip) }
  }

  private func label(_ clip: Clip) -> Text {
    let words =
      clip.caption.isEmpty
      ? Text("A clip, by \(clip.author.name)") : Text("\(clip.caption), by \(clip.author.name)")
    return clip.aiGenerated == true ? Text("\(words), made by AI") : words
  }
}

extension ClipGridView where Header == EmptyView {
  init(
    list: PagedList<Clip>, base: URL, preview: ClipPreview, none: LocalizedStringKey,
    returnsTo: String? = nil, counts: Bool = false, open: @escaping @MainActor (Clip) -> Void
  ) {
    self.init(
      list: list, base: base, preview: preview, none: none, returnsTo: returnsTo, counts: counts,
      header: EmptyView(), reload: { await list.reload() }, open: open)
  }
}

/// People with a button each, which says what they are or what it does.
struct PeopleView: View {
  let model: PeopleModel
  let on: LocalizedStringKey
  let off: LocalizedStringKey
  let none: LocalizedStringKey
  /// A name was tapped.
  let open: @MainActor (Author) -> Void
  /// What the button does, by name.
  let label: (_ name: String, _ isOn: Bool) -> Text

  var body: some View {
    List {
      ForEach(model.list.items, id: \.id) { author in
        ActionRow {
          Button {
            open(author)
          } label: {
            PersonLine(author)
          }
          .buttonStyle(.plain)
          .accessibilityHint("Opens their profile.")
        } action: {
          Button(model.isOn(author) ? on : off) { Task { await model.toggle(author) } }
            .buttonStyle(.bordered)
            .accessibilityLabel(label(author.name, model.isOn(author)))
        }
        .task { await model.list.came(to: author) }
      }
      ListEnd(list: model.list, none: none)
    }
    .task { await model.list.begin() }
    .refreshable { await model.reload() }
  }
}
