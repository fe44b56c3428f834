public import Contract
internal import Foundation
internal import Persistence

/// What somebody watched and the server has not taken yet.
public struct PendingEvent: Codable, Equatable, Sendable {
  /// Of the account; `nil`: nobody was signed in.
  public var viewer: String?
  public var event: WatchEvent

  public init(viewer: String?, event: WatchEvent) {
    self.viewer = viewer
    self.event = event
  }

  /// As `viewer` may send it; `nil`: somebody else watched it. What a guest watched is the account's that
  /// they sign in to, as the server merges the two.
  fileprivate func handed(to viewer: String?) -> PendingEvent? {
    self.viewer == nil || self.viewer == viewer ? PendingEvent(viewer: viewer, event: event) : nil
  }
}

/// Events that the server has not taken yet: in memory under the core's numbers, and in a file as they were
/// when the app was last left, for a run that is killed before they are sent.
///
/// An id counts once, so what is sent by this run and by the next is counted once. What one account watched
/// is never sent as the next one's: it goes when that account does.
@MainActor final class WaitingEvents {
  /// More than the core keeps: those of this run and those that an earlier one left.
  static let most = 800

  private let file: StoredFile<[PendingEvent]>?
  private var events: [Int64: PendingEvent] = [:]
  /// Of earlier runs, oldest first.
  private var left: [PendingEvent]
  private var isStored: Bool

  init(file: StoredFile<[PendingEvent]>?) {
    self.file = file
    left = file?.load() ?? []
    isStored = !left.isEmpty
  }

  func keep(_ event: WatchEvent, of viewer: String?, as number: Int64) {
    events[number] = PendingEvent(viewer: viewer, event: event)
  }

  func events(_ first: Int64, _ count: Int64, of viewer: String?) -> [WatchEvent] {
    events.filter { $0.key >= first && $0.key - first < count }.sorted { $0.key < $1.key }
      .compactMap { $0.value.handed(to: viewer)?.event }
  }

  func drop(_ first: Int64, _ count: Int64) {
    events = events.filter { $0.key < first || $0.key - first >= count }
    // What the file says must not be sent again and again.
    if isStored { store() }
  }

  /// Those of earlier runs that the server would still count. What somebody else watched goes.
  func left(by viewer: String?, at now: Date) -> [WatchEvent] {
    let oldest = now.timeIntervalSince1970 * 1_000 - Double(Limits.eventAgeMs)
    let count = left.count
    left = left.compactMap { $0.handed(to: viewer) }.suffix(Self.most)
      .filter { Double($0.event.atMs) > oldest }
    if left.count < count { store() }
    return left.map(\.event)
  }

  func dropLeft(_ count: Int) {
    left.removeFirst(min(count, left.count))
    store()
  }

  /// Somebody else watches from now on.
  func viewerChanged(to viewer: String?) {
    events = events.compactMapValues { $0.handed(to: viewer) }
    left = left.compactMap { $0.handed(to: viewer) }
    if isStored { store() }
  }

  /// Writes what waits now.
  func store() {
    guard let file else { return }
    let all = left + events.sorted { $0.key < $1.key }.map(\.value)
    isStored = !all.isEmpty
    if all.isEmpty { file.remove() } else { file.save(all.suffix(Self.most)) }
  }
}
