internal import Contract
internal import Synchronization

/// The order that everybody gets of whom nothing is known, kept for a while: each is written down as a walk,
/// and whoever asks without being known must not be able to have that done as often as they like. What is
/// kept is which clips, and why; they are read, and looked at, for every page.
final class KeptFronts: Sendable {
  static let keptMs: Int64 = 10_000

  struct Front: Sendable {
    let place: ForYouPlace
    let clips: [(id: String, reason: ClipReason?)]
  }

  /// By how many clips were asked for.
  private let fronts = Mutex<[Int: Front]>([:])

  /// Nil: none is there, or it is too old. A clock that was set back does not keep it.
  func front(_ limit: Int, nowMs: Int64) -> Front? {
    fronts.withLock { fronts in
      fronts[limit].flatMap { (0..<Self.keptMs).contains(nowMs - $0.place.sinceMs) ? $0 : nil }
    }
  }

  func keep(_ front: Front, _ limit: Int) { fronts.withLock { $0[limit] = front } }
}
