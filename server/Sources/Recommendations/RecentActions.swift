internal import Ranking

/// What people did with a clip while it was on their screen: a like is an event of its own, learned at once,
/// and the impression that it belongs to ends later. It is told of both then, and counts the like once.
///
/// Bounded, and kept by nobody: an impression that ends behind a restart has its likes only if they are read
/// from the log again.
struct RecentActions {
  /// An impression counts once in half an hour, so it is no longer.
  static let keptMs: Int64 = 1_800_000
  static let most = 20_000

  private struct Key: Hashable {
    let viewer: EntityID
    let clip: EntityID
  }

  private var actions: [Key: (actions: Actions, atMs: Int64)] = [:]

  var count: Int { actions.count }

  mutating func note(_ action: Actions, on clip: EntityID, by viewer: EntityID, atMs: Int64) {
    let key = Key(viewer: viewer, clip: clip)
    let before = actions[key].flatMap { atMs - $0.atMs <= Self.keptMs ? $0.actions : nil } ?? []
    actions[key] = (before.union(action), atMs)
    guard actions.count > Self.most else { return }
    // Half of them at once, and rarely.
    let middle = actions.values.map(\.atMs).sorted()[actions.count / 2]
    actions = actions.filter { $0.value.atMs > middle }
  }

  mutating func takeBack(_ action: Actions, on clip: EntityID, by viewer: EntityID) {
    actions[Key(viewer: viewer, clip: clip)]?.actions.subtract(action)
  }

  /// What was done during an impression that ends now; it is asked for once.
  mutating func take(on clip: EntityID, by viewer: EntityID, atMs: Int64) -> Actions {
    guard let found = actions.removeValue(forKey: Key(viewer: viewer, clip: clip)) else { return [] }
    return (0...Self.keptMs).contains(atMs - found.atMs) ? found.actions : []
  }

  /// What the guest did is the account's.
  mutating func merge(_ guest: EntityID, into account: EntityID) {
    for (key, found) in actions where key.viewer == guest {
      actions[key] = nil
      note(found.actions, on: key.clip, by: account, atMs: found.atMs)
    }
  }

  mutating func forget(_ viewer: EntityID) {
    actions = actions.filter { $0.key.viewer != viewer }
  }
}
