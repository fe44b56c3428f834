internal import Foundation

/// How much a clip was liked lately: likes that halve every three days (forward decay). Of the leaders a
/// list is kept: since all fade alike, only a like changes the order, and the list costs nothing when it is
/// read.
public struct DecayedPopularity: Sendable {
  /// Clips in the list.
  static let leaders = 512

  public internal(set) var decay: ForwardDecay
  var sums: [Float] = []
  /// The clips with the largest sums, in no order.
  private(set) var leading: [UInt32] = []
  private var lightest: Float = 0

  /// - Parameter halfLife: in milliseconds.
  public init(halfLife: Int64 = 72 * 3_600_000, at now: Int64) {
    decay = ForwardDecay(halfLife: halfLife, at: now)
  }

  mutating func grow(to clips: Int) {
    if clips > sums.count { sums.append(contentsOf: repeatElement(0, count: clips - sums.count)) }
  }

  /// - Parameter weight: 0 to 1,000: one like of somebody who is fully trusted is 1.
  public mutating func observe(_ clip: UInt32, weight: Float, at time: Int64) {
    grow(to: Int(clip) + 1)
    if let factor = decay.advance(to: time) {
      for place in sums.indices { sums[place] *= factor }
      lightest *= factor
    }
    sums[Int(clip)] += weight.bounded(0...1_000) * decay.weight
    lead(clip)
  }

  /// Time passes without a like.
  mutating func advance(to time: Int64) {
    guard let factor = decay.advance(to: time) else { return }
    for place in sums.indices { sums[place] *= factor }
    lightest *= factor
  }

  /// Likes of a clip, faded to now.
  public func value(of clip: UInt32) -> Float {
    Int(clip) < sums.count ? sums[Int(clip)] / decay.weight : 0
  }

  /// The logarithm of one more than `value`: what a person notices of popularity.
  func logarithm(of clip: UInt32) -> Float { log(1 + value(of: clip)) }

  mutating func remove(_ clip: UInt32) {
    guard Int(clip) < sums.count else { return }
    sums[Int(clip)] = 0
    leading.removeAll { $0 == clip }
  }

  /// The list anew, for when removals have made it short.
  mutating func refill() {
    var top = TopK(Self.leaders)
    for place in sums.indices where sums[place] > 0 { top.offer(UInt32(place), sums[place]) }
    leading = top.sorted().map(\.clip)
    lightest = leading.last.map { sums[Int($0)] } ?? 0
  }

  private mutating func lead(_ clip: UInt32) {
    let sum = sums[Int(clip)]
    guard sum > lightest || leading.count < Self.leaders, sum > 0, !leading.contains(clip) else { return }
    if leading.count < Self.leaders {
      leading.append(clip)
      return
    }
    guard let place = leading.indices.min(by: { sums[Int(leading[$0])] < sums[Int(leading[$1])] }) else {
      return
    }
    if sums[Int(leading[place])] < sum { leading[place] = clip }
    lightest = leading.reduce(.infinity) { min($0, sums[Int($1)]) }
  }
}
