internal import Contract

extension Operation {
  private static let asked = Parameter.query(
    "q", .string,
    Note(
      """
      What is looked for, in any script. Accents, case and width make no difference, the last word may be only begun, and \
      a word may have one letter too many, too few, wrong, or two in the wrong order. Without a letter or a digit in it \
      nothing is found.
      """, range: 0...Limits.searchScalars))

  private static func found<Value: Codable & Sendable>(
    _ id: String, _ route: Route, _ summary: String, _ type: Value.Type, links: [Link]
  ) -> [Operation] {
    reading(
      id, route, "search", summary, type, parameters: [asked] + Parameter.page, limit: .caller(.search),
      links: Parameter.next(of: "get\(id.prefix(1).uppercased() + id.dropFirst())") + links)
  }

  static let search: [Operation] =
    found(
      "foundClips", .foundClips,
      "Public clips with these words in caption, tags or their author's handle: first what has them as they are, then begun, then misspelt; "
        + "the best known before the newest.", FeedPage.self,
      links: Link.byID(at: "/items/0/id", "getClip", "headClip"))
    + found(
      "foundPeople", .foundPeople,
      "Authors with these words in handle or name, whoever has this handle first.",
      FoundPersonPage.self, links: Link.byID(at: "/items/0/author/id", "follow", "block"))
    + found("foundTags", .foundTags, "Tags of public clips.", FoundTagPage.self, links: [])
    + found(
      "foundSounds", .foundSounds,
      "Sounds that several public clips have, by caption, tags and author's handle of the first of these clips; "
        + "the best known before the newest.", FoundSoundPage.self,
      links: Link.byID(at: "/items/0/author/id", "follow", "block"))
    + reading(
      "searchSuggestions", .searchSuggestions, "search",
      "What somebody may be about to look for who has typed this far.", SearchSuggestions.self,
      parameters: [asked], limit: .caller(.search))
}
