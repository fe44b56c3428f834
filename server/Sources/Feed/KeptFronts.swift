internal import Contract
internal import Synchronization

/// The orders that everybody gets of whom nothing is known, kept for a while: each is written down as a walk,
/// and whoever asks without being known must not be able to have that done as often as they like. What is
/// kept is which clips, and why; they are read, and looked at, for every page.
final class KeptFronts: Sendable {
  static let keptMs: Int64 = 10_000

  struct Front: Sendable {
    let place: ForYouPlace
    let clips: [(id: String, reason: ClipReason?)]

    /// A clock that was set back does not keep it.
    fileprivate func isFresh(_ nowMs: Int64) -> Bool {
      (0..<KeptFronts.keptMs).contains(nowMs - place.sinceMs)
    }
  }

  /// Which order.
  struct Asked: Hashable, Sendable {
    /// How many clips were asked for.
    let limit: Int
    /// Whose clips come first; nil: no language's.
    var language: String?
  }

  private let fronts = Mutex<[Asked: Front]>([:])

  /// Nil: none is there, or it is too old.
  func front(_ asked: Asked, nowMs: Int64) -> Front? {
    fronts.withLock { $0[asked].flatMap { $0.isFresh(nowMs) ? $0 : nil } }
  }

  func keep(_ front: Front, _ asked: Asked, nowMs: Int64) {
    fronts.withLock { fronts in
      fronts = fronts.filter { $0.value.isFresh(nowMs) }
      fronts[asked] = front
    }
  }
}
