public import AppModel
internal import Foundation
public import SwiftUI
internal import UIKit

/// How clips play on this device, what takes room on it, and which server it is for.
public struct SettingsScreen: View {
  @Bindable private var model: SettingsModel
  private let server: ServerModel
  private let openTaste: @MainActor () -> Void
  private let openKept: @MainActor () -> Void
  private let openNotifications: @MainActor () -> Void
  private let version: String
  @Environment(\.openURL) private var openURL

  /// `version`: of the app, as people tell it to others.
  public init(
    _ model: SettingsModel, server: ServerModel, version: String,
    openTaste: @escaping @MainActor () -> Void, openKept: @escaping @MainActor () -> Void,
    openNotifications: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.server = server
    self.version = version
    self.openTaste = openTaste
    self.openKept = openKept
    self.openNotifications = openNotifications
  }

  public var body: some View {
    Form {
      Section("For you") {
        Button("What your feed goes by", systemImage: "sparkles", action: openTaste)
        Button("What you hear of", systemImage: "bell", action: openNotifications)
      }
      playback
      CaptionsSection(model.captions)
      data
      Section("On this device") {
        Button("Kept clips", systemImage: "arrow.down.circle", action: openKept)
      }
      StorageSection(model)
      Section("App") {
        Button("Language", systemImage: "globe") { openSettings() }
          .accessibilityHint("Opens the system’s settings.")
        NavigationLink {
          ServerScreen(server)
        } label: {
          LabeledContent("Server", value: server.url?.host() ?? "")
        }
        LabeledContent("Version", value: version)
      }
    }
    .navigationTitle("Settings")
    .task { await model.measure() }
  }

  private var playback: some View {
    Section("Playing") {
      Toggle(isOn: $model.waits) {
        SettingLabel(
          "Wait for each clip’s first picture",
          "A swipe never ends on a still picture. On a slow connection it may take longer.")
      }
      Toggle(isOn: $model.byHand) {
        SettingLabel("Play clips only when tapped", "Nothing starts by itself.")
      }
    }
  }

  private var data: some View {
    Section("Data") {
      Toggle(isOn: $model.saves) {
        SettingLabel("Save data", "Lower picture quality, and fewer clips loaded ahead.")
      }
      Toggle(isOn: $model.unlimited) {
        SettingLabel("My mobile data has no limit", "Full picture quality on mobile connections too.")
      }
      Toggle(isOn: $model.refreshes) {
        SettingLabel("Load new clips in the background", "They are there when you open the app.")
      }
    }
  }

  private func openSettings() {
    if let url = URL(string: UIApplication.openSettingsURLString) { openURL(url) }
  }
}

/// A setting's name, and what it means.
struct SettingLabel: View {
  private let title: LocalizedStringKey
  private let hint: LocalizedStringKey

  init(_ title: LocalizedStringKey, _ hint: LocalizedStringKey) {
    self.title = title
    self.hint = hint
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 2) {
      Text(title)
      Text(hint).font(.footnote).foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .combine)
  }
}
