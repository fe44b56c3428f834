public import Contract
public import CoreTypes
internal import Session

/// Brings the pages of the feed and gives each clip the number by which the core knows it: one, in however
/// many lists it is.
///
/// It refuses to know when a page is needed, which clip is on the screen, and which lists there are. How one
/// list takes the place of another: `Feed+Lists.swift`.
@MainActor public final class Feed {
  /// Short, so that the first clip is known early.
  static let firstLimit = 5
  static let limit = 10
  /// The server's words for a clip, or its upload, that is not there for whoever asks. What something in
  /// between refuses says nothing of it.
  private static let codesOfGone: [ErrorCode] = [
    .clipNotFound, .authorBlocked, .clipForAdults, .uploadNotFound, .uploadExpired,
  ]

  private let canPlay: (String) -> Bool
  let report: (FeedSession.Event) -> Void
  private let source: any FeedSource
  /// By number. Those that the core has forgotten are gone.
  private var clips: [Int32: FeedClip] = [:]
  /// Numbers of clips that are in no list any more: deleted, blocked, not playable.
  private var gone: Set<Int32> = []
  /// By id.
  private var known: [String: ItemID] = [:]
  private var count: Int32 = 0
  /// What the core has, in its order.
  public internal(set) var list: FeedList
  /// Another list takes its place now: no page is asked for, and no text is given up.
  public internal(set) var isChanging = false
  /// Why the last page of this list did not come, until one does.
  private(set) var trouble: (any Error)? {
    didSet { if trouble != nil || oldValue != nil { onTrouble?() } }
  }
  var onTrouble: (() -> Void)?
  /// Runs for each answer of the server, and when another list is there.
  public var onPage: (() -> Void)?
  /// Runs for each clip that the core hears of.
  var onAppended: ((FeedClip) -> Void)?

  init(
    source: any FeedSource, tab: FeedTab, left: [Clip], canPlay: @escaping (String) -> Bool,
    report: @escaping (FeedSession.Event) -> Void
  ) {
    self.source = source
    self.canPlay = canPlay
    self.report = report
    list = FeedList(tab: tab, left: left) { try await source.page(of: tab, after: $0, limit: $1) }
  }

  public func clip(_ item: ItemID) -> FeedClip? { clips[item.rawValue] }

  /// In whichever list.
  public func item(of id: String) -> ItemID? { known[id].flatMap { has($0) ? $0 : nil } }

  /// Whether the core has it.
  public func shows(_ item: ItemID) -> Bool { list.order.contains(item) }

  func has(_ item: ItemID) -> Bool { clips[item.rawValue] != nil && !gone.contains(item.rawValue) }

  /// How many have come.
  public var size: Int { Int(count) }

  /// The server has answered, and there is nothing.
  public var isEmpty: Bool { list.isKnown && list.order.isEmpty }

  /// A clip of a list and those that come behind it, for the next visit.
  public func upcoming(in list: FeedList, from item: ItemID, most: Int) -> [Clip] {
    guard let place = list.order.firstIndex(of: item) else { return [] }
    return list.order[place...].lazy
      .compactMap { self.clips[$0.rawValue] }.filter(\.staysOnDisk).prefix(most).map(\.clip)
  }

  /// The clip on the screen and those behind it.
  public func upcoming(from item: ItemID, most: Int) -> [Clip] {
    upcoming(in: list, from: item, most: most)
  }

  /// Those of a kind, by their numbers.
  public func items(where isMeant: (Clip) -> Bool) -> [ItemID] {
    clips.values.filter { has($0.item) && isMeant($0.clip) }.map(\.item)
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// A list of a tab's that is not there yet.
  public func newList(of tab: FeedTab, load: FeedList.Load? = nil) -> FeedList {
    let source = source
    return FeedList(tab: tab, load: load ?? { try await source.page(of: tab, after: $0, limit: $1) })
  }

  /// Puts a clip on top of the list, unless it is in there; `nil`: there is nothing to play.
  public func insert(_ clip: Clip) -> ItemID? {
    if let item = item(of: clip.id), shows(item) { return item }
    return append(clip, to: list, at: 0)
  }

  // MARK: Pages

  /// Shows what the last visit left, at once.
  func resume(_ wanted: FeedList? = nil) {
    let list = wanted ?? list
    let before = list.order.count
    for clip in list.left { append(clip, to: list, at: list.order.count) }
    list.left = []
    list.isResumed = list.isResumed || list.order.count > before
  }

  /// Fetches the next page; behind the last one it looks at the top for clips that are new. What comes for a
  /// list that is not shown waits in it.
  public func requestPage(_ wanted: FeedList? = nil) async {
    let list = wanted ?? list
    guard !list.isLoading else { return }
    list.isLoading = true
    resume(list)
    if list.isKnown, list.order.isEmpty, let pause = list.pauseWhereEmpty {
      try? await pause()
      guard list === self.list else { return list.isLoading = false }
    }
    let begun = list.begun
    let limit = list.cursor == nil ? Self.firstLimit : Self.limit
    do {
      let page = try await list.load(list.cursor, limit)
      list.isLoading = false
      if begun != list.begun { return await requestPage(list) }
      if list === self.list { trouble = nil }
      take(page, list)
    } catch {
      if begun != list.begun {
        list.isLoading = false
        return await requestPage(list)
      }
      // A cursor that the server no longer takes must not end the feed for good.
      if let problem = error as? Problem, problem.status == 400 { list.cursor = nil }
      list.isLoading = false
      guard list === self.list else { return }
      trouble = error
      report(.pageFailed)
    }
  }

  /// Clips that are there: no request brings them.
  public func fill(_ list: FeedList, _ page: FeedPage) { take(page, list) }

  private func take(_ page: FeedPage, _ list: FeedList) {
    let fresh = page.items.filter { !list.ids.contains($0.id) }
    // On a second look at the top, the first clip that is known ends the news.
    let isCaughtUp = list.looksAgain && fresh.count < page.items.count
    list.cursor = isCaughtUp ? nil : page.nextCursor
    // The first of them is the new top; what is on the screen stays there.
    var place = list.isResumed && list.growsAtTheTop ? 0 : list.order.count
    for clip in fresh where append(clip, to: list, at: place) != nil { place += 1 }
    list.isResumed = false
    list.isKnown = true
    if list.cursor == nil, !list.ids.isEmpty { list.looksAgain = true }
    guard list === self.list else { return }
    report(.pageLoaded(hasMore: list.cursor != nil))
    onPage?()
  }

  @discardableResult private func append(_ clip: Clip, to list: FeedList, at place: Int) -> ItemID? {
    list.ids.insert(clip.id)
    guard let item = number(clip), !list.order.contains(item) else { return nil }
    let next = list.order.indices.contains(place) ? list.order[place] : nil
    list.order.insert(item, at: min(place, list.order.count))
    if list === self.list { put(item, before: next) }
    return item
  }

  /// The number that it has, or a new one; `nil`: there is nothing to play.
  private func number(_ clip: Clip) -> ItemID? {
    let old = known[clip.id]
    if let old, has(old) {
      // Why it is shown, another list may not know.
      if let reason = clip.reason { clips[old.rawValue]?.clip.reason = reason }
      return old
    }
    guard let new = FeedClip(clip, item: old ?? ItemID(count), canPlay: canPlay) else { return nil }
    adopt(new)
    return new.item
  }

  /// Keeps a clip under its number.
  func adopt(_ clip: FeedClip) {
    clips[clip.item.rawValue] = clip
    gone.remove(clip.item.rawValue)
    known[clip.clip.id] = clip.item
    count = max(count, clip.item.rawValue + 1)
  }

  // MARK: What the core hears

  /// A clip comes before another one, or at the end.
  func put(_ item: ItemID, before next: ItemID?) {
    guard let clip = clips[item.rawValue] else { return }
    tell(clip) { descriptor in
      if let next { return .itemInserted(item, before: next, descriptor) }
      return .itemAppended(item, descriptor)
    }
    onAppended?(clip)
  }

  /// The answer to `describe`.
  func describe(_ item: ItemID) {
    guard let clip = clips[item.rawValue] else { return }
    tell(clip) { .itemDescribed(item, $0) }
  }

  private func tell(_ clip: FeedClip, _ event: (PlaybackDescriptor) -> FeedSession.Event) {
    guard let descriptor = clip.descriptor else { return report(.itemRefused(clip.item)) }
    report(event(descriptor))
    if let retention = clip.retention { report(.retentionKnown(clip.item, retention)) }
  }

  /// The clip is gone from all lists.
  public func drop(_ item: ItemID) {
    report(.itemRemoved(item))
    leaveOut(item)
  }

  /// As `drop`, of a clip that the core itself takes out. What is known of it stays: its bytes may be on
  /// their way out.
  func leaveOut(_ item: ItemID) {
    gone.insert(item.rawValue)
    list.order.removeAll { $0 == item }
  }

  func forget(_ item: ItemID) {
    clips[item.rawValue] = nil
    list.order.removeAll { $0 == item }
  }

  /// Its addresses are over: asks for those that hold now. What the core counts does not change. Answers
  /// whether the clip is gone: then it never has others.
  func renew(_ item: ItemID) async -> Bool {
    guard let old = clips[item.rawValue] else { return false }
    let fresh: Clip
    do {
      fresh = try await source.clip(old.clip.id)
    } catch {
      guard let problem = error as? Problem else { return false }
      return Self.codesOfGone.contains { $0.rawValue == problem.code }
    }
    guard clips[item.rawValue] != nil else { return false }
    var renewed = old
    renewed.clip.playback.hlsUrl = fresh.playback.hlsUrl
    for index in renewed.renditions.indices {
      let name = renewed.renditions[index].name
      guard let other = fresh.playback.renditions.first(where: { $0.name == name }) else { continue }
      renewed.renditions[index].url = other.url
    }
    clips[item.rawValue] = renewed
    return false
  }
}
