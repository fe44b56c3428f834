internal import Contract
internal import Synchronization

/// What one process keeps for itself where processes share nothing. It is bounded: what came first goes
/// first.
public final class MemoryCache: Cache, RateLimiter, MessageBus, HealthChecking {
  fileprivate struct Entry {
    var value: [UInt8]
    var untilMs: Int64
    var turn: Int
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    /// Keys in the order in which they came; an entry with another turn has come again since.
    var arrivals: [(key: String, turn: Int)] = []
    var firstArrival = 0
    var turns = 0
    var bytes = 0
  }

  private let time: any TimeSource
  private let capacityBytes: Int
  private let state = Mutex(State())
  private let buckets = Mutex<[TokenBucket: RateLimit]>([:])
  private let subscribers = Broadcaster()

  /// `capacityBytes` of keys and values; what the tables themselves take is some 100 bytes an entry more.
  public init(time: any TimeSource = SystemTime(), capacityBytes: Int = 16 << 20) {
    self.time = time
    self.capacityBytes = capacityBytes
  }

  public func get(_ key: String) -> [UInt8]? {
    let nowMs = time.nowMs
    return state.withLock { $0.live(key, nowMs)?.value }
  }

  public func set(_ key: String, to value: [UInt8], forMs: Int64) {
    let untilMs = time.nowMs + forMs
    state.withLock { $0.put(key, value, untilMs, capacityBytes) }
  }

  public func delete(_ key: String) {
    state.withLock { $0.remove(key) }
  }

  public func increment(_ key: String, by change: Int64, forMs: Int64) throws -> Int64 {
    let nowMs = time.nowMs
    return try state.withLock { state in
      let known = state.live(key, nowMs)
      guard let number = known.map({ Int64(String(decoding: $0.value, as: UTF8.self), radix: 10) }) ?? 0,
        case let (sum, overflow) = number.addingReportingOverflow(change), !overflow
      else { throw AppError(.internalError, "\(key) holds no number that can grow by \(change)") }
      state.put(key, Array(String(sum).utf8), known?.untilMs ?? nowMs + forMs, capacityBytes)
      return sum
    }
  }

  public func take(_ wanted: [BucketKey]) -> Int64? {
    for (count, one) in wanted.enumerated() {
      guard let waitMs = limit(of: one.bucket).take(one.key) else { continue }
      for taken in wanted.prefix(count) { limit(of: taken.bucket).giveBack(taken.key) }
      return waitMs
    }
    return nil
  }

  private func limit(of bucket: TokenBucket) -> RateLimit {
    buckets.withLock { buckets in
      if let known = buckets[bucket] { return known }
      let made = RateLimit(burst: bucket.burst, intervalMs: bucket.intervalMs, time: time)
      buckets[bucket] = made
      return made
    }
  }

  public func refill(_ key: String, of bucket: TokenBucket) {
    buckets.withLock { $0[bucket] }?.refill(key)
  }

  public func publish(_ message: [UInt8], to channel: String) {
    subscribers.tell(.message(message), to: channel)
  }

  public func subscribe(to channel: String) -> AsyncStream<BusSignal> {
    subscribers.subscribe(to: channel, isJoined: true)
  }

  public func check() {}
}

extension MemoryCache.State {
  fileprivate func live(_ key: String, _ nowMs: Int64) -> MemoryCache.Entry? {
    guard let entry = entries[key], entry.untilMs > nowMs else { return nil }
    return entry
  }

  fileprivate mutating func put(_ key: String, _ value: [UInt8], _ untilMs: Int64, _ capacity: Int) {
    remove(key)
    turns += 1
    entries[key] = MemoryCache.Entry(value: value, untilMs: untilMs, turn: turns)
    arrivals.append((key, turns))
    bytes += key.utf8.count + value.count
    while bytes > capacity, firstArrival < arrivals.count {
      let (oldest, turn) = arrivals[firstArrival]
      firstArrival += 1
      if entries[oldest]?.turn == turn { remove(oldest) }
    }
    // A key that is set again and again leaves its places behind.
    if arrivals.count > 2 * entries.count + 64 {
      arrivals = arrivals[firstArrival...].filter { entries[$0.key]?.turn == $0.turn }
      firstArrival = 0
    }
  }

  fileprivate mutating func remove(_ key: String) {
    guard let gone = entries.removeValue(forKey: key) else { return }
    bytes -= key.utf8.count + gone.value.count
  }
}
