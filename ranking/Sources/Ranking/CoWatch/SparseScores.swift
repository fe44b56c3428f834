/// Sums for few of many clips: an array as long as the catalogue that is cleared in as many steps as were
/// touched. Held by who asks again and again.
struct SparseScores: Sendable {
  private(set) var values: [Float] = []
  private(set) var touched: [UInt32] = []

  mutating func begin(count: Int) {
    for clip in touched { values[Int(clip)] = 0 }
    touched.removeAll(keepingCapacity: true)
    if values.count < count { values.append(contentsOf: repeatElement(0, count: count - values.count)) }
  }

  @inline(__always)
  mutating func add(_ clip: UInt32, _ score: Float) {
    let place = Int(clip)
    guard place < values.count, score > 0 else { return }
    if values[place] == 0 { touched.append(clip) }
    values[place] += score
  }

  subscript(clip: UInt32) -> Float { values[Int(clip)] }
}
