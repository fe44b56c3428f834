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
            Text(Self.title(row.kind)).foregroundStyle(.primary)
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
      Text(Self.warning(kind))
    }
    .sensoryFeedback(.success, trigger: model.total)
  }

  private var asks: Binding<Bool> {
    Binding(get: { model.asksToClear != nil }, set: { if !$0 { model.asksToClear = nil } })
  }

  private static func title(_ kind: StorageUse.Kind) -> LocalizedStringKey {
    switch kind {
    case .memory: "In memory"
    case .media: "Clips loaded ahead"
    case .kept: "Kept clips"
    case .drafts: "Drafts"
    }
  }

  private static func warning(_ kind: StorageUse.Kind) -> LocalizedStringKey {
    switch kind {
    case .memory: "What plays stays. The rest is loaded again when it is watched."
    case .media: "Clips are loaded again when they are watched."
    case .kept: "All clips that you keep leave this device. They stay on the server."
    case .drafts: "Messages and comments that are not sent yet are gone for good."
    }
  }
}
