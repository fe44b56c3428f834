/// Which comments wait under an account's clips, and what becomes of those that do.
extension Client {
  public func commentFilters() async throws -> CommentFilters {
    try await get(Route.commentFilters.path())
  }

  /// All of them, in the place of those that there were. Answers them as they are kept: each word once, and
  /// none that says nothing.
  public func change(_ filters: CommentFilters) async throws -> CommentFilters {
    try await write("PUT", filters, to: Route.commentFilters.path())
  }

  /// The newest first.
  public func heldComments(cursor: String? = nil, limit: Int? = nil) async throws -> HeldCommentPage {
    try await page(Route.heldComments.path(), cursor: cursor, limit: limit)
  }

  /// From now on it stands under its clip as if it was written just now. Twice is once. Throws
  /// `comment_not_found`, also where the comment that it answers is gone. Who wants it away deletes it.
  public func approveComment(_ id: String) async throws -> ClipComment {
    try await answer(to: WireRequest("PUT", Route.commentApproval.path(id)))
  }
}
