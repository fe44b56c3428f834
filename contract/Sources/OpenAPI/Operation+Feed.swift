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
}
