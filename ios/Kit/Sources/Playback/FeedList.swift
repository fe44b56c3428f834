public import Contract
public import CoreTypes

/// Clips to watch one after the other: those of a tab, or those that somebody opened out of a grid.
///
/// It refuses to know which list the core has; `Feed` numbers its clips and brings its pages.
@MainActor public final class FeedList {
  /// Answers the clips behind a cursor, or the first ones without.
  public typealias Load = (_ cursor: String?, _ limit: Int) async throws -> FeedPage

  /// `nil`: no tab's.
  public let tab: FeedTab?
  /// Where its clips are come upon, for what is watched.
  public let source: WatchEvent.Source
  public internal(set) var order: [ItemID] = []
  /// A page has come.
  public internal(set) var isKnown = false
  let load: Load
  /// Of all clips that it ever had: none comes twice.
  var ids: Set<String> = []
  var cursor: String?
  /// What the last visit left, until the first page is there.
  var left: [Clip]
  /// Whether those are in the list.
  var isResumed = false
  /// Behind the last page the top is looked at for clips that are new.
  var looksAgain = false
  var isLoading = false
  /// How often it was started over.
  var begun = 0
  /// Runs before a page of a list that had nothing is asked for again.
  public var pauseWhereEmpty: (@Sendable () async throws -> Void)?

  /// `source`: where its clips are come upon; a tab says that by itself.
  public init(
    tab: FeedTab?, source: WatchEvent.Source = .other, left: [Clip] = [], load: @escaping Load
  ) {
    self.tab = tab
    self.source = tab.map(Self.source) ?? source
    self.left = left
    self.load = load
  }

  private static func source(of tab: FeedTab) -> WatchEvent.Source {
    switch tab {
    case .forYou: .forYou
    case .following: .following
    case .latest: .latest
    }
  }

  /// Whether clips that are newer come on top: what "For you" brings next has no age.
  var growsAtTheTop: Bool { tab != .forYou }

  /// Nothing that was told to somebody else comes behind it, nor what is on its way to them.
  public func startOver() {
    cursor = nil
    begun += 1
  }
}
