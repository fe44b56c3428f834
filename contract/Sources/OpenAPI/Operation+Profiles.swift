internal import Contract

extension Operation {
  private static let words = Parameter.query(
    "q", .string,
    Note(
      "Only people in whose handle or name this stands, whatever its case. Empty: all.",
      range: 0...Limits.searchScalars))

  private static func people(_ id: String, _ route: Route, _ summary: String) -> [Operation] {
    reading(
      id, route, "profiles", summary, FoundPersonPage.self, parameters: [words] + Parameter.page,
      codes: [.authorNotFound, .authorBlocked], limit: .caller(.search),
      links: Parameter.next(of: "get\(id.prefix(1).uppercased() + id.dropFirst())")
        + Link.byID(at: "/items/0/author/id", "follow", "block"))
  }

  static let profiles: [Operation] =
    reading(
      "profile", .profile, "profiles", "Somebody who makes clips, by handle.", Profile.self,
      codes: [.authorNotFound],
      links: Link.byID(at: "/author/id", "follow", "block"))
    + reading(
      "profileClips", .profileClips, "profiles", "Somebody's public clips, newest first.", FeedPage.self,
      parameters: Parameter.page, codes: [.authorNotFound, .authorBlocked],
      links: Parameter.next(of: "getProfileClips") + Link.byID(at: "/items/0/id", "getClip", "headClip"))
    + people(
      "profileFollowers", .profileFollowers,
      "Who follows somebody, whoever came here last first. Guests are counted, and not named.")
    + people("profileFollowing", .profileFollowing, "Whom somebody follows, newest first.")
    + [
      Operation(
        id: "changeProfile", route: .accountProfile, method: "PATCH", tag: "profiles",
        summary: "Changes what stands on the profile of whoever asks.",
        about: "What is null stays as it is.", bodies: [.json(ProfileChange.self)],
        answers: [.json(200, "The profile.", Profile.self)],
        codes: [.authorNotFound, .bioTooLong, .textRefused, .profileLinkInvalid], access: .members,
        limit: .caller(.accountChanges))
    ]
}
