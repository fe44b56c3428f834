public import Contract
public import Foundation
public import Persistence

/// What the screen that plays leaves to the next run of the app, each in a file.
public struct FeedFiles: Sendable {
  public let lastFeed: StoredFile<LastFeed>
  /// The tab that somebody went to last.
  public let tab: StoredFile<FeedTab>
  /// Whether clips are heard, once somebody has chosen.
  public let sound: StoredFile<Bool>
  public let captions: StoredFile<CaptionChoice>
  /// What was watched and is not sent.
  public let events: StoredFile<[PendingEvent]>
  /// What was turned on or off and is not answered.
  public let toggles: StoredFile<PendingToggles>
  /// Posters of the last feed.
  public let pictures: URL
  /// A clip of one's own on its way to another app.
  public let download: URL

  /// `root`: the app's own folder; `lastFeed` is `Library`'s. `caches`: what the system may empty.
  public init(root: URL, caches: URL) {
    lastFeed = Library(root: root).lastFeed
    tab = StoredFile(root.appending(path: "tab"))
    sound = StoredFile(root.appending(path: "sound"))
    captions = StoredFile(root.appending(path: "captions"))
    // The first version did not say whose they are: what is left of it is not sent.
    events = StoredFile(root.appending(path: "watch-events"), version: 2)
    toggles = StoredFile(root.appending(path: "toggles"))
    pictures = caches.appending(path: "posters")
    download = caches.appending(path: "download")
  }
}
