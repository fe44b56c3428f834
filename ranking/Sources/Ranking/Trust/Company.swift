/// Who brought how much: sums by network and by day, of the heaviest of each.
struct Company: Sendable, Equatable {
  private(set) var total: Float = 0
  private(set) var sums: [UInt64: Float] = [:]
  /// Milliseconds since 1970.
  private(set) var lastAt: Int64 = 0

  init() {}

  init(total: Float, sums: [UInt64: Float], lastAt: Int64) {
    self.total = total
    self.sums = sums
    self.lastAt = lastAt
  }

  func weight(of key: UInt64) -> Float { sums[key] ?? 0 }

  /// 0 to 1; 1 where there is nothing yet.
  func share(of key: UInt64) -> Float { total > 0 ? min(weight(of: key) / total, 1) : 1 }

  /// - Parameter keys: of one event: its weight counts for each of them, and once in all.
  mutating func add(_ keys: [UInt64], _ weight: Float, limit: Int, at time: Int64) {
    total += weight
    lastAt = time
    for key in keys { sums[key, default: 0] += weight }
    if sums.count > limit { keepHeavier(limit / 2) }
  }

  mutating func add(_ other: Company, limit: Int) {
    total += other.total
    lastAt = max(lastAt, other.lastAt)
    sums.merge(other.sums) { $0 + $1 }
    if sums.count > limit { keepHeavier(limit / 2) }
  }

  mutating func scale(by factor: Float) {
    total *= factor
    sums = sums.mapValues { $0 * factor }
  }

  private mutating func keepHeavier(_ count: Int) {
    let order = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    sums = Dictionary(uniqueKeysWithValues: order.prefix(max(count, 1)).map { ($0.key, $0.value) })
  }
}
