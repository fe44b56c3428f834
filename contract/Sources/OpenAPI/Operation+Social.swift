internal import Contract

extension Operation {
  /// A mark that is set and taken away. Any number of times is once.
  private static func mark<Value: Codable & Sendable>(
    _ name: String, _ route: Route, _ set: String, _ unset: String, _ type: Value.Type, codes: [ErrorCode]
  ) -> [Operation] {
    [
      Operation(
        id: name, route: route, method: "PUT", tag: "social", summary: set,
        answers: [.json(200, "How it stands now.", type)], codes: codes,
        access: .contributors, limit: .caller(.marks)),
      Operation(
        id: "un\(name)", route: route, method: "DELETE", tag: "social", summary: unset,
        answers: [.json(200, "How it stands now.", type)],
        codes: codes.filter { ![.followOneself, .blockOneself].contains($0) },
        access: .contributors, limit: .caller(.marks)),
    ]
  }

  static let social: [Operation] =
    mark(
      "like", .like, "Likes a clip.", "Takes a like back.", LikeState.self,
      codes: [.clipNotFound, .authorBlocked])
    + mark(
      "bookmark", .bookmark, "Bookmarks a clip.", "Takes a bookmark back.", BookmarkState.self,
      codes: [.clipNotFound, .authorBlocked])
    + mark(
      "follow", .follow, "Follows an author.", "Follows an author no more.", FollowState.self,
      codes: [.authorNotFound, .followOneself, .authorBlocked])
    + mark(
      "block", .block, "Keeps an author and whoever asks apart.", "Has nothing against an author any more.",
      BlockState.self, codes: [.authorNotFound, .blockOneself])
    + [
      Operation(
        id: "share", route: .shares, method: "POST", tag: "social", summary: "Counts that a clip was shared.",
        parameters: [.idempotencyKey("Chosen anew for each share; the same key again is the same share.")],
        answers: [.json(200, "How often it was shared so far.", ShareCount.self)],
        codes: [.clipNotFound, .authorBlocked], access: .contributors, limit: .caller(.marks))
    ]
    + reading(
      "likes", .likes, "social", "Clips that whoever asks has liked, newest first.", FeedPage.self,
      parameters: Parameter.page, links: Parameter.next(of: "getLikes"))
    + reading(
      "bookmarks", .bookmarks, "social", "Clips that whoever asks has bookmarked, newest first.",
      FeedPage.self, parameters: Parameter.page, links: Parameter.next(of: "getBookmarks"))
    + reading(
      "following", .following, "social", "Authors that whoever asks follows, newest first.",
      AuthorPage.self, parameters: Parameter.page, links: Parameter.next(of: "getFollowing"))
    + reading(
      "blocks", .blocks, "social", "Authors that whoever asks has blocked, newest first.",
      AuthorPage.self, parameters: Parameter.page, links: Parameter.next(of: "getBlocks"))

  static let watching: [Operation] =
    [
      Operation(
        id: "sendEvents", route: .events, method: "POST", tag: "watching",
        summary: "Says what was watched, in batches.",
        about: "A batch without an answer can be sent again. As text/plain, it is JSON all the same.",
        bodies: [.json(WatchEvents.self), .plainJSON(WatchEvents.self)],
        answers: [.json(202, "The events that can count were taken.", WatchEventsTaken.self)],
        codes: [.invalidParameter], limit: .caller(.events))
    ]
    + reading(
      "clipInsights", .clipInsights, "watching", "How a clip does, for its owner: an account or a guest.",
      ClipInsights.self, codes: [.clipNotFound])
}
