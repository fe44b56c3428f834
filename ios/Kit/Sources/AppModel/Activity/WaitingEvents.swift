internal import Contract
internal import Foundation
internal import Persistence

/// Events that the server has not taken yet: in memory under the core's numbers, and in a file as they were
/// when the app was last left, for a run that is killed before they are sent.
///
/// An id counts once, so what is sent by this run and by the next is counted once.
@MainActor final class WaitingEvents {
  /// More than the core keeps: those of this run and those that an earlier one left.
  static let most = 800

  private let file: StoredFile<[WatchEvent]>?
  private var events: [Int64: WatchEvent] = [:]
  /// Of earlier runs, oldest first.
  private var left: [WatchEvent]
  private var isStored = false

  init(file: StoredFile<[WatchEvent]>?) {
    self.file = file
    left = file?.load() ?? []
  }

  func keep(_ event: WatchEvent, as number: Int64) { events[number] = event }

  func events(_ first: Int64, _ count: Int64) -> [WatchEvent] {
    events.filter { $0.key >= first && $0.key - first < count }.sorted { $0.key < $1.key }.map(\.value)
  }

  func drop(_ first: Int64, _ count: Int64) {
    events = events.filter { $0.key < first || $0.key - first >= count }
    // What the file says must not be sent again and again.
    if isStored { store() }
  }

  /// Those of earlier runs that the server would still count.
  func left(at now: Date) -> [WatchEvent] {
    let oldest = now.timeIntervalSince1970 * 1_000 - Double(Limits.eventAgeMs)
    left = left.suffix(Self.most).filter { Double($0.atMs) > oldest }
    return left
  }

  func dropLeft(_ count: Int) {
    left.removeFirst(min(count, left.count))
    store()
  }

  /// Writes what waits now.
  func store() {
    guard let file else { return }
    let all = left + events.sorted { $0.key < $1.key }.map(\.value)
    isStored = !all.isEmpty
    if all.isEmpty { file.remove() } else { file.save(all.suffix(Self.most)) }
  }
}
