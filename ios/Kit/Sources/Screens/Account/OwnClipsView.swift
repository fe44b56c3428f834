internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// What somebody has uploaded.
struct OwnClipsView: View {
  let model: OwnClipsModel
  let base: URL
  let preview: ClipPreview

  var body: some View {
    List {
      ForEach(model.list.items, id: \.uploadId) { clip in
        OwnClipRow(model: model, clip: clip, base: base, preview: preview)
          .task { await model.list.came(to: clip) }
      }
      ListEnd(list: model.list, none: "You haven’t uploaded anything yet.")
    }
    .task {
      await model.list.begin()
      await model.follow()
    }
    .refreshable { await model.list.reload() }
    .edits(model.editor)
    .captions(model.captions)
  }
}

struct OwnClipRow: View {
  let model: OwnClipsModel
  let clip: OwnClip
  let base: URL
  let preview: ClipPreview

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
        if preview.isTap(clip.uploadId) { Task { await model.watch(clip) } }
      } label: {
        ClipPicture(ListPicture(of: clip, base: base)).overlay { MovingPicture(preview, clip.uploadId) }
      }
      .buttonStyle(MovingTileStyle(preview, clip.uploadId) { preview.press(clip) })
      .accessibilityLabel("Watch")
    } else {
      ClipPicture(ListPicture(of: clip, base: base))
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

  /// Beside each other if they fit, else below.
  private var actions: some View {
    ViewThatFits(in: .horizontal) {
      HStack { buttons }
      VStack(alignment: .leading) { buttons }
    }
    .buttonStyle(.borderless)
    .disabled(model.isBusy(clip))
  }

  @ViewBuilder private var buttons: some View {
    if clip.state == .removed {
      Button("Undo") { Task { await model.restore(clip) } }.frame(minHeight: 44)
    } else {
      if clip.state == .published {
        Button("How it does") { model.openInsights(of: clip) }.frame(minHeight: 44)
      }
      if model.hasCaptions(clip) {
        Button("Captions") { model.openCaptions(of: clip) }.frame(minHeight: 44)
      }
      if clip.state != .refused { Button("Edit") { model.edit(clip) }.frame(minHeight: 44) }
      Button("Delete", role: .destructive) { Task { await model.delete(clip) } }.frame(minHeight: 44)
    }
  }
}

func seenBy(_ visibility: Contract.Visibility) -> LocalizedStringKey {
  switch visibility {
  case .public: "Everyone can see it"
  case .unlisted: "Anyone with the link can see it"
  case .private: "Only you can see it"
  }
}
