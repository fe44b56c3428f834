internal import Contract

extension Operation {
  private static let missing: [ErrorCode] = [.commentNotFound, .authorBlocked]

  /// What can be done next with the comment that lies there.
  private static func links(at pointer: String) -> [Link] {
    Link.byID(
      at: pointer, "getComment", "headComment", "deleteComment", "getReplies", "headReplies", "likeComment",
      "unlikeComment", "pinComment", "unpinComment")
  }

  private static func change(
    _ id: String, _ route: Route, _ method: String, _ summary: String, _ answer: Answer,
    about: String? = nil, codes: [ErrorCode] = missing
  ) -> Operation {
    Operation(
      id: id, route: route, method: method, tag: "comments", summary: summary, about: about,
      answers: [answer], codes: codes, access: .contributors, limit: .caller(.marks))
  }

  static let comments: [Operation] =
    reading(
      "comments", .comments, "comments",
      "Comments under a clip, without replies. The pinned one leads the first page.", CommentPage.self,
      parameters: [
        .query(
          "order", .choice(name: "", of: CommentOrder.allCases.map(\.rawValue)),
          Note("Default: newest. A cursor of the other order starts this one."))
      ] + Parameter.page, codes: [.clipNotFound, .authorBlocked, .clipForAdults],
      links: Parameter.next(of: "getComments") + links(at: "/items/0/id"))
    + reading(
      "comment", .comment, "comments", "One comment or reply.", ClipComment.self, codes: missing,
      links: Link.byID(at: "/parent_id", "getReplies", "headReplies")
        + Link.byID(at: "/clip_id", "getComments", "headComments"))
    + reading(
      "replies", .commentReplies, "comments", "Replies to a comment, oldest first.", CommentPage.self,
      parameters: Parameter.page, codes: missing, links: Parameter.next(of: "getReplies"))
    + writing + marking + filtering

  private static let writing: [Operation] = [
    Operation(
      id: "addComment", route: .comments, method: "POST", tag: "comments",
      summary: "Comments on a clip, or answers a comment.",
      parameters: [
        .idempotencyKey("Chosen anew for each comment; the same key again answers with the same comment.")
      ],
      bodies: [.json(NewComment.self)],
      answers: [.json(201, "The comment, as it is shown.", ClipComment.self, links: links(at: "/id"))],
      codes: [
        .clipNotFound, .authorBlocked, .clipForAdults, .commentsOff, .commentsForFollowers, .linksNotYet,
        .textRefused,
        .commentEmpty, .commentTooLong,
        .commentRemoved,
        .commentNotFound, .invalidParameter, .idempotencyKeyReused,
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
      codes: [.clipNotFound, .authorBlocked, .clipForAdults, .commentsOff, .idempotencyKeyReused],
      access: .contributors, limit: .caller(.reactions)),
  ]

  private static let marking: [Operation] = [
    change(
      "deleteComment", .comment, "DELETE", "Deletes a comment with its replies.",
      .empty(204, "It is gone."),
      about: "For whoever wrote it, an account or a guest, and for whoever made the clip. Twice is once.",
      codes: [.commentNotFound, .commentNotYours]),
    change(
      "likeComment", .commentLike, "PUT", "Likes a comment.",
      .json(200, "How it stands now.", LikeState.self)),
    change(
      "unlikeComment", .commentLike, "DELETE", "Takes a like of a comment back.",
      .json(200, "How it stands now.", LikeState.self)),
    change(
      "pinComment", .commentPin, "PUT", "Puts a comment first under its clip, in the place of another.",
      .json(200, "The comment.", ClipComment.self), about: "For whoever made the clip.",
      codes: missing + [.commentNotYours, .commentIsReply]),
    change(
      "unpinComment", .commentPin, "DELETE", "Puts a comment back to its place.",
      .json(200, "The comment.", ClipComment.self), about: "For whoever made the clip.",
      codes: missing + [.commentNotYours]),
  ]

  private static let filtering: [Operation] =
    reading(
      "commentFilters", .commentFilters, "comments",
      "Which comments wait under the clips of whoever asks, and who may write there.", CommentFilters.self,
      access: .accounts)
    + [
      Operation(
        id: "changeCommentFilters", route: .commentFilters, method: "PUT", tag: "comments",
        summary: "Puts filters in the place of those that there were.",
        about: "They hold for what is written from then on.", bodies: [.json(CommentFilters.self)],
        answers: [.json(200, "As they are kept: each word once.", CommentFilters.self)],
        codes: [.invalidParameter], access: .members, limit: .caller(.accountChanges))
    ]
    + reading(
      "heldComments", .heldComments, "comments",
      "Comments that wait for whoever asks, under all of their clips, the newest first.",
      HeldCommentPage.self, parameters: Parameter.page, access: .accounts,
      links: Parameter.next(of: "getHeldComments")
        + Link.byID(at: "/items/0/comment/id", "approveComment", "deleteComment", "getComment"))
    + [
      Operation(
        id: "approveComment", route: .commentApproval, method: "PUT", tag: "comments",
        summary: "Lets a comment stand that waited.",
        about:
          "For whoever made the clip. From then on it is as if it was written just now. Twice is once.",
        answers: [.json(200, "The comment.", ClipComment.self)], codes: missing,
        access: .members, limit: .caller(.marks))
    ]
}
