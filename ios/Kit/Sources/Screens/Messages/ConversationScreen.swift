public import AppModel
public import Contract
public import Foundation
public import SwiftUI

/// What two people have written to each other, the newest at the lower end, and a field to go on.
public struct ConversationScreen: View {
  private let model: ConversationModel
  private let base: URL
  private let watch: @MainActor (Clip) -> Void
  private let openProfile: @MainActor (Author) -> Void
  private let report: @MainActor (Message) -> Void
  private let leave: @MainActor () -> Void
  @State private var toBlock: Author?

  /// `base` is the server's address, `watch` begins to play a clip that a message is about, and `leave`
  /// goes back.
  public init(
    _ model: ConversationModel, base: URL, watch: @escaping @MainActor (Clip) -> Void,
    openProfile: @escaping @MainActor (Author) -> Void, report: @escaping @MainActor (Message) -> Void,
    leave: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.base = base
    self.watch = watch
    self.openProfile = openProfile
    self.report = report
    self.leave = leave
  }

  public var body: some View {
    VStack(spacing: 0) {
      messages
      Divider()
      WritingField(model.field, prompt: "Send message", send: "Send", symbol: "paperplane.fill") {
        model.send()
      }
    }
    .navigationTitle(model.peer.name.isEmpty ? Text("Conversation") : Text(verbatim: model.peer.name))
    .toolbar {
      if model.peer.hasProfile {
        ToolbarItem(placement: .principal) {
          Button {
            openProfile(model.peer)
          } label: {
            Text(verbatim: model.peer.name).font(.headline).frame(minHeight: 44)
          }
          .buttonStyle(.plain)
          .accessibilityHint("Opens their profile.")
        }
      }
      ToolbarItem(placement: .primaryAction) {
        Button("Block") { toBlock = model.peer }
      }
    }
    .blockQuestion($toBlock, model.blocking) { _ in leave() }
    .task { await model.appeared() }
    .onDisappear { model.left() }
  }

  private var messages: some View {
    ScrollView {
      LazyVStack(spacing: 10) {
        if let failure = model.list.failure {
          FailedPage(failure) { Task { await model.list.again() } }
        } else if model.list.isLoading {
          ProgressView().padding(8)
        }
        ForEach(model.messages.reversed(), id: \.id) { message in
          bubble(message)
        }
        ForEach(model.pending) { entry in
          VStack(alignment: .trailing, spacing: 2) {
            words(entry.text, isOwn: true)
            UnsentState(entry) {
              model.retry(entry.id)
            } discard: {
              model.discard(entry.id)
            }
          }
          .frame(maxWidth: .infinity, alignment: .trailing)
        }
      }
      .padding(12)
    }
    .defaultScrollAnchor(.bottom)
    .scrollDismissesKeyboard(.interactively)
    .overlay {
      if model.isEmpty {
        ContentUnavailableView(
          "Nothing here yet", systemImage: "bubble.left.and.bubble.right", description: Text("Say hello."))
      }
    }
  }

  private func bubble(_ message: Message) -> some View {
    VStack(alignment: message.isOwn ? .trailing : .leading, spacing: 2) {
      if let clip = message.clipId { subject(clip) }
      words(message.text, isOwn: message.isOwn)
      Text(verbatim: Age.of(message.createdAt, at: Date()).words).font(.caption2).foregroundStyle(.secondary)
    }
    .frame(maxWidth: .infinity, alignment: message.isOwn ? .trailing : .leading)
    .contextMenu { reportAction(message) }
    .accessibilityActions { reportAction(message) }
    .task { await model.list.came(to: message) }
  }

  @ViewBuilder private func reportAction(_ message: Message) -> some View {
    if !message.isOwn { Button("Report", systemImage: "flag") { report(message) } }
  }

  private func words(_ text: String, isOwn: Bool) -> some View {
    Text(verbatim: text)
      .padding(.horizontal, 14)
      .padding(.vertical, 9)
      .background(
        isOwn ? Color.accentColor.opacity(0.3) : Color.gray.opacity(0.25),
        in: RoundedRectangle(cornerRadius: 18)
      )
      .accessibilityLabel(isOwn ? Text("You: \(text)") : Text("They: \(text)"))
  }

  @ViewBuilder private func subject(_ id: String) -> some View {
    switch model.subjects[id] {
    case .known(let clip):
      Button {
        watch(clip)
      } label: {
        HStack(spacing: 8) {
          ClipPicture(ListPicture(of: clip, base: base)).frame(width: 36, height: 64)
          VStack(alignment: .leading, spacing: 2) {
            (clip.caption.isEmpty ? Text("A clip") : Text(verbatim: clip.caption)).lineLimit(2)
            if clip.aiGenerated == true { MadeByAI() }
          }
        }
        .frame(minHeight: 44)
      }
      .accessibilityHint("Plays the clip that this is about.")
    case .gone: Text("This clip is gone.").font(.footnote).foregroundStyle(.secondary)
    case .coming, nil:
      Text("A clip").font(.footnote).foregroundStyle(.secondary).task { await model.wantSubject(id) }
    }
  }
}
