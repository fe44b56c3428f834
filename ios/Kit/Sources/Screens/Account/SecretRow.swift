internal import SwiftUI
internal import UIKit

/// A secret that is shown once, with a button that copies it.
struct SecretRow: View {
  private let name: Text
  private let shown: String
  private let secret: String
  private let label: LocalizedStringKey
  private let copied: () -> Void

  /// `shown`: the secret as people read it; `nil`: as it is. `label`: what the button does, for VoiceOver.
  init(
    _ name: Text, _ secret: String, shown: String? = nil, label: LocalizedStringKey,
    copied: @escaping () -> Void
  ) {
    self.name = name
    self.secret = secret
    self.shown = shown ?? secret
    self.label = label
    self.copied = copied
  }

  var body: some View {
    ActionRow {
      VStack(alignment: .leading) {
        name.font(.footnote).foregroundStyle(.secondary)
        Text(verbatim: shown).monospaced().textSelection(.enabled).privacySensitive()
      }
      .accessibilityElement(children: .combine)
    } action: {
      Button("Copy") {
        UIPasteboard.general.string = secret
        copied()
      }
      .buttonStyle(.borderless)
      .accessibilityLabel(label)
    }
  }
}
