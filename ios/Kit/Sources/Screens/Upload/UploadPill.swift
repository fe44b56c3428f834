public import AppModel
internal import Foundation
public import SwiftUI

/// An upload over the feed, in a few words; a tap opens its screen. Empty where there is none.
public struct UploadPill: View {
  private let model: UploadModel
  private let open: @MainActor () -> Void

  public init(_ model: UploadModel, open: @escaping @MainActor () -> Void) {
    self.model = model
    self.open = open
  }

  public var body: some View {
    if let pill = model.pill, !model.isOpen {
      Button(action: open) {
        HStack(spacing: 8) {
          ProgressView(value: model.share)
            .progressViewStyle(.circular)
            .tint(.white)
            .accessibilityHidden(true)
          Text(verbatim: pill.words)
            .font(.footnote)
            .bold()
            .monospacedDigit()
            .foregroundStyle(.white)
        }
        .padding(.horizontal, 14)
        .frame(minHeight: 44)
        .background(Color.black.opacity(0.6), in: Capsule())
      }
      .buttonStyle(.plain)
      .accessibilityHint("Opens the upload.")
      .accessibilityAddTraits(.updatesFrequently)
    }
  }
}
