/// Where clips stand in a list of candidates that grows: an array as long as the catalogue, in which as many
/// numbers are cleared as were touched. Held by who asks again and again.
struct CandidatePlaces: Sendable {
  enum Place: Equatable {
    case unknown
    case refused
    case at(Int)
  }

  /// 0: unknown; −1: refused; else one more than the place.
  private var places: [Int32] = []
  private var touched: [UInt32] = []

  mutating func begin(count: Int) {
    for clip in touched { places[Int(clip)] = 0 }
    touched.removeAll(keepingCapacity: true)
    if places.count < count { places.append(contentsOf: repeatElement(0, count: count - places.count)) }
  }

  @inline(__always)
  subscript(clip: UInt32) -> Place {
    switch places[Int(clip)] {
    case 0: .unknown
    case -1: .refused
    case let place: .at(Int(place) - 1)
    }
  }

  mutating func refuse(_ clip: UInt32) { set(clip, -1) }

  mutating func add(_ clip: UInt32, at place: Int) { set(clip, Int32(clamping: place) + 1) }

  private mutating func set(_ clip: UInt32, _ place: Int32) {
    if places[Int(clip)] == 0 { touched.append(clip) }
    places[Int(clip)] = place
  }
}
