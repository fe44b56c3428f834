internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// Clips as a grid that opens them.
struct ClipGridView: View {
  let list: PagedList<Clip>
  let base: URL
  let none: LocalizedStringKey
  /// The one for which the grid was left, if it was.
  var returnsTo: String?
  /// Whether it says how often each was watched.
  var counts = false
  let open: @MainActor (Clip) -> Void
  @AccessibilityFocusState private var spoken: String?

  private let columns = [GridItem(.adaptive(minimum: 104), spacing: 2)]

  var body: some View {
    ScrollViewReader { place in
      ScrollView {
        LazyVGrid(columns: columns, spacing: 2) {
          ForEach(list.items, id: \.id) { tile($0) }
        }
        ListEnd(list: list, none: none).padding()
      }
      .task {
        if let returnsTo {
          place.scrollTo(returnsTo, anchor: .center)
          spoken = returnsTo
        }
        await list.begin()
      }
      .refreshable { await list.reload() }
    }
  }

  private func tile(_ clip: Clip) -> some View {
    Button {
      open(clip)
    } label: {
      ClipPicture(ListPicture(of: clip, base: base))
        .overlay(alignment: .bottomLeading) {
          Text(verbatim: clip.caption).font(.caption).lineLimit(2).padding(6).foregroundStyle(.white)
            .background(.black.opacity(0.4))
        }
    }
    .buttonStyle(.plain)
    .overlay(alignment: .topLeading) {
      if counts {
        Text("\(clip.counts.views) views").font(.caption2).padding(6).foregroundStyle(.white)
          .background(.black.opacity(0.4)).allowsHitTesting(false)
      }
    }
    .accessibilityLabel(label(clip))
    .accessibilityValue(counts ? Text("\(clip.counts.views) views") : Text(verbatim: ""))
    .accessibilityFocused($spoken, equals: clip.id)
    .task { await list.came(to: clip) }
  }

  private func label(_ clip: Clip) -> Text {
    clip.caption.isEmpty
      ? Text("A clip, by \(clip.author.name)") : Text("\(clip.caption), by \(clip.author.name)")
  }
}

/// People with a button each, which says what they are or what it does.
struct PeopleView: View {
  let model: PeopleModel
  let on: LocalizedStringKey
  let off: LocalizedStringKey
  let none: LocalizedStringKey
  /// What the button does, by name.
  let label: (_ name: String, _ isOn: Bool) -> Text

  var body: some View {
    List {
      ForEach(model.list.items, id: \.id) { author in
        ActionRow {
          PersonLine(name: author.name, handle: author.handle)
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
