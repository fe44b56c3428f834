internal import Synchronization

/// Token buckets by key: `burst` at once, then one per `intervalMs`.
///
/// A bucket is kept as the instant at which it will be full again, so a full one need not be kept at all.
/// Memory is bounded: where there is no room, the bucket that is nearest to full goes, since it says least.
/// So whoever fills the table with new keys pushes out their own first, and nobody's limit is shared with
/// strangers.
public final class RateLimit: Sendable {
  /// Bytes of a key; a longer one is kept as its hash.
  static let keyBytes = 96

  private let burst: Int64
  private let intervalMs: Int64
  private let capacity: Int
  private let time: any TimeSource
  private let state = Mutex<State>(State())

  fileprivate struct State {
    var fullAtMs: [String: Int64] = [:]
    /// Each bucket at least once, and never later than it is full. Where it has been taken from since, its
    /// place is too early and is put right when it comes up.
    var places = BucketPlaces()
  }

  public init(burst: Int64, intervalMs: Int64, capacity: Int = 10_000, time: any TimeSource) {
    self.burst = burst
    self.intervalMs = intervalMs
    self.capacity = capacity
    self.time = time
  }

  /// How many buckets are kept.
  var count: Int { state.withLock { $0.fullAtMs.count } }

  /// Takes a token: nil, or the milliseconds until there is one.
  public func take(_ key: String) -> Int64? {
    let nowMs = time.nowMs
    let key = Self.kept(key)
    return state.withLock { state in
      let known = state.fullAtMs[key]
      let emptyMs = burst * intervalMs
      // NB: a clock that was set back must not lock anybody out for longer than an empty bucket does.
      var fullAtMs = min(max(known ?? nowMs, nowMs), nowMs + emptyMs)
      let waitMs = fullAtMs + intervalMs - nowMs - emptyMs
      if waitMs <= 0 { fullAtMs += intervalMs }
      if known == nil {
        // Two for one: what is full goes by and by, and no request pays for those of all others.
        for _ in 0..<2 where !state.forgetFullest(by: nowMs) { break }
        while state.fullAtMs.count >= max(1, capacity), state.forgetFullest() {}
        state.places.add(BucketPlaces.Place(atMs: fullAtMs, key: key))
      }
      state.fullAtMs[key] = fullAtMs
      return waitMs > 0 ? waitMs : nil
    }
  }

  /// Another bucket had no token, so what came of the two was nothing.
  func giveBack(_ key: String) {
    state.withLock { $0.fullAtMs[Self.kept(key)]? -= intervalMs }
  }

  /// What was taken under this key was no misuse.
  func refill(_ key: String) {
    state.withLock { state in
      guard state.fullAtMs.removeValue(forKey: Self.kept(key)) != nil else { return }
      // Its place stays behind until it comes up; where many do, all are made anew.
      guard state.places.count > 2 * state.fullAtMs.count + 64 else { return }
      state.places = BucketPlaces(state.fullAtMs.map { BucketPlaces.Place(atMs: $0.value, key: $0.key) })
    }
  }

  private static func kept(_ key: String) -> String {
    key.utf8.count <= keyBytes ? key : ContentHash.of(Array(key.utf8))
  }
}

extension RateLimit.State {
  /// The one that is nearest to full, if it is full by then. False: there is none.
  ///
  /// A place is put right at most once for each token that was taken, so a flood costs no more than what it
  /// takes.
  fileprivate mutating func forgetFullest(by limitMs: Int64 = .max) -> Bool {
    while let first = places.first, first.atMs <= limitMs {
      places.removeFirst()
      guard let isFullAtMs = fullAtMs[first.key] else { continue }
      guard isFullAtMs > first.atMs else {
        fullAtMs[first.key] = nil
        return true
      }
      places.add(BucketPlaces.Place(atMs: isFullAtMs, key: first.key))
    }
    return false
  }
}

/// Keys by an instant, the earliest first: a binary heap.
struct BucketPlaces {
  struct Place {
    let atMs: Int64
    let key: String
  }

  private var places: [Place]

  init(_ places: [Place] = []) {
    // In order is a heap as well.
    self.places = places.sorted { $0.atMs < $1.atMs }
  }

  var count: Int { places.count }
  var first: Place? { places.first }

  mutating func add(_ place: Place) {
    places.append(place)
    var child = places.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard places[child].atMs < places[parent].atMs else { return }
      places.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    guard let last = places.popLast(), !places.isEmpty else { return }
    places[0] = last
    var parent = 0
    while true {
      let (left, right) = (2 * parent + 1, 2 * parent + 2)
      guard left < places.count else { return }
      let least = right < places.count && places[right].atMs < places[left].atMs ? right : left
      guard places[least].atMs < places[parent].atMs else { return }
      places.swapAt(least, parent)
      parent = least
    }
  }
}
