internal import CoreTypes
internal import Playback

/// Decides which pages' posters are fetched. One may be more bytes than the beginning of its clip, and would
/// make that wait: it is fetched where that beginning is not here when somebody goes to the page, or takes
/// long. That of the current page is fetched whatever is here where no player has a picture for long, and
/// before the players are let go.
///
/// It refuses to know pictures: those that this device has are shown whatever it decides.
@MainActor final class PosterPolicy {
  /// So long after a page was made the beginning of its clip has taken long, and its picture so long after
  /// the page became the current one.
  static let patience = Milliseconds(1_500)

  private struct Page {
    let item: ItemID
    /// When its patience is over; `nil`: it is.
    var due: Instant?
  }

  /// Whether the beginning of a clip is here, or comes in time.
  var hasStart: (@MainActor (ItemID) async -> Bool)?
  /// Whether a player has a picture of the clip.
  var hasPicture: (@MainActor (ItemID) -> Bool)?
  /// Hears of each page whose poster is worth its bytes.
  var onNeeded: ((ItemID) -> Void)?
  private let clock: any HostClock
  /// In the order in which they were made.
  private var pages: [Page] = []
  /// That of the clip that became current last, its patience counted from then on. It may have gone.
  private var current: Page?

  init(clock: any HostClock) { self.clock = clock }

  /// There is a page for the clip, or it has another place.
  func mounted(_ item: ItemID) {
    guard !has(item) else { return }
    pages.append(Page(item: item, due: clock.now + Self.patience))
    wake()
  }

  func unmounted(_ item: ItemID) { pages.removeAll { $0.item == item } }

  /// A swipe towards it begins, and is held until its clip has a picture.
  func approached(_ item: ItemID) { review([item]) }

  /// The first clip of a start needs the network for itself.
  func becameCurrent(_ item: ItemID) {
    if current != nil { review([item]) }
    current = Page(item: item, due: clock.now + Self.patience)
    wake()
  }

  /// Players are let go soon, and the return begins with the poster, as the next start does.
  func playersWillGo() {
    if let current, has(current.item) { onNeeded?(current.item) }
  }

  /// The app is back. What was fetched when it was left may have been cut off.
  func returned() {
    if let current, current.due == nil { review([current.item]) }
  }

  /// What could not be fetched may come now.
  func networkReturned() { review(pages.filter { $0.due == nil }.map(\.item)) }

  /// Nothing is fetched any more, nor what is being looked at now.
  func stop() {
    pages = []
    current = nil
  }

  private func has(_ item: ItemID) -> Bool { pages.contains { $0.item == item } }

  private func wake() {
    guard let next = earlier(pages.compactMap(\.due).first, current?.due) else { return }
    clock.wake(at: next) { [weak self] in self?.woke() }
  }

  private func woke() {
    var over: [ItemID] = []
    if let page = current, let due = page.due, due <= clock.now {
      current?.due = nil
      over.append(page.item)
    }
    for index in pages.indices {
      guard let due = pages[index].due, due <= clock.now else { continue }
      pages[index].due = nil
      if !over.contains(pages[index].item) { over.append(pages[index].item) }
    }
    review(over)
    wake()
  }

  private func review(_ items: [ItemID]) {
    Task {
      for item in items {
        let isNeeded = await lacksPicture(item)
        // NB: the page may be gone by then.
        if isNeeded, has(item) { onNeeded?(item) }
      }
    }
  }

  /// Of the current page its player knows, once its patience is over; of others the clip's beginning decides.
  private func lacksPicture(_ item: ItemID) async -> Bool {
    if let current, current.item == item, current.due == nil { return !(hasPicture?(item) ?? true) }
    let isHere = await hasStart?(item) ?? true
    return !isHere
  }
}
