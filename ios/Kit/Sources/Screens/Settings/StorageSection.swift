internal import AppModel
internal import Foundation
internal import SwiftUI

/// What takes room on this device, by kind, and how to get it back.
struct StorageSection: View {
  @Bindable private var model: SettingsModel

  init(_ model: SettingsModel) { self.model = model }

  var body: some View {
    Section {
      ForEach(model.rows) { row in
        Button {
          model.asksToClear = row.kind
        } label: {
          HStack {
            VStack(alignment: .leading, spacing: 2) {
              Text(verbatim: row.kind.title.words).foregroundStyle(.primary)
              Text(verbatim: row.kind.contents.words).font(.footnote).foregroundStyle(.secondary)
            }
            Spacer()
            if row.isClearing {
              ProgressView()
            } else {
              Text(row.bytes.formatted(.byteCount(style: .file))).foregroundStyle(.secondary)
            }
          }
        }
        .disabled(row.isClearing || row.bytes == 0)
        .accessibilityHint("Clears it, after asking.")
      }
    } header: {
      Text("Storage")
    } footer: {
      Text("In all \(model.total.formatted(.byteCount(style: .file)))")
    }
    .confirmationDialog(
      "Clear this?", isPresented: asks, titleVisibility: .visible, presenting: model.asksToClear
    ) { kind in
      Button("Clear", role: .destructive) { Task { await model.clear(kind) } }
      Button("Cancel", role: .cancel) {}
    } message: { kind in
      Text(verbatim: model.question(about: kind).words)
    }
    .sensoryFeedback(.success, trigger: model.total)
  }

  private var asks: Binding<Bool> {
    Binding(get: { model.asksToClear != nil }, set: { if !$0 { model.asksToClear = nil } })
  }
}
