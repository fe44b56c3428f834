public import Contract
public import Observation
internal import Playback

/// Clips as a grid from which the feed goes on: what rises, what resembles a clip, those of a tag, those that
/// were found. Whoever comes back finds it as it was.
///
/// It refuses to know how clips are found.
@MainActor @Observable public final class ClipGridModel {
  public let title: Sentence
  /// What is said where there are none.
  public let none: Sentence
  public let list: PagedList<Clip>
  /// The one that the feed was left at: where the grid is come back to.
  public private(set) var returnsTo: String?

  @ObservationIgnored private let source: WatchEvent.Source
  @ObservationIgnored private let tabs: FeedTabs
  @ObservationIgnored private let announcements: Announcements

  init(
    _ title: Sentence, none: Sentence, source: WatchEvent.Source, tabs: FeedTabs,
    announcements: Announcements, _ page: @escaping (_ cursor: String?, _ limit: Int) async throws -> FeedPage
  ) {
    self.title = title
    self.none = none
    self.source = source
    self.tabs = tabs
    self.announcements = announcements
    list = PagedList(page)
  }

  /// The feed goes on with the grid's clips from this one on, and behind those that are there with the grid's
  /// next pages.
  public func open(_ clip: Clip) {
    let list = list
    let begun = list.beginning
    let clips = tabs.newList(source: source, list.items, isWhole: list.isWhole) { _, _ in
      // The grid shows something else by now.
      let nothing = FeedPage(items: [], nextCursor: nil)
      guard list.beginning == begun else { return nothing }
      await list.more()
      guard list.beginning == begun else { return nothing }
      if let failure = list.failure { throw GridFault(sentence: failure) }
      // It is asking by itself.
      if list.isLoading { throw CancellationError() }
      return FeedPage(items: list.items, nextCursor: list.isWhole ? nil : FeedTabs.further)
    }
    returnsTo = clip.id
    if !tabs.watch(title, clips, at: clip.id) {
      announcements.post(.clipUnplayable)
    }
  }

  /// Other clips come.
  func clear() {
    list.clear()
    returnsTo = nil
  }
}

private struct GridFault: SaysWhy { let sentence: Sentence }
