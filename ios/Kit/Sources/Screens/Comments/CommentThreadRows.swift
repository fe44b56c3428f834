internal import AppModel
internal import Contract
internal import SwiftUI

/// What stands under a comment: its replies, those that are on their way, and the rest of them at a tap.
struct CommentThreadRows: View {
  private let comment: ClipComment
  private let model: CommentsModel
  private let outlets: CommentOutlets
  /// Which comment VoiceOver is at.
  private let read: AccessibilityFocusState<String?>.Binding
  @ScaledMetric(relativeTo: .body) private var indent = 36.0

  init(
    of comment: ClipComment, in model: CommentsModel, _ outlets: CommentOutlets,
    read: AccessibilityFocusState<String?>.Binding
  ) {
    self.comment = comment
    self.model = model
    self.outlets = outlets
    self.read = read
  }

  var body: some View {
    ForEach(model.replies(to: comment), id: \.id) { reply in
      CommentRow(reply, of: model, outlets)
        .accessibilityFocused(read, equals: reply.id)
        .listRowSeparator(.hidden)
    }
    ForEach(model.pending(under: comment)) { entry in
      UnsentComment(entry, of: model).padding(.leading, indent + 12).listRowSeparator(.hidden)
    }
    if let thread = model.thread(of: comment), let failure = thread.list.failure {
      FailedPage(failure) { Task { await thread.list.again() } }.listRowSeparator(.hidden)
    } else if model.thread(of: comment)?.list.isLoading == true {
      ProgressView().frame(maxWidth: .infinity).listRowSeparator(.hidden)
    } else if comment.replies > 0 {
      buttons.padding(.leading, indent + 12).listRowSeparator(.hidden)
    }
  }

  @ViewBuilder private var buttons: some View {
    let hidden = model.hiddenReplies(of: comment)
    let thread = model.thread(of: comment)
    HStack(spacing: 20) {
      if let thread, thread.isOpen {
        if hidden > 0 { Button("View \(hidden) more replies") { Task { await thread.list.more() } } }
        Button("Hide replies") { Task { await model.toggleReplies(to: comment) } }
      } else if hidden > 0 {
        Button("View \(hidden) replies") { Task { await model.toggleReplies(to: comment) } }
      }
    }
    .font(.footnote)
    .buttonStyle(.borderless)
    .frame(minHeight: 44)
  }
}

/// A comment that has not arrived yet.
struct UnsentComment: View {
  private let entry: Outbox<ClipComment>.Entry
  private let model: CommentsModel

  init(_ entry: Outbox<ClipComment>.Entry, of model: CommentsModel) {
    self.entry = entry
    self.model = model
  }

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(verbatim: entry.text)
      UnsentState(entry) {
        model.retry(entry.id)
      } discard: {
        model.discard(entry)
      }
    }
  }
}
