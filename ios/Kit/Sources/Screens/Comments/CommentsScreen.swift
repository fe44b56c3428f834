public import AppModel
public import Contract
internal import Foundation
public import SwiftUI

/// The comments of a clip with their replies, and a field to write one. The clip goes on above it.
public struct CommentsScreen: View {
  private static let top = "top"

  private let model: CommentsModel
  private let openProfile: @MainActor (Author) -> Void
  private let report: @MainActor (ClipComment) -> Void
  private let close: @MainActor () -> Void
  @State private var toBlock: Author?
  @State private var toDelete: ClipComment?
  @AccessibilityFocusState private var read: String?

  public init(
    _ model: CommentsModel, openProfile: @escaping @MainActor (Author) -> Void,
    report: @escaping @MainActor (ClipComment) -> Void, close: @escaping @MainActor () -> Void
  ) {
    self.model = model
    self.openProfile = openProfile
    self.report = report
    self.close = close
  }

  public var body: some View {
    VStack(spacing: 0) {
      header
      ScrollViewReader { place in
        rows
          .overlay(alignment: .top) { arrivals(place) }
          .onChange(of: model.marked, initial: true) { _, marked in
            guard let marked else { return }
            place.scrollTo(marked, anchor: .center)
            read = marked
          }
      }
      Divider()
      CommentField(model)
    }
    .task { await model.appeared() }
    .onDisappear { model.left() }
    .blockQuestion($toBlock, model.blocking) { _ in }
    .confirmationDialog(
      "Delete this comment?",
      isPresented: Binding(get: { toDelete != nil }, set: { if !$0 { toDelete = nil } }),
      titleVisibility: .visible, presenting: toDelete
    ) { comment in
      Button("Delete", role: .destructive) { Task { await model.delete(comment) } }
      Button("Cancel", role: .cancel) {}
    } message: { comment in
      comment.replies > 0
        ? Text("It goes with its replies. This can’t be undone.") : Text("This can’t be undone.")
    }
  }

  private var outlets: CommentOutlets {
    CommentOutlets(
      openProfile: openProfile, block: { toBlock = $0 }, delete: { toDelete = $0 }, report: report)
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
      if !model.isEmpty { order }
      ForEach(model.pending) { entry in
        UnsentComment(entry, of: model).listRowSeparator(.hidden)
      }
      ForEach(model.comments, id: \.id) { comment in
        CommentRow(comment, of: model, outlets)
          .accessibilityFocused($read, equals: comment.id)
          .listRowSeparator(.hidden)
          .task { await model.list.came(to: comment) }
        CommentThreadRows(of: comment, in: model, outlets, read: $read)
      }
      if let failure = model.list.failure {
        FailedPage(failure) { Task { await model.list.again() } }.listRowSeparator(.hidden)
      } else if model.list.isLoading {
        ProgressView().frame(maxWidth: .infinity).listRowSeparator(.hidden)
      }
    }
    .listStyle(.plain)
    .scrollDismissesKeyboard(.interactively)
    .refreshable { await model.reload() }
    .overlay {
      if model.isEmpty {
        ContentUnavailableView(
          "No comments yet", systemImage: "bubble.left", description: Text("Yours can be the first."))
      }
    }
  }

  /// The first row: while it is there, whoever reads is at the top.
  private var order: some View {
    Picker(
      "Order of the comments",
      selection: Binding(
        get: { model.order }, set: { order in Task { await model.sort(by: order) } })
    ) {
      Text("Newest").tag(CommentOrder.newest)
      Text("Top").tag(CommentOrder.top)
    }
    .pickerStyle(.segmented)
    .id(Self.top)
    .listRowSeparator(.hidden)
    .onAppear { model.setAtTop(true) }
    .onDisappear { model.setAtTop(false) }
  }

  /// What came while somebody reads further down.
  @ViewBuilder private func arrivals(_ place: ScrollViewProxy) -> some View {
    if !model.held.isEmpty {
      Button("\(model.held.count) new comments") {
        model.showHeld()
        place.scrollTo(Self.top, anchor: .top)
      }
      .buttonStyle(.borderedProminent)
      .frame(minHeight: 44)
    }
  }
}
