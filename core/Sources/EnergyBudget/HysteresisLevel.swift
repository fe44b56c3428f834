internal import CoreTypes

/// The worst of four levels (0 best … 3) that was in force within the last while: gets worse at once, gets
/// better only when nothing that bad has happened for the whole patience. A level that bounces keeps its
/// worst.
struct HysteresisLevel: Sendable {
  private let patience: Milliseconds
  private var level = 0
  /// When each level was last in force, of those that are over.
  private var leftAt: [Instant?] = [nil, nil, nil, nil]

  init(patience: Milliseconds) { self.patience = patience }

  mutating func note(_ new: Int, at now: Instant) {
    guard new != level, leftAt.indices.contains(new) else { return }
    leftAt[level] = now
    level = new
  }

  func value(at now: Instant) -> Int {
    var worst = level
    for past in leftAt.indices where past > worst && isFresh(past, at: now) { worst = past }
    return worst
  }

  /// When the value gets better if nothing happens.
  func reliefAt(_ now: Instant) -> Instant? {
    let worst = value(at: now)
    guard worst > level, let left = leftAt[worst] else { return nil }
    return left + patience
  }

  private func isFresh(_ past: Int, at now: Instant) -> Bool {
    guard let left = leftAt[past] else { return false }
    return now - left < patience
  }
}
