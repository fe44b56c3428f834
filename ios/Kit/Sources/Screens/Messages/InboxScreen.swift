public import AppModel
internal import Contract
internal import Foundation
public import SwiftUI

/// Conversations, the last written to first.
public struct InboxScreen: View {
  private let inbox: Inbox
  private let open: @MainActor (String) -> Void

  /// `open` goes to the conversation with this person.
  public init(_ inbox: Inbox, open: @escaping @MainActor (String) -> Void) {
    self.inbox = inbox
    self.open = open
  }

  public var body: some View {
    List {
      ForEach(inbox.list.items, id: \.peer.id) { conversation in
        Button {
          open(conversation.peer.id)
        } label: {
          row(conversation)
        }
        .task { await inbox.list.came(to: conversation) }
      }
      if let failure = inbox.list.failure {
        FailedPage(failure) { Task { await inbox.list.again() } }.listRowSeparator(.hidden)
      } else if inbox.list.isLoading {
        ProgressView().frame(maxWidth: .infinity).listRowSeparator(.hidden)
      }
    }
    .listStyle(.plain)
    .refreshable { await inbox.look() }
    .overlay {
      if inbox.list.isEmpty {
        ContentUnavailableView(
          "No messages yet", systemImage: "paperplane",
          description: Text("Write to a creator from the bar under their clip."))
      }
    }
    .navigationTitle("Messages")
    .onAppear { inbox.isShown = true }
    .onDisappear { inbox.isShown = false }
    .task { await inbox.look() }
  }

  private func row(_ conversation: Conversation) -> some View {
    HStack(spacing: 12) {
      FaceDisc(conversation.peer)
      VStack(alignment: .leading, spacing: 2) {
        Text(verbatim: conversation.peer.name).font(.headline).foregroundStyle(.primary)
        last(conversation.last).lineLimit(1).foregroundStyle(.secondary)
      }
      Spacer(minLength: 0)
      VStack(alignment: .trailing, spacing: 4) {
        Text(verbatim: Age.of(conversation.last.createdAt, at: Date()).words)
          .font(.footnote)
          .foregroundStyle(.secondary)
        if conversation.unread > 0 {
          Text("\(conversation.unread) unread").font(.footnote).bold().foregroundStyle(.tint)
        }
      }
    }
    .frame(minHeight: 52)
    .contentShape(.rect)
    .accessibilityElement(children: .combine)
  }

  private func last(_ message: Message) -> Text {
    message.isOwn ? Text("You: \(message.text)") : Text(verbatim: message.text)
  }
}
