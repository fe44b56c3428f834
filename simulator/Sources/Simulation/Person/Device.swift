public import CoreTypes

/// What a phone is like: its screen, its memory, how fast its decoder starts, its battery, its tariff.
public struct Device: Sendable {
  /// CSS px, and device px of the video's shorter side.
  public var pageHeight: Int64 = 844
  public var shortEdge: Int64 = 1_170
  public var players: Int32 = 3
  /// For stored segments.
  public var memoryBudget = Bytes(48 << 20)
  /// Likelihood of a memory warning during a visit.
  public var memoryWarnings = 0.0
  /// From `load` until the player takes bytes.
  public var attach = Milliseconds(25)
  /// From the first segment in the player until its first frame stands.
  public var firstFrame = Milliseconds(40)
  /// From `play`, or from the end of a stall, until the picture moves.
  public var start = Milliseconds(16)
  /// The person asked for less data.
  public var dataSaver = false
  /// What the browser says of the link's rate; zero if it says nothing.
  public var throughputHint = BitsPerSecond.zero

  public init() {}

  /// One of those that people have. Attach and first frame together are 30 to 80 ms, as measured with
  /// Media Source Extensions in Chromium on laptops and phones' decoders; browsers of one in two tell a
  /// rate, rounded and at most 10 Mbit/s, as Chromium's `navigator.connection.downlink` does.
  public init(seed: UInt64, link: Trace, isCellular: Bool) {
    var chance = SeededGenerator(seed: seed, stream: 0x6465_7669_6365)
    let edges: [(edge: Int64, share: Double)] = [(720, 0.2), (1_080, 0.4), (1_170, 0.4)]
    shortEdge = edges[chance.pick(edges.map(\.share))].edge
    attach = Milliseconds(Int64(chance.uniform(10...30)))
    firstFrame = Milliseconds(Int64(chance.uniform(20...50)))
    if chance.happens(0.25) {
      memoryBudget = Bytes(24 << 20)
      memoryWarnings = 0.02
    }
    dataSaver = isCellular && chance.happens(0.08)
    if chance.happens(0.5) {
      let told = Double(link.meanKilobits) * chance.logNormal(median: 1, spread: 0.35)
      throughputHint = BitsPerSecond(Int64(min(told, 10_000) / 25) * 25_000)
    }
  }
}
