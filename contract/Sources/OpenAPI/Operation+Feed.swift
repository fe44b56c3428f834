internal import Contract

extension Operation {
  static let feed: [Operation] =
    reading(
      "feed", .feed, "feed", "Public clips, in the order of a tab.", FeedPage.self,
      parameters: [
        .query(
          "tab", .choice(name: "", of: FeedTab.allCases.map(\.rawValue)),
          Note("Default: latest. A cursor of another tab starts this one."))
      ] + Parameter.page,
      links: Parameter.next(of: "getFeed")
        + Link.byID(
          at: "/items/0/id", "getClip", "headClip", "getComments", "headComments", "addComment", "react",
          "like", "unlike",
          "bookmark", "unbookmark", "share", "getSimilarClips", "headSimilarClips")
        + Link.byID(at: "/items/0/author/id", "follow", "unfollow", "block", "unblock")
        + Link.profile(at: "/items/0/author"))
    + reading(
      "clip", .clip, "feed", "One clip, public or unlisted.", Clip.self,
      codes: [.clipNotFound, .authorBlocked])

  static let comments: [Operation] =
    reading(
      "comments", .comments, "comments", "Comments of a clip, newest first.", CommentPage.self,
      parameters: Parameter.page, codes: [.clipNotFound, .authorBlocked])
    + [
      Operation(
        id: "addComment", route: .comments, method: "POST", tag: "comments", summary: "Comments on a clip.",
        parameters: [
          .idempotencyKey("Chosen anew for each comment; the same key again answers with the same comment.")
        ],
        bodies: [.json(NewComment.self)],
        answers: [.json(201, "The comment, as it is shown.", ClipComment.self)],
        codes: [
          .clipNotFound, .authorBlocked, .commentsOff, .commentEmpty, .commentTooLong, .commentRemoved,
          .idempotencyKeyReused,
        ], access: .contributors, limit: .caller(.comments)),
      Operation(
        id: "react", route: .reactions, method: "POST", tag: "comments", summary: "Reacts to a clip.",
        parameters: [
          .idempotencyKey(
            "Chosen anew for each reaction; for a day the same key again is the same reaction.",
            isRequired: false)
        ],
        bodies: [.json(NewReaction.self)],
        answers: [.json(200, "How often the clip got this reaction so far.", ReactionCount.self)],
        codes: [.clipNotFound, .authorBlocked, .commentsOff, .idempotencyKeyReused],
        access: .contributors, limit: .caller(.reactions)),
    ]
}
