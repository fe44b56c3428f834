public import Contract
public import CoreTypes
internal import Session

/// Brings the pages of the feed and gives each clip the number by which the core knows it.
///
/// It refuses to know when a page is needed and which clip is on the screen.
@MainActor public final class Feed {
  /// Short, so that the first clip is known early.
  static let firstLimit = 5
  static let limit = 10

  private let source: any FeedSource
  private let canPlay: (String) -> Bool
  private let report: (FeedSession.Event) -> Void
  /// By number. Those that the core has forgotten are gone.
  private var clips: [Int32: FeedClip] = [:]
  /// By id: the number, or `nil` where there is nothing to play.
  private var known: [String: ItemID?] = [:]
  private var count: Int32 = 0
  private var top = ItemID(0)
  private var cursor: String?
  private var looksAgain = false
  private var isLoading = false
  /// What the last visit left, until the first page is there.
  private var left: [Clip]
  /// Whether those are in the feed: the first page comes on top of them.
  private var isResumed = false
  /// Why the last page did not come, until one does.
  private(set) var trouble: (any Error)? {
    didSet { if trouble != nil || oldValue != nil { onTrouble?() } }
  }
  var onTrouble: (() -> Void)?
  /// The server has answered, and there is nothing.
  public private(set) var isEmpty = false
  /// Runs for each answer of the server.
  public var onPage: (() -> Void)?
  /// Runs for each clip that comes.
  var onAppended: ((FeedClip) -> Void)?

  init(
    source: any FeedSource, left: [Clip], canPlay: @escaping (String) -> Bool,
    report: @escaping (FeedSession.Event) -> Void
  ) {
    self.source = source
    self.left = left
    self.canPlay = canPlay
    self.report = report
  }

  public func clip(_ item: ItemID) -> FeedClip? { clips[item.rawValue] }

  public func item(of id: String) -> ItemID? { known[id] ?? nil }

  /// How many have come.
  public var size: Int { Int(count) }

  /// The clip on the screen and those that come behind it, for the next visit.
  public func upcoming(from item: ItemID, most: Int) -> [Clip] {
    (item.rawValue..<max(item.rawValue, count)).lazy
      .compactMap { self.clips[$0] }.filter(\.staysOnDisk).prefix(most).map(\.clip)
  }

  /// Those of a kind, by their numbers.
  public func items(where isMeant: (Clip) -> Bool) -> [ItemID] {
    clips.values.filter { isMeant($0.clip) }.map(\.item).sorted { $0.rawValue < $1.rawValue }
  }

  /// Puts a clip on top of the feed, unless it is in there; `nil`: there is nothing to play.
  public func insert(_ clip: Clip) -> ItemID? {
    if known[clip.id] == nil {
      let old = top
      if clips.isEmpty { append(clip) } else { append(clip, before: old) }
      top = item(of: clip.id) ?? old
    }
    return item(of: clip.id)
  }

  /// Shows what the last visit left, at once.
  func resume() {
    let before = count
    for clip in left { append(clip) }
    left = []
    isResumed = isResumed || count > before
  }

  /// Fetches the next page; behind the last one it looks at the top for clips that are new.
  func requestPage() async {
    guard !isLoading else { return }
    isLoading = true
    resume()
    let page: FeedPage
    do {
      page = try await source.page(after: cursor, limit: cursor == nil ? Self.firstLimit : Self.limit)
    } catch {
      // A cursor that the server no longer takes must not end the feed for good.
      if let problem = error as? Problem, problem.status == 400 { cursor = nil }
      isLoading = false
      trouble = error
      report(.pageFailed)
      return
    }
    isLoading = false
    trouble = nil
    take(page)
  }

  private func take(_ page: FeedPage) {
    let fresh = page.items.filter { known[$0.id] == nil }
    // On a second look at the top, the first clip that is known ends the news.
    let isCaughtUp = looksAgain && fresh.count < page.items.count
    cursor = isCaughtUp ? nil : page.nextCursor
    if cursor == nil, !known.isEmpty || !fresh.isEmpty { looksAgain = true }
    if isResumed { putOnTop(fresh) } else { for clip in fresh { append(clip) } }
    isResumed = false
    isEmpty = count == 0
    report(.pageLoaded(hasMore: cursor != nil))
    onPage?()
  }

  /// The first of them is the new top; what is on the screen stays there.
  private func putOnTop(_ fresh: [Clip]) {
    let old = top
    for clip in fresh { append(clip, before: old) }
    top = fresh.lazy.compactMap { self.item(of: $0.id) }.first ?? old
  }

  private func append(_ clip: Clip, before place: ItemID? = nil) {
    guard known[clip.id] == nil else { return }
    guard let feedClip = FeedClip(clip, item: ItemID(count), canPlay: canPlay) else {
      known.updateValue(nil, forKey: clip.id)
      return
    }
    adopt(feedClip)
    tell(feedClip) { descriptor in
      if let place { return .itemInserted(feedClip.item, before: place, descriptor) }
      return .itemAppended(feedClip.item, descriptor)
    }
    onAppended?(feedClip)
  }

  /// Keeps a clip under its number.
  func adopt(_ clip: FeedClip) {
    clips[clip.item.rawValue] = clip
    known[clip.clip.id] = clip.item
    count = max(count, clip.item.rawValue + 1)
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

  func forget(_ item: ItemID) { clips[item.rawValue] = nil }

  /// Its addresses are over: asks for those that hold now. What the core counts does not change.
  func renew(_ item: ItemID) async {
    guard let old = clips[item.rawValue], let fresh = try? await source.clip(old.clip.id),
      clips[item.rawValue] != nil
    else { return }
    var renewed = old
    renewed.clip.playback.hlsUrl = fresh.playback.hlsUrl
    for index in renewed.renditions.indices {
      let name = renewed.renditions[index].name
      guard let other = fresh.playback.renditions.first(where: { $0.name == name }) else { continue }
      renewed.renditions[index].url = other.url
    }
    clips[item.rawValue] = renewed
  }
}
