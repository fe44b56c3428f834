public import SwiftUI

/// A screen with a title and a way back to what lies below.
public struct ScreenStack<Content: View>: View {
  private let close: @MainActor () -> Void
  private let content: Content

  public init(close: @escaping @MainActor () -> Void, @ViewBuilder content: () -> Content) {
    self.close = close
    self.content = content()
  }

  public var body: some View {
    NavigationStack {
      content
        .navigationBarTitleDisplayMode(.inline)
        .toolbar {
          ToolbarItem(placement: .cancellationAction) { Button("Close", action: close) }
        }
    }
  }
}
