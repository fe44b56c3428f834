internal import Contract
internal import Platform

/// The page of a sound: the public clips that have it.
struct SoundPage {
  let clips: SoundClips

  var page: String {
    ClipListPage(
      headline: "Sound by @\(clips.author.handle)", about: [count], items: clips.items,
      absence: "No clip has this sound.", path: Route.soundPage.path(clips.id), nextCursor: clips.nextCursor
    ).html
  }

  private var count: String {
    guard clips.clips <= SoundClips.mostCounted else { return "More than \(SoundClips.mostCounted) clips" }
    return clips.clips == 1 ? "1 clip" : "\(clips.clips) clips"
  }

  static let missingPage = ClipListPage.missing("No clip has this sound.")
}
