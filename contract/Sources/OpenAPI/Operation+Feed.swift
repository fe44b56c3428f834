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
      codes: [.clipNotFound, .authorBlocked, .clipForAdults])
    + reading(
      "restrictedMode", .restrictedMode, "feed",
      "Whether whoever asks sees clips that are for adults alone.", RestrictedMode.self)
    + [
      Operation(
        id: "changeRestrictedMode", route: .restrictedMode, method: "PUT", tag: "feed",
        summary: "Begins or ends restricted mode.",
        about:
          "In it clips that are for adults alone are nowhere. Anybody can begin it. Where the site has it for everybody, "
          + "an account ends it that says once that it is an adult's.",
        bodies: [.json(RestrictedModeChange.self)],
        answers: [.json(200, "How it is now.", RestrictedMode.self)],
        codes: [.adultUnconfirmed, .signInNeeded], access: .contributors, limit: .caller(.accountChanges))
    ]
}
