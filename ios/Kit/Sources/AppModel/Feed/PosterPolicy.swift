internal import CoreTypes
internal import Playback

/// Decides which pages' posters are fetched. One may be more bytes than the beginning of its clip, and would
/// make that wait: it is fetched where that beginning is not here when somebody goes to the page, or takes
/// long.
///
/// It refuses to know pictures: those that this device has are shown whatever it decides.
@MainActor final class PosterPolicy {
  /// So long after a page was made the beginning of its clip has taken long.
  static let patience = Milliseconds(1_500)

  private struct Page {
    let item: ItemID
    /// When its patience is over; `nil`: it is.
    var due: Instant?
  }

  /// Whether the beginning of a clip is here, or comes in time.
  var hasStart: (@MainActor (ItemID) async -> Bool)?
  /// Hears of each page whose poster is worth its bytes.
  var onNeeded: ((ItemID) -> Void)?
  private let clock: any HostClock
  /// In the order in which they were made.
  private var pages: [Page] = []
  private var hasCurrent = false

  init(clock: any HostClock) { self.clock = clock }

  /// There is a page for the clip, or it has another place.
  func mounted(_ item: ItemID) {
    guard !has(item) else { return }
    pages.append(Page(item: item, due: clock.now + Self.patience))
    wake()
  }

  func unmounted(_ item: ItemID) { pages.removeAll { $0.item == item } }

  /// A swipe towards it begins. The first clip of a start needs the network for itself.
  func becameCurrent(_ item: ItemID) {
    if hasCurrent { review([item]) }
    hasCurrent = true
  }

  /// What could not be fetched may come now.
  func networkReturned() { review(pages.filter { $0.due == nil }.map(\.item)) }

  /// Whatever is being looked at now is not fetched any more.
  func stop() { pages = [] }

  private func has(_ item: ItemID) -> Bool { pages.contains { $0.item == item } }

  private func wake() {
    guard let next = pages.compactMap(\.due).first else { return }
    clock.wake(at: next) { [weak self] in self?.woke() }
  }

  private func woke() {
    var over: [ItemID] = []
    for index in pages.indices {
      guard let due = pages[index].due, due <= clock.now else { continue }
      pages[index].due = nil
      over.append(pages[index].item)
    }
    review(over)
    wake()
  }

  private func review(_ items: [ItemID]) {
    Task {
      for item in items {
        let isHere = await hasStart?(item) ?? true
        // NB: the page may be gone by then.
        if !isHere, has(item) { onNeeded?(item) }
      }
    }
  }
}
