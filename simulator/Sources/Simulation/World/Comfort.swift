internal import CoreTypes

/// The product's measure of a session: what a person minds, in seconds of the sharpest picture that their
/// screen shows. Three minutes of it without any wait, change or waste of bytes would be 180, less what the
/// bytes cost.
///
/// The prices were written down before any policy was fitted to them; docs/design/simulator.md gives the
/// reasons.
public struct Comfort: Equatable, Sendable {
  /// For each second without a picture that moves, at the start, after a swipe or in a stall.
  public static let standstillPrice = 3.0
  /// Each stall, and each clip that was left before a picture moved, counts as so many seconds of standstill
  /// more.
  public static let breakSeconds = 1.0
  /// For a change of picture within a clip, by the share of the full sharpness that it gets worse or better.
  public static let fallPrice = 1.75
  public static let risePrice = 0.35
  /// For each Mbit, and for each Mbit more of which nothing was seen.
  public static let bytePrice = 0.01
  public static let wastePrice = 0.04
  /// How many times as much bytes cost on a metered network, and where the person asked for less data.
  public static let meteredFactor: Int64 = 2
  public static let saverFactor: Int64 = 4
  /// Nothing that is sharper than this exists.
  static let sharpestEdge: Int64 = 1_080

  /// Per mille of the full sharpness, times ms.
  public var sharpTime: Int64 = 0
  /// Sums of changes within clips, per mille.
  public var falls: Int64 = 0
  public var rises: Int64 = 0
  /// How many times the price the person's bytes have.
  public var byteFactor: Int64 = 1

  public init() {}

  init(_ device: Device) {
    byteFactor = device.dataSaver ? Self.saverFactor : device.isMetered ? Self.meteredFactor : 1
  }

  /// What a rendition shows on a screen, per mille of what the screen could show.
  static func sharpness(ofEdge shortEdge: Int32, on device: Device) -> Int64 {
    let full = max(1, min(sharpestEdge, device.shortEdge))
    return min(Int64(shortEdge), full) * 1_000 / full
  }

  /// Time in which something was shown.
  mutating func show(_ sharpness: Int64, for time: Milliseconds) { sharpTime += sharpness * time.rawValue }

  /// The picture has changed within a clip.
  mutating func change(from before: Int64, to after: Int64) {
    falls += max(0, before - after)
    rises += max(0, after - before)
  }
}

extension Measures {
  /// The product's measure.
  public var comfortScore: Double {
    let breaks = Double(stalls + unseen) * Comfort.breakSeconds
    let standstill = (waited + stalled).seconds + breaks
    let changes = Double(comfort.falls) * Comfort.fallPrice + Double(comfort.rises) * Comfort.risePrice
    let price = Double(bytes) * Comfort.bytePrice + Double(wastedBytes) * Comfort.wastePrice
    return Double(comfort.sharpTime) / 1e6 - Comfort.standstillPrice * standstill - changes / 1_000
      - price * 8 / 1e6 * Double(comfort.byteFactor)
  }
}
