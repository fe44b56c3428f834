public import AppModel
internal import Contract
internal import Foundation
public import SwiftUI
internal import UIKit

/// What somebody wants to hear of, kind by kind.
public struct NotificationSettingsScreen: View {
  private let model: NotificationSettingsModel
  @Environment(\.openURL) private var openURL

  public init(_ model: NotificationSettingsModel) { self.model = model }

  public var body: some View {
    Form {
      if model.isThere {
        Section {
          switches(.list)
        } header: {
          Text("In your list")
        }
        Section {
          switches(.push)
          Button("Notifications of this device", systemImage: "gearshape") { openSystem() }
            .accessibilityHint("Opens the system’s settings.")
        } header: {
          Text("On your devices")
        } footer: {
          Text(
            "Told while you don’t look. Whether this device may tell you anything is the system’s setting.")
        }
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading").frame(maxWidth: .infinity)
      }
    }
    .navigationTitle("What you hear of")
    .task { await model.load() }
    .refreshable { await model.load() }
  }

  private func switches(_ place: NotificationSettingsModel.Place) -> some View {
    ForEach(model.settings(of: place), id: \.kind) { setting in
      Toggle(isOn: isOn(setting, in: place)) { Text(verbatim: setting.title?.words ?? "") }
    }
  }

  private func isOn(
    _ setting: NotificationSetting, in place: NotificationSettingsModel.Place
  ) -> Binding<Bool> {
    Binding(
      get: { model.isOn(setting, in: place) },
      set: { isOn in Task { await model.set(setting.kind, in: place, isOn) } })
  }

  private func openSystem() {
    if let url = URL(string: UIApplication.openSettingsURLString) { openURL(url) }
  }
}
