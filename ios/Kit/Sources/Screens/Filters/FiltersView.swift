internal import AppModel
internal import Contract
internal import SwiftUI

/// Comment filters, and the comments that wait.
struct FiltersView: View {
  let model: FiltersModel
  @FocusState private var focus: FiltersModel.Field?
  @State private var toDelete: HeldComment?
  @State private var toBlock: Author?

  var body: some View {
    Form {
      Section {
        ForEach(model.list.items, id: \.comment.id) { item in
          row(item).task { await model.list.came(to: item) }
        }
        ListEnd(list: model.list, none: "What your filters catch waits here.")
      } header: {
        if model.held >= Limits.heldComments {
          Text("\(Limits.heldComments) or more comments wait")
        } else {
          Text("\(model.held) comments wait")
        }
      }
      if model.isThere {
        filters
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading").frame(maxWidth: .infinity)
      }
    }
    .follows(model.form, $focus)
    .scrollDismissesKeyboard(.interactively)
    .task {
      await model.list.renew()
      await model.load()
    }
    .refreshable {
      await model.list.reload()
      await model.load()
    }
    .confirmationDialog(
      "Delete this comment?",
      isPresented: Binding(get: { toDelete != nil }, set: { if !$0 { toDelete = nil } }),
      titleVisibility: .visible, presenting: toDelete
    ) { item in
      Button("Delete", role: .destructive) { Task { await model.delete(item) } }
      Button("Cancel", role: .cancel) {}
    } message: { _ in
      Text("This can’t be undone.")
    }
    .confirmationDialog(
      "Block this person?",
      isPresented: Binding(get: { toBlock != nil }, set: { if !$0 { toBlock = nil } }),
      titleVisibility: .visible, presenting: toBlock
    ) { author in
      Button("Block", role: .destructive) { Task { await model.block(author) } }
      Button("Cancel", role: .cancel) {}
    } message: { author in
      Text(verbatim: "@" + author.handle)
    }
  }

  private var filters: some View {
    Section {
      ForEach(FiltersModel.Rule.allCases, id: \.self) { rule in
        Toggle(isOn: isOn(rule)) { Text(verbatim: rule.title.words) }
      }
      FieldView(
        "Hold comments with these words", .lines,
        hint:
          "A word or phrase on each line, 200 at most. Capitals, accents and letters that look alike make no difference.",
        FiltersModel.Field.words, of: model.form, focus: $focus)
      SubmitView("Save the words", busy: "Saving…", model.form) { await model.saveWords() }
    } header: {
      Text("Filters")
    } footer: {
      Text(
        "They hold for new comments on all your clips. Whoever writes one that waits is told that you look at it first. Nobody else sees it or hears of it until you let it in."
      )
    }
  }

  private func isOn(_ rule: FiltersModel.Rule) -> Binding<Bool> {
    Binding(get: { model.isOn(rule) }, set: { isOn in Task { await model.set(rule, isOn) } })
  }

  private func row(_ item: HeldComment) -> some View {
    VStack(alignment: .leading, spacing: 4) {
      VStack(alignment: .leading, spacing: 2) {
        name(item).font(.subheadline).bold()
        Text(item.comment.createdAt, format: moment).font(.footnote).foregroundStyle(.secondary)
        Text(verbatim: item.comment.text)
        Text(verbatim: item.why.words).font(.footnote).foregroundStyle(.secondary)
      }
      .accessibilityElement(children: .combine)
      ViewThatFits(in: .horizontal) {
        HStack { buttons(item) }
        VStack(alignment: .leading) { buttons(item) }
      }
      .buttonStyle(.borderless)
      .disabled(model.isBusy(item))
    }
  }

  private func name(_ item: HeldComment) -> Text {
    item.comment.author.map { Text(verbatim: $0.name) } ?? Text("Guest")
  }

  @ViewBuilder private func buttons(_ item: HeldComment) -> some View {
    Button("Let in") { Task { await model.letIn(item) } }.frame(minHeight: 44)
    Button("Watch the clip") { Task { await model.watch(item) } }.frame(minHeight: 44)
    Button("Delete", role: .destructive) { toDelete = item }.frame(minHeight: 44)
    if let author = item.comment.author {
      Button("Block", role: .destructive) { toBlock = author }.frame(minHeight: 44)
        .accessibilityLabel(Text("Block \(author.name)"))
    }
  }
}
