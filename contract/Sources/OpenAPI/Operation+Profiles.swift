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

  private static func part(_ name: String, _ about: String) -> Parameter {
    .query(name, .number, Note(about, range: 0...1))
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
    + reading(
      "profileLikes", .profileLikes, "profiles",
      "Public clips that somebody likes, the newest like first, where they show them.", FeedPage.self,
      parameters: Parameter.page, codes: [.authorNotFound, .authorBlocked, .notAllowed],
      limit: .caller(.search),
      links: Parameter.next(of: "getProfileLikes") + Link.byID(at: "/items/0/id", "getClip", "headClip"))
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
        limit: .caller(.accountChanges)),
      Operation(
        id: "putPicture", route: .accountPicture, method: "PUT", tag: "profiles",
        summary: "Gives whoever asks a picture, in the place of the one that they have.",
        about: """
          A JPEG, PNG or WebP, which the content decides. A square of it is made anew in two sizes, and nothing \
          else is kept: neither place, day nor device. Of one that moves the first frame is taken.
          """,
        parameters: [
          part("crop_x", "Its left edge, as a part of the upright width; else it lies in the middle."),
          part("crop_y", "Its upper edge, as a part of the height; else it lies in the middle."),
          part("crop_size", "Its side, as a part of the shorter side; else all of it."),
        ],
        bodies: Body.bytes("image/jpeg", "image/png", "image/webp"),
        answers: [.json(200, "Whoever asks, with the picture.", Author.self)],
        codes: [
          .authorNotFound, .pictureUnreadable, .pictureTooLarge, .contentTypeUnsupported, .storageFull,
        ], access: .members, limit: .caller(.pictures)),
      Operation(
        id: "removePicture", route: .accountPicture, method: "DELETE", tag: "profiles",
        summary: "Takes the picture of whoever asks away.",
        about: "Its addresses are closed. Where there is none, nothing happens.",
        answers: [.empty(204, "There is none.")], codes: [.authorNotFound], access: .members,
        limit: .caller(.accountChanges)),
    ]
}
