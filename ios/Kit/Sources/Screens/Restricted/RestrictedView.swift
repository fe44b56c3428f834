internal import AppModel
internal import SwiftUI

/// Whether somebody sees clips for adults.
struct RestrictedView: View {
  @Bindable var model: RestrictedModel

  var body: some View {
    Form {
      if model.isThere {
        Section {
          Toggle("Restricted mode", isOn: isOn).disabled(model.isSaving)
        } footer: {
          Text(
            "In restricted mode clips for adults are nowhere: not in the feed, in searches or on profiles.")
        }
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading").frame(maxWidth: .infinity)
      }
    }
    .task { await model.load() }
    .refreshable { await model.load() }
    .confirmationDialog("Are you an adult?", isPresented: $model.asks, titleVisibility: .visible) {
      Button("I am an adult") { Task { await model.confirm() } }
      Button("Cancel", role: .cancel) {}
    } message: {
      Text("Clips for adults can show what is not for everybody.")
    }
  }

  private var isOn: Binding<Bool> {
    Binding(get: { model.isOn }, set: { isOn in Task { await model.set(isOn) } })
  }
}
