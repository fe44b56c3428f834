internal import Contract
internal import Platform

/// The page of a tag: its public clips.
struct TagPage {
  let clips: TaggedClips

  var page: String {
    ClipListPage(
      headline: "#\(clips.tag)", items: clips.items, absence: "No clip has this tag.",
      path: Route.tagPage.path(clips.tag), nextCursor: clips.nextCursor
    ).html
  }

  static let missingPage = ClipListPage.missing("This is no tag.")
}
