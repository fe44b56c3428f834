internal import AppModel
internal import Contract
internal import SwiftUI

extension View {
  /// Asks whether the person means it, and blocks. `done` runs once they are blocked.
  func blockQuestion(
    _ author: Binding<Author?>, _ blocking: Blocking, done: @escaping @MainActor (Author) -> Void
  ) -> some View {
    blockQuestion(author) { who in
      if await blocking.block(who) { done(who) }
    }
  }

  /// The same where `block` does it.
  func blockQuestion(
    _ author: Binding<Author?>, block: @escaping @MainActor (Author) async -> Void
  ) -> some View {
    confirmationDialog(
      "Block this person?",
      isPresented: Binding(
        get: { author.wrappedValue != nil }, set: { if !$0 { author.wrappedValue = nil } }),
      titleVisibility: .visible, presenting: author.wrappedValue
    ) { who in
      Button("Block \(who.name)", role: .destructive) {
        Task { await block(who) }
      }
      Button("Cancel", role: .cancel) {}
    } message: { _ in
      Text(
        "Neither of you sees the other’s clips and comments any more, nor follows the other. Nobody is told. You can take it back in your account."
      )
    }
  }
}
