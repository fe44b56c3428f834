/// What a model is told of one clip for one viewer: some numbers, and names of crosses as places of weights.
public struct Features: Sendable, Equatable {
  public internal(set) var dense: [Float]
  public internal(set) var crosses: [UInt32] = []

  public init(dense: [Float] = [], crosses: [UInt32] = []) {
    self.dense = dense
    self.crosses = crosses
  }

  /// For a value that is used again and again.
  mutating func clear() {
    dense.removeAll(keepingCapacity: true)
    crosses.removeAll(keepingCapacity: true)
  }

  /// A number; what is none is 0, and no number outweighs all others.
  @inline(__always)
  mutating func append(_ value: Double) { dense.append(Float(value).bounded(-16...16)) }

  @inline(__always)
  mutating func append(cross hash: UInt64) { crosses.append(UInt32(truncatingIfNeeded: hash)) }
}
