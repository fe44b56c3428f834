/// What was liked together with one clip, and how much: a hash table by linear probing, eight bytes a
/// place.
///
/// It holds at most `limit` neighbours. One more, and the lighter half goes: each of those weighs less than
/// what stays, so that a clip that everybody likes cannot fill the memory, and the price per event stays
/// small.
struct NeighbourTable: Sendable, Equatable {
  struct Neighbour: Sendable, Equatable {
    var clip: UInt32
    var weight: Float
  }

  private static let nobody = UInt32.max

  private(set) var places: [Neighbour] = []
  private(set) var count = 0

  mutating func add(_ clip: UInt32, weight: Float, limit: Int) {
    if count * 4 >= places.count * 3 { resize(to: max(places.count * 2, 4)) }
    let place = find(clip)
    if places[place].clip == clip {
      places[place].weight += weight
    } else {
      places[place] = Neighbour(clip: clip, weight: weight)
      count += 1
      if count > limit { keepHeavier(limit / 2) }
    }
  }

  func weight(of clip: UInt32) -> Float {
    guard !places.isEmpty else { return 0 }
    let place = find(clip)
    return places[place].clip == clip ? places[place].weight : 0
  }

  @inline(__always)
  func forEach(_ body: (Neighbour) -> Void) {
    for neighbour in places where neighbour.clip != Self.nobody { body(neighbour) }
  }

  /// Weights times a factor, without clips that are gone.
  mutating func rebuild(times factor: Float, keeping isThere: (UInt32) -> Bool) {
    let old = places.filter { $0.clip != Self.nobody && isThere($0.clip) && $0.weight * factor > 1e-12 }
    refill(old.map { Neighbour(clip: $0.clip, weight: $0.weight * factor) })
  }

  init() {}

  init(_ neighbours: [Neighbour]) { refill(neighbours) }

  private mutating func keepHeavier(_ kept: Int) {
    var all = places.filter { $0.clip != Self.nobody }
    all.sort { $0.weight != $1.weight ? $0.weight > $1.weight : $0.clip < $1.clip }
    refill(Array(all.prefix(max(kept, 1))))
  }

  private mutating func refill(_ neighbours: [Neighbour]) {
    var size = neighbours.isEmpty ? 0 : 4
    while neighbours.count * 4 >= size * 3, size > 0 { size *= 2 }
    places = [Neighbour](repeating: Neighbour(clip: Self.nobody, weight: 0), count: size)
    count = 0
    for neighbour in neighbours {
      let place = find(neighbour.clip)
      guard places[place].clip == Self.nobody else { continue }
      places[place] = neighbour
      count += 1
    }
  }

  private mutating func resize(to size: Int) {
    let old = places
    places = [Neighbour](repeating: Neighbour(clip: Self.nobody, weight: 0), count: size)
    for neighbour in old where neighbour.clip != Self.nobody { places[find(neighbour.clip)] = neighbour }
  }

  /// Where a clip is, or would be. There is always a free place.
  private func find(_ clip: UInt32) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: UInt64(clip) &* 0x9E37_79B9_7F4A_7C15 >> 32) & mask
    while places[place].clip != clip, places[place].clip != Self.nobody { place = (place + 1) & mask }
    return place
  }
}
