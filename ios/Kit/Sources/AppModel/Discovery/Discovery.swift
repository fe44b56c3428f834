public import Contract
internal import Observation

/// Where clips are found beside the feed: the search, and grids by a tag, by what rises, by a clip. It opens
/// them, and keeps the one that somebody left for a clip as it was.
@MainActor public final class Discovery {
  public let search: SearchModel
  public let taste: TasteModel
  private let client: Client
  private let router: Router
  private let tabs: FeedTabs
  private let announcements: Announcements
  private var grids: [Router.Destination: ClipGridModel] = [:]

  public init(
    client: Client, router: Router, tabs: FeedTabs, announcements: Announcements, recent: RecentSearches,
    clock: any PauseClock
  ) {
    self.client = client
    self.router = router
    self.tabs = tabs
    self.announcements = announcements
    search = SearchModel(
      client: client, recent: recent, clock: clock, tabs: tabs, announcements: announcements)
    taste = TasteModel(client: client, announcements: announcements)
  }

  /// Opens a screen of this anew.
  public func open(_ destination: Router.Destination) {
    if !router.path.contains(destination) {
      grids[destination] = nil
      if destination == .search { search.reset() }
    }
    router.open(destination)
  }

  /// The grid of a screen; `nil`: it is none. Once for as long as somebody can come back to it.
  public func grid(of destination: Router.Destination) -> ClipGridModel? {
    if let grid = grids[destination] { return grid }
    let grid = make(destination)
    let kept = Set(router.path + tabs.screensBehind)
    grids = grids.filter { kept.contains($0.key) }
    grids[destination] = grid
    return grid
  }

  private func make(_ destination: Router.Destination) -> ClipGridModel? {
    let client = client
    switch destination {
    case .trending:
      return grid(
        "Trending", none: "Nothing rises just now. Come back when more people have watched.",
        source: .trending
      ) {
        try await client.trending(cursor: $0, limit: $1)
      }
    case .similar(let clip):
      return grid("More like this", none: "There is nothing like it yet.", source: .similar) {
        try await client.clips(similarTo: clip, cursor: $0, limit: $1)
      }
    case .tag(let tag):
      return grid(Sentence("#%@", tag), none: "No clip has this tag yet.", source: .search) {
        try await client.foundClips("#" + tag, cursor: $0, limit: $1)
      }
    default: return nil
    }
  }

  private func grid(
    _ title: Sentence, none: Sentence, source: WatchEvent.Source,
    _ page: @escaping (_ cursor: String?, _ limit: Int) async throws -> FeedPage
  ) -> ClipGridModel {
    ClipGridModel(
      title, none: none, source: source, tabs: tabs, announcements: announcements, page)
  }

  /// Somebody signed in or out: what was shown was told to another person.
  public func viewerChanged() {
    grids = [:]
    search.reset()
    taste.clear()
  }
}
