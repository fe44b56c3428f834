internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI
internal import UIKit

/// Where a comment leads, and what is asked before it is done.
struct CommentOutlets {
  let openProfile: @MainActor (Author) -> Void
  let block: @MainActor (Author) -> Void
  let delete: @MainActor (ClipComment) -> Void
  let report: @MainActor (ClipComment) -> Void
}

/// A comment or a reply, with what can be done about it.
struct CommentRow: View {
  private let comment: ClipComment
  private let model: CommentsModel
  private let outlets: CommentOutlets
  @ScaledMetric(relativeTo: .body) private var indent = 36.0

  init(_ comment: ClipComment, of model: CommentsModel, _ outlets: CommentOutlets) {
    self.comment = comment
    self.model = model
    self.outlets = outlets
  }

  var body: some View {
    HStack(alignment: .top, spacing: 12) {
      FaceDisc(comment.author ?? .guest("")).onTapGesture { visit(comment.author) }
      VStack(alignment: .leading, spacing: 2) {
        if waits {
          Label("Waits for its creator: only you see it", systemImage: "clock").font(.footnote)
            .foregroundStyle(.secondary)
        }
        if comment.pinned {
          Label("Pinned", systemImage: "pin.fill").font(.footnote).foregroundStyle(.secondary)
        }
        HStack(spacing: 6) {
          Text(verbatim: name).font(.subheadline).bold().onTapGesture { visit(comment.author) }
          Text(verbatim: age).font(.footnote).foregroundStyle(.secondary)
        }
        Text(words).environment(\.openURL, OpenURLAction { follow($0) })
      }
      Spacer(minLength: 0)
      if !waits { likeButton }
    }
    .padding(.leading, comment.parentId == nil ? 0 : indent + 12)
    .accessibilityElement(children: .ignore)
    .accessibilityLabel(Text(verbatim: spoken))
    .accessibilityActions {
      if !waits { likeAction }
      linkActions
      pinAction
      reportAction
      profileActions
    }
    .contextMenu {
      replyAction
      if !waits { likeAction }
      linkActions
      pinAction
      reportAction
      removals
    }
    // NB: the system offers these to VoiceOver by itself.
    .swipeActions(edge: .leading) { replyAction }
    .swipeActions(edge: .trailing, allowsFullSwipe: false) { removals }
    .listRowBackground(model.marked == comment.id ? Color.accentColor.opacity(0.15) : nil)
  }

  // MARK: Words

  /// Whoever made the clip looks at it first.
  private var waits: Bool { comment.held == true }
  private var name: String { comment.author?.name ?? String(localized: "Guest") }
  private var age: String { Age.of(comment.createdAt, at: Date()).words }

  private var spoken: String {
    let likes = model.likes(of: comment)
    return [
      model.marked == comment.id ? String(localized: "The comment of the link") : nil,
      waits ? String(localized: "Waits for its creator: only you see it") : nil,
      comment.pinned ? String(localized: "Pinned") : nil, name, age, comment.text,
      likes > 0 ? String(localized: "\(likes) likes") : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Whoever is named leads to their profile.
  private var words: AttributedString {
    MentionText(comment.text).pieces.reduce(into: AttributedString()) { all, piece in
      var part = AttributedString(piece.text)
      part.link = piece.handle.flatMap { model.address(of: $0) }
      all += part
    }
  }

  private func follow(_ url: URL) -> OpenURLAction.Result {
    guard let handle = MentionText(comment.text).handles.first(where: { model.address(of: $0) == url }) else {
      return .systemAction
    }
    visit(Author(id: "", handle: handle, name: handle))
    return .handled
  }

  private func visit(_ author: Author?) {
    if let author, author.hasProfile { outlets.openProfile(author) }
  }

  // MARK: Actions

  private var likeButton: some View {
    let (isLiked, likes) = (model.isLiked(comment), model.likes(of: comment))
    return Button {
      model.toggleLike(comment)
    } label: {
      VStack(spacing: 2) {
        Image(systemName: isLiked ? "heart.fill" : "heart")
        if likes > 0 {
          Text(verbatim: likes.formatted(.number.notation(.compactName))).font(.caption2).monospacedDigit()
        }
      }
      .frame(minWidth: 44, minHeight: 44)
    }
    .buttonStyle(.borderless)
    .foregroundStyle(isLiked ? Color.red : Color.secondary)
    .accessibilityLabel(isLiked ? Text("Unlike") : Text("Like"))
  }

  private var likeAction: some View {
    let isLiked = model.isLiked(comment)
    return Button(isLiked ? "Unlike" : "Like", systemImage: isLiked ? "heart.slash" : "heart") {
      model.toggleLike(comment)
    }
  }

  @ViewBuilder private var replyAction: some View {
    if model.takesComments, !waits {
      Button("Reply", systemImage: "arrowshape.turn.up.backward") { model.reply(to: comment) }
    }
  }

  @ViewBuilder private var linkActions: some View {
    if let link = model.link(to: comment) {
      Button("Copy link", systemImage: "link") {
        UIPasteboard.general.string = link.absoluteString
        model.linkCopied()
      }
      ShareLink("Share the link", item: link)
    }
  }

  @ViewBuilder private var pinAction: some View {
    if model.canPin(comment) {
      Button(
        comment.pinned ? "Unpin" : "Pin", systemImage: comment.pinned ? "pin.slash" : "pin"
      ) { Task { await model.setPinned(!comment.pinned, comment) } }
    }
  }

  @ViewBuilder private var reportAction: some View {
    if model.canReport(comment) {
      Button("Report", systemImage: "flag") { outlets.report(comment) }
    }
  }

  @ViewBuilder private var removals: some View {
    if model.canDelete(comment) {
      Button("Delete", systemImage: "trash", role: .destructive) { outlets.delete(comment) }
    }
    if let author = comment.author, !comment.own, model.blocking.canBlock(author) {
      Button("Block \(author.name)", systemImage: "hand.raised", role: .destructive) {
        outlets.block(author)
      }
    }
  }

  /// Without eyes: the ways from what somebody wrote to them, and to whom it names.
  @ViewBuilder private var profileActions: some View {
    if let author = comment.author, author.hasProfile {
      Button("Profile of \(author.name)") { visit(author) }
    }
    ForEach(MentionText(comment.text).handles, id: \.self) { handle in
      Button("Profile of \("@" + handle)") { visit(Author(id: "", handle: handle, name: handle)) }
    }
  }
}
