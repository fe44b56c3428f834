internal import Composer
public import Contract
internal import CoreTypes
public import Observation
internal import Persistence
internal import Playback
internal import Session

/// The tabs of the feed, For you, Following and Latest, each with its own place; and the clips of a grid as
/// the feed, until somebody goes back to the grid.
///
/// It refuses to know which clips a list has, and how one takes the place of another: that is `Feed`'s.
@MainActor @Observable public final class FeedTabs {
  public static let all: [FeedTab] = [.forYou, .following, .latest]
  /// Whether somebody who is followed has a clip is asked so often while none is there.
  static let pauseWhereEmpty = Duration.seconds(30)

  /// The tab that somebody went to; its clips may be on their way.
  public private(set) var chosen: FeedTab
  public private(set) var isTurning = false
  /// The clips on the screen were opened out of a grid, which is called so; `nil`: they are a tab's.
  public var back: Sentence? { grids.last?.title }
  /// What is said where the list has no clips.
  public private(set) var nothing = Nothing.noClips

  public enum Nothing: Equatable, Sendable { case noClips, followsNobody, noClipsOfFollowed }

  /// Where somebody left a list.
  private struct Place {
    let list: FeedList
    var item: ItemID?
  }

  private struct Grid {
    let title: Sentence
    let screens: [Router.Destination]
    var place: Place
  }

  @ObservationIgnored private let model: FeedModel
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let router: Router
  @ObservationIgnored private let clock: any PauseClock
  /// Another tab is there: the next visit is to begin with it, however this one ends.
  @ObservationIgnored var onArrived: (() -> Void)?
  @ObservationIgnored private var kept: [FeedTab: Place] = [:]
  private var grids: [Grid] = []
  /// The list that was asked for last, to take the feed's place.
  @ObservationIgnored private weak var coming: FeedList?
  /// An answer that comes after somebody went elsewhere changes nothing.
  @ObservationIgnored private var turn = 0
  @ObservationIgnored private var work: [Int: Task<Void, Never>] = [:]
  @ObservationIgnored private var lastWork = 0

  init(_ model: FeedModel, client: Client, router: Router, clock: any PauseClock, chosen: FeedTab) {
    self.model = model
    self.client = client
    self.router = router
    self.clock = clock
    self.chosen = chosen
  }

  private var feed: Feed? { model.host?.feed }
  private var shown: Place? { feed.map { Place(list: $0.list, item: model.state.current) } }

  /// Begins with the list that the feed begins with.
  func begin() {
    if let list = feed?.list { hold(list) }
  }

  // MARK: Going from one to another

  /// A tap. On the tab that is there: to its first clip, and from there to what is new.
  public func press(_ tab: FeedTab) {
    guard back == nil, tab == chosen, let feed, feed.list.tab == tab else { return go(to: tab) }
    if let current = model.state.current, current != feed.list.order.first {
      model.goToStart()
    } else {
      go(to: tab, isAnew: true)
    }
  }

  /// To the tab behind (1) or before (−1), if there is one.
  public func step(_ by: Int) {
    guard back == nil, abs(by) == 1, let at = Self.all.firstIndex(of: chosen),
      Self.all.indices.contains(at + by)
    else { return }
    go(to: Self.all[at + by])
  }

  private func go(to tab: FeedTab, isAnew: Bool = false) {
    guard let feed, tab != chosen || isAnew || feed.list.tab != tab else { return }
    // Whoever writes at a clip does not go on writing at another.
    model.host?.report(.composer(.fieldDismissed))
    turn += 1
    let number = turn
    chosen = tab
    isTurning = true
    let place = kept[tab].flatMap { isAnew || $0.list.order.isEmpty ? nil : $0 } ?? fresh(tab)
    // Before it takes the feed's place, so that a tab that does not come leaves the feed as it is.
    guard !place.list.isKnown else { return arrive(place, at: tab) }
    coming = place.list
    run { [self] in
      await feed.requestPage(place.list)
      guard number == turn else { return }
      if place.list.isKnown {
        arrive(place, at: tab)
      } else {
        isTurning = false
        chosen = feed.list.tab ?? tab
        model.announcements.post(.tabUnreachable)
      }
    }
  }

  private func arrive(_ place: Place, at tab: FeedTab) {
    isTurning = false
    model.files.tab.save(tab)
    grids = []
    show(place)
    onArrived?()
  }

  private func fresh(_ tab: FeedTab) -> Place {
    // NB: there is a feed wherever anything can be gone to.
    let list = feed?.newList(of: tab) ?? FeedList(tab: tab) { _, _ in throw CancellationError() }
    return Place(list: hold(list), item: nil)
  }

  @discardableResult private func hold(_ list: FeedList) -> FeedList {
    if list.tab == .following {
      let clock = clock
      list.pauseWhereEmpty = { try await clock.pause(Self.pauseWhereEmpty) }
    }
    return list
  }

  private func show(_ place: Place, as order: [ItemID]? = nil) {
    guard let feed else { return }
    keepPlace()
    let before = model.state.current
    if place.list !== feed.list { model.fadeOver() }
    let now = feed.show(place.list, at: place.item, from: before, as: order)
    if let tab = place.list.tab { kept[tab] = Place(list: place.list, item: now) }
    if now == nil, place.list.isKnown { tellEmpty() }
  }

  private func keepPlace() {
    guard let shown else { return }
    if let tab = shown.list.tab { kept[tab] = shown }
    for index in grids.indices where grids[index].place.list === shown.list { grids[index].place = shown }
  }

  /// What to do where there is nothing depends on whether anybody is followed.
  private func tellEmpty() {
    nothing = .noClips
    model.display?.signsChanged()
    guard feed?.list.tab == .following else { return }
    let number = turn
    nothing = .followsNobody
    run { [self] in
      let followed = try? await client.following(limit: 1)
      guard number == turn, followed?.items.isEmpty == false else { return }
      nothing = .noClipsOfFollowed
      model.display?.signsChanged()
    }
  }

  // MARK: A grid as the feed

  /// Behind the clips of a grid that are there come others.
  static let further = "further"

  /// A list of `clips`; `load` brings those that are behind them, if the grid is not whole.
  func newList(
    source: WatchEvent.Source, _ clips: [Clip], isWhole: Bool, load: @escaping FeedList.Load
  ) -> FeedList {
    let list = FeedList(tab: nil, source: source, load: load)
    feed?.fill(list, FeedPage(items: clips, nextCursor: isWhole ? nil : Self.further))
    return list
  }

  /// The screens of grids whose clips are, or lie behind, the feed.
  public var screensBehind: [Router.Destination] { grids.flatMap(\.screens) }

  /// Shows `list`, which was filled with clips of a grid, at the one of `id`. Going back leads to the screens
  /// of now. Answers whether the clip can be played.
  func watch(_ title: Sentence, _ list: FeedList, at id: String) -> Bool {
    guard let feed, let item = feed.item(of: id), list.order.contains(item) else { return false }
    turn += 1
    isTurning = false
    chosen = feed.list.tab ?? chosen
    let grid = Grid(title: title, screens: router.path, place: Place(list: list, item: item))
    keepPlace()
    grids.append(grid)
    router.showFeed()
    show(grid.place)
    return true
  }

  /// One clip as the feed, with the way back to the screens of now. Answers whether it can be played.
  public func watch(_ title: Sentence, _ clip: Clip, from source: WatchEvent.Source) -> Bool {
    let nothing = FeedPage(items: [], nextCursor: nil)
    return watch(title, newList(source: source, [clip], isWhole: true) { _, _ in nothing }, at: clip.id)
  }

  /// From a grid's clips to the grid. Below it the feed is what it was before.
  public func goBack() {
    guard let grid = grids.last else { return }
    turn += 1
    keepPlace()
    grids.removeLast()
    let place = grids.last?.place ?? kept[chosen] ?? fresh(chosen)
    show(place)
    if !place.list.isKnown { run { [self] in await feed?.requestPage() } }
    router.reopen(grid.screens)
  }

  // MARK: What is left out of a tab

  /// Takes clips out of For you, but for the one on the screen. Answers what puts them back.
  func leaveOut(_ isOut: (Clip) -> Bool) -> () -> Void {
    keepPlace()
    guard let feed, let list = kept[.forYou]?.list else { return {} }
    let current = list === feed.list ? model.state.current : nil
    let before = list.order
    arrange(
      list, before.filter { item in item == current || feed.clip(item).map { !isOut($0.clip) } ?? true })
    return { [weak self] in
      self?.arrange(list, before + list.order.filter { !before.contains($0) })
    }
  }

  private func arrange(_ list: FeedList, _ order: [ItemID]) {
    guard let feed else { return }
    if list === feed.list {
      feed.show(list, at: model.state.current, from: model.state.current, as: order)
    } else {
      feed.arrange(list, order)
    }
  }

  // MARK: Others

  /// Nothing that was told to somebody else is shown again; what is on the screen stays there.
  func viewerChanged() {
    guard let feed else { return }
    kept = [:]
    feed.list.startOver()
    coming?.startOver()
    for grid in grids { grid.place.list.startOver() }
    if feed.list.tab == .following { go(to: .following, isAnew: true) }
  }

  /// The tab's list, and where in it somebody is: what the next visit begins with.
  var place: (list: FeedList, item: ItemID)? {
    keepPlace()
    guard let place = kept[feed?.list.tab ?? chosen], let item = place.item else { return nil }
    return (place.list, item)
  }

  /// Returns once nothing of this is on its way.
  func settled() async {
    while let task = work.values.first { await task.value }
  }

  func stop() { for task in work.values { task.cancel() } }

  private func run(_ act: @escaping @MainActor () async -> Void) {
    lastWork += 1
    let number = lastWork
    work[number] = Task {
      await act()
      work[number] = nil
    }
  }
}
