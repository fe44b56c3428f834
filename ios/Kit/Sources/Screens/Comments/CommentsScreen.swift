public import AppModel
public import Contract
internal import Foundation
public import SwiftUI

/// The comments of a clip, newest first, and a field to write one. The clip goes on above it.
public struct CommentsScreen: View {
  private let model: CommentsModel
  private let openProfile: @MainActor (Author) -> Void
  private let close: @MainActor () -> Void
  @State private var toBlock: Author?

  public init(
    _ model: CommentsModel, openProfile: @escaping @MainActor (Author) -> Void,
    close: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.openProfile = openProfile
    self.close = close
  }

  public var body: some View {
    VStack(spacing: 0) {
      header
      rows
      Divider()
      field
    }
    .task { await model.list.begin() }
    .blockQuestion($toBlock, model.blocking) { _ in }
  }

  private var header: some View {
    HStack {
      (model.count > 0 ? Text("\(model.count) comments") : Text("Comments"))
        .font(.headline)
        .accessibilityAddTraits(.isHeader)
      Spacer()
      Button(action: close) {
        Image(systemName: "xmark").frame(width: 44, height: 44)
      }
      .accessibilityLabel("Close")
    }
    .padding(.leading, 16)
    .padding(.top, 8)
  }

  private var rows: some View {
    List {
      ForEach(model.pending) { entry in
        VStack(alignment: .leading, spacing: 4) {
          Text(verbatim: entry.text)
          UnsentState(entry) {
            model.retry(entry.id)
          } discard: {
            model.discard(entry.id)
          }
        }
        .listRowSeparator(.hidden)
      }
      ForEach(model.comments, id: \.id) { comment in
        row(comment).listRowSeparator(.hidden)
      }
      if let failure = model.list.failure {
        FailedPage(failure) { Task { await model.list.more() } }.listRowSeparator(.hidden)
      } else if model.list.isLoading {
        ProgressView().frame(maxWidth: .infinity).listRowSeparator(.hidden)
      }
    }
    .listStyle(.plain)
    .scrollDismissesKeyboard(.interactively)
    .refreshable { await model.list.reload() }
    .overlay {
      if model.isEmpty {
        ContentUnavailableView(
          "No comments yet", systemImage: "bubble.left", description: Text("Yours can be the first."))
      }
    }
  }

  private func row(_ comment: ClipComment) -> some View {
    HStack(alignment: .top, spacing: 12) {
      InitialDisc(comment.author?.name ?? "G").onTapGesture { visit(comment.author) }
      VStack(alignment: .leading, spacing: 2) {
        HStack(spacing: 6) {
          (comment.author.map { Text(verbatim: $0.name) } ?? Text("Guest")).font(.subheadline).bold()
            .onTapGesture { visit(comment.author) }
          Text(verbatim: Age.of(comment.createdAt, at: Date()).words).font(.footnote).foregroundStyle(
            .secondary)
        }
        Text(verbatim: comment.text)
      }
      Spacer(minLength: 0)
    }
    .accessibilityElement(children: .combine)
    .profileAction(comment.author, openProfile)
    .task { await model.list.came(to: comment) }
    .contextMenu { blockButton(comment) }
    .swipeActions(edge: .trailing, allowsFullSwipe: false) { blockButton(comment) }
  }

  private func visit(_ author: Author?) {
    if let author, author.hasProfile { openProfile(author) }
  }

  @ViewBuilder private func blockButton(_ comment: ClipComment) -> some View {
    if let author = comment.author, model.blocking.canBlock(author) {
      Button("Block \(author.name)", systemImage: "hand.raised", role: .destructive) { toBlock = author }
    }
  }

  @ViewBuilder private var field: some View {
    if let reason = model.closedReason {
      Text(verbatim: reason.words).foregroundStyle(.secondary).frame(minHeight: 44).padding(8)
    } else {
      WritingField(
        model.field, prompt: "Add a comment…", send: "Post the comment", symbol: "arrow.up.circle.fill"
      ) {
        model.post()
      }
    }
  }
}

extension View {
  /// Without eyes: the way from what somebody wrote to them.
  @ViewBuilder fileprivate func profileAction(
    _ author: Author?, _ open: @escaping @MainActor (Author) -> Void
  ) -> some View {
    if let author, author.hasProfile {
      accessibilityAction(named: Text("Profile of \(author.name)")) { open(author) }
    } else {
      self
    }
  }
}
