internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI
internal import Transfer

/// What somebody has uploaded.
struct OwnClipsView: View {
  let model: OwnClipsModel
  let base: URL

  var body: some View {
    List {
      ForEach(model.list.items, id: \.uploadId) { clip in
        OwnClipRow(model: model, clip: clip, base: base).task { await model.list.came(to: clip) }
      }
      ListEnd(list: model.list, none: "You haven’t uploaded anything yet.")
    }
    .task {
      await model.list.begin()
      await model.follow()
    }
    .refreshable { await model.list.reload() }
    .sheet(isPresented: Binding(get: { model.edited != nil }, set: { if !$0 { model.cancelEditing() } })) {
      OwnClipForm(model: model)
    }
  }
}

struct OwnClipRow: View {
  let model: OwnClipsModel
  let clip: OwnClip
  let base: URL

  var body: some View {
    HStack(alignment: .top) {
      picture.frame(width: 64)
      VStack(alignment: .leading, spacing: 4) {
        name.font(.headline)
        state.font(.subheadline).foregroundStyle(.secondary)
        actions
      }
    }
  }

  @ViewBuilder private var picture: some View {
    if clip.state == .published {
      Button {
        Task { await model.watch(clip) }
      } label: {
        ClipPicture(address: clip.picture?.url, base: base)
      }
      .buttonStyle(.plain)
      .accessibilityLabel("Watch")
    } else {
      ClipPicture(address: clip.picture?.url, base: base)
    }
  }

  private var name: Text {
    clip.caption.isEmpty ? Text("Clip without a caption") : Text(verbatim: clip.caption)
  }

  @ViewBuilder private var state: some View {
    switch clip.state {
    case .processing:
      ProgressView("Being made", value: Double(min(max(clip.permille ?? 0, 0), 1000)), total: 1000)
      Text(seenBy(clip.visibility))
    case .published:
      Text(seenBy(clip.visibility))
      Text("\(clip.counts?.views ?? 0) views")
      Text("\(clip.counts?.likes ?? 0) likes")
    case .refused:
      Text("Not published.")
      if let detail = clip.problem?.detail { Text(verbatim: Sentence(detail).words) }
    case .removed:
      if let until = clip.removedUntil {
        Text("Deleted. It can come back until \(until, format: moment).")
      } else {
        Text("Deleted.")
      }
    }
  }

  private var actions: some View {
    HStack {
      if clip.state == .removed {
        Button("Undo") { Task { await model.restore(clip) } }
      } else {
        if clip.state != .refused { Button("Edit") { model.edit(clip) } }
        Button("Delete", role: .destructive) { Task { await model.delete(clip) } }
      }
    }
    .buttonStyle(.borderless)
    .frame(minHeight: 44)
    .disabled(model.isBusy(clip))
  }
}

func seenBy(_ visibility: Contract.Visibility) -> LocalizedStringKey {
  switch visibility {
  case .public: "Everyone can see it"
  case .unlisted: "Anyone with the link can see it"
  case .private: "Only you can see it"
  }
}

/// Caption, tags, and who sees it.
struct OwnClipForm: View {
  @Bindable var model: OwnClipsModel

  var body: some View {
    NavigationStack {
      Form {
        Section("Caption") {
          TextField("Caption", text: $model.form.caption, axis: .vertical).lineLimit(1...6)
        }
        Section("Tags") {
          TextField("Tags", text: $model.form.tags)
            .textInputAutocapitalization(.never)
            .autocorrectionDisabled()
        }
        Section {
          Picker("Who can see it", selection: $model.form.visibility) {
            Text("Everyone, in the feed").tag(Contract.Visibility.public)
            Text("Anyone with the link").tag(Contract.Visibility.unlisted)
            Text("Only you").tag(Contract.Visibility.private)
          }
          .pickerStyle(.inline)
        } footer: {
          if let failure = model.formFailure { Text(verbatim: failure.words).foregroundStyle(.red) }
        }
      }
      .navigationTitle("Edit the clip")
      .navigationBarTitleDisplayMode(.inline)
      .toolbar {
        ToolbarItem(placement: .cancellationAction) {
          Button("Cancel", role: .cancel) { model.cancelEditing() }.disabled(model.isSaving)
        }
        ToolbarItem(placement: .confirmationAction) {
          Button("Save") { Task { await model.save() } }.disabled(model.isSaving)
        }
      }
    }
    .interactiveDismissDisabled(model.isSaving)
  }
}
