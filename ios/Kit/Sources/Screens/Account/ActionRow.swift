internal import SwiftUI

/// A row with something to tap at its end; below it where letters are large.
struct ActionRow<Content: View, Action: View>: View {
  @Environment(\.dynamicTypeSize) private var size
  private let content: Content
  private let action: Action

  init(@ViewBuilder content: () -> Content, @ViewBuilder action: () -> Action) {
    self.content = content()
    self.action = action()
  }

  var body: some View {
    if size.isAccessibilitySize {
      VStack(alignment: .leading) {
        content
        action.frame(minHeight: 44)
      }
    } else {
      HStack {
        content
        Spacer()
        action.frame(minHeight: 44)
      }
    }
  }
}
