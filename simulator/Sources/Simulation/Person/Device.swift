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
  /// The system says that the network costs money.
  public var isMetered = false
  /// Per cent at the start; `nil` if the host does not know, as in most browsers.
  public var battery: Double?
  public var isCharging = false
  public var lowPowerMode = false
  /// What the browser says of the link's rate; zero if it says nothing.
  public var throughputHint = BitsPerSecond.zero

  /// Per cent a minute with the screen on and clips playing: some five hours. An assumption.
  static let drain = 0.33

  public init() {}

  /// The sharpest picture that the person's wishes and the battery leave: the core finds it out by itself
  /// (`EnergyBudget`), for the other policies an app would set it.
  var largestEdge: Int64 {
    let left = isCharging ? 100 : battery ?? 100
    if dataSaver || left <= 10 { return min(shortEdge, 540) }
    return isMetered || lowPowerMode || left <= 20 ? min(shortEdge, 720) : shortEdge
  }

  /// What is left of the battery then.
  func battery(after time: Milliseconds) -> Double? {
    battery.map { max(1, isCharging ? $0 : $0 - Self.drain * time.seconds / 60) }
  }

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
    isMetered = isCellular && chance.happens(0.3)
    if chance.happens(0.5) {
      battery = chance.uniform(5...100)
      isCharging = chance.happens(0.15)
      lowPowerMode = !isCharging && (battery ?? 100) < 20 && chance.happens(0.5)
    }
    if chance.happens(0.5) {
      let announced = Double(link.meanKilobits) * chance.logNormal(median: 1, spread: 0.35)
      throughputHint = BitsPerSecond(Int64(min(announced, 10_000) / 25) * 25_000)
    }
  }
}
