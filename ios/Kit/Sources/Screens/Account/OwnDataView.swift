internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// What is kept of somebody, to take along.
struct OwnDataView: View {
  let model: OwnDataModel
  let base: URL

  var body: some View {
    List {
      Section {
        ForEach(model.exports, id: \.id) { row($0) }
        if let failure = model.failure { TryAgainView(failure) { await model.watch() } }
        if !model.isThere, model.failure == nil { ProgressView("Loading") }
        Button {
          Task { await model.ask() }
        } label: {
          hasArchive ? Text("Put it together anew") : Text("Put my data together")
        }
        .disabled(model.isAsking || model.isUnderWay)
      } header: {
        Text(
          "Everything that is kept of you here, as one file. You can read it with any computer, and take it to another Clipfeed."
        )
      }
    }
    .task { await model.watch() }
    .refreshable { await model.watch() }
  }

  private var hasArchive: Bool { model.exports.contains { $0.state == .ready } }

  private func row(_ export: DataExport) -> some View {
    VStack(alignment: .leading, spacing: 10) {
      switch export.state {
      case .waiting:
        Text("Waiting for its turn.")
        ProgressView(value: 0)
      case .working:
        Text("It is being put together.")
        ProgressView(value: Double(export.permille), total: 1000)
      case .ready:
        if let size = export.sizeBytes {
          Text(verbatim: Int64(size).formatted(.byteCount(style: .file))).font(.headline)
        }
        if let end = export.expiresAt { Text("It can be downloaded until \(end, format: day).") }
        if let address = model.address(of: export, at: base) {
          Link("Download", destination: address).accessibilityHint("Opens in the browser.")
        }
      case .failed: Text("It could not be put together. Please try again later.")
      }
      if export.state != .failed {
        Button(role: .destructive) {
          Task { await model.delete(export) }
        } label: {
          OwnDataModel.isUnderWay(export) ? Text("Stop") : Text("Delete it")
        }
      }
    }
    .buttonStyle(.borderless)
  }
}
