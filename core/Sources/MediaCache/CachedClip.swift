internal import CoreTypes

/// What memory holds of one clip. A place in the table is used again for other clips, with its storage.
struct CachedClip: Sendable {
  struct Part: Sendable {
    /// A bit for each rendition held.
    var renditions: UInt8 = 0
    /// Bytes of the best rendition held.
    var best: UInt32 = 0
    /// Bytes of all renditions held.
    var total: UInt32 = 0
  }

  /// Larger is not a segment of a short clip. Eight renditions of this size still fit `Part.total`.
  static let largestSegment: Int64 = 1 << 28

  /// `nil`: the place is free.
  private(set) var item: ItemID?
  /// Swipes from the focus; `nil` outside the window.
  var distance: Int32?
  /// Move at which the clip was last in the window.
  var lastTurn: Int64 = 0
  /// Move at which something beyond the head was stored last.
  private(set) var tailTurn: Int64 = 0
  /// Seen long enough to be wanted again.
  var isWatched = false
  private(set) var bytes = Bytes.zero
  /// Segments from the first one on without a gap.
  private(set) var prefix: Int32 = 0
  /// Initialisation section first, then segment by segment.
  private var parts: [Part] = []
  /// Parts that have their storage from the start, so that a place does not grow with each clip that gets
  /// further than those before it: more than is fetched of all but the longest.
  private static let usualParts = 32
  private var tailWorth: Int64 = 0

  init() { parts.reserveCapacity(Self.usualParts) }

  mutating func begin(_ item: ItemID, distance: Int32?, turn: Int64) {
    self.item = item
    self.distance = distance
    lastTurn = turn
    isWatched = false
  }

  /// Returns the bytes that are new.
  mutating func store(rendition: Int32, segment: Int32, bytes: Bytes, turn: Int64) -> Bytes {
    let place = Int(segment) + 1
    while parts.count <= place { parts.append(Part()) }
    let bit = UInt8(1) << UInt8(rendition)
    guard parts[place].renditions & bit == 0 else { return .zero }
    let size = UInt32(min(max(bytes.rawValue, 0), Self.largestSegment))
    let isBest = parts[place].renditions < bit
    if segment > 0, isBest { tailWorth += Self.worth(of: bit) - Self.worth(of: parts[place].renditions) }
    if segment > 0 { tailTurn = turn }
    parts[place].renditions |= bit
    parts[place].total += size
    if isBest { parts[place].best = size }
    self.bytes += Bytes(Int64(size))
    while Int(prefix) + 1 < parts.count, parts[Int(prefix) + 1].renditions != 0 { prefix += 1 }
    return Bytes(Int64(size))
  }

  private static func worth(of renditions: UInt8) -> Int64 {
    renditions == 0 ? 0 : RetentionValue.segment + Int64(7 - renditions.leadingZeroBitCount)
  }

  /// Initialisation sections and first segment.
  var headBytes: Bytes {
    var sum = Bytes.zero
    for part in parts.prefix(2) { sum += Bytes(Int64(part.total)) }
    return sum
  }

  /// There is both a head that can start the clip and something after it.
  var canBeTrimmed: Bool { prefix >= 1 && tailWorth > 0 }

  /// The tail of a clip that was left behind gives way like a clip outside the window: hardly anybody goes
  /// back, and the head is enough to start from.
  var guardedBytes: Bytes {
    guard let distance else { return .zero }
    return distance < 0 && canBeTrimmed ? headBytes : bytes
  }

  /// Of what would go first: the tail, or the head when there is nothing else.
  func density(at turn: Int64) -> Int64 {
    let likelihood = RetentionValue.likelihood(distance: distance, age: turn - lastTurn)
    if canBeTrimmed { return RetentionValue.density(likelihood, tailWorth, bytes - headBytes) }
    return RetentionValue.density(likelihood, prefix >= 1 ? RetentionValue.head : tailWorth, bytes)
  }

  /// Drops all but the head; returns the bytes that are free now.
  mutating func trim() -> Bytes {
    let freed = bytes - headBytes
    if parts.count > 2 { parts.removeLast(parts.count - 2) }
    bytes -= freed
    prefix = min(prefix, 1)
    tailWorth = 0
    return freed
  }

  /// Leaves the place free; returns the bytes that are free now.
  mutating func clear() -> Bytes {
    let freed = bytes
    parts.removeAll(keepingCapacity: true)
    (item, bytes, prefix, tailWorth) = (nil, .zero, 0, 0)
    return freed
  }

  func forEachPart(_ body: (_ rendition: Int32, _ segment: Int32) -> Void) {
    for (place, part) in parts.enumerated() {
      for rendition in 0..<Int32(8) where part.renditions & 1 << UInt8(rendition) != 0 {
        body(rendition, Int32(place) - 1)
      }
    }
  }

  /// What the first segments take in their best renditions, with all initialisation sections.
  func bytes(ofFirst segments: Int32) -> Bytes {
    var sum = Bytes.zero
    for (place, part) in parts.prefix(Int(max(0, segments)) + 1).enumerated() {
      sum += Bytes(Int64(place == 0 ? part.total : part.best))
    }
    return sum
  }
}
