public import CoreTypes

/// Somebody with habits of their own, who swipes through a feed.
///
/// How often people swipe back, pause, leave the app, hesitate or hurry through several clips has no
/// published source: the shares below are assumptions.
public struct Person: Sendable {
  static let backSwipes = 0.05
  static let bursts = 0.02
  static let burstLength = 3.0...6.0
  static let pauses = 0.03
  static let absences = 0.006
  static let hesitations = 0.04

  let seed: UInt64

  public init(seed: UInt64) { self.seed = seed }

  /// Visits until so much is watched.
  public func plan(_ library: ClipLibrary, watching total: Milliseconds, device: Device) -> Plan {
    plan(library, device: device) { visits, watched in watched >= total }
  }

  /// So many visits.
  public func plan(_ library: ClipLibrary, visits count: Int, device: Device) -> Plan {
    plan(library, device: device) { visits, watched in visits >= count }
  }

  private func plan(
    _ library: ClipLibrary, device: Device, until isEnough: (Int, Milliseconds) -> Bool
  ) -> Plan {
    var chance = SeededGenerator(seed: seed, stream: 0x7065_7273_6F6E)
    let haste = Self.haste(&chance)
    let patience = chance.logNormal(median: 8, spread: 0.4)
    var visits: [Plan.Visit] = []
    var watched = Milliseconds.zero
    var page = 0
    var glances = 0
    while !isEnough(visits.count, watched) {
      // One generator a visit: what is drawn for one does not shift the others.
      var draw = SeededGenerator(seed: seed, stream: 0x1_0000_0000 + UInt64(visits.count))
      if glances == 0, draw.happens(Self.bursts) { glances = Int(draw.uniform(Self.burstLength)) }
      let isGlance = glances > 0
      if isGlance { glances -= 1 }
      let retention = library.retention(page, haste: haste)
      let watch =
        isGlance ? Self.glance(&draw) : retention.draw(&draw)
      visits.append(
        Plan.Visit(
          page: page, watch: watch, isGlance: isGlance,
          incidents: isGlance ? [] : Self.incidents(during: watch, device, &draw),
          swipe: Self.swipe(&draw), patience: Milliseconds(Int64(patience * 1_000))))
      watched += watch
      page += page > 0 && !isGlance && draw.happens(Self.backSwipes) ? -1 : 1
    }
    return Plan(visits: visits)
  }

  static func haste(_ chance: inout SeededGenerator) -> Double { chance.logNormal(median: 1, spread: 0.5) }
  static func glance(_ draw: inout SeededGenerator) -> Milliseconds {
    Milliseconds(Int64(draw.uniform(250...700)))
  }

  private static func incidents(
    during watch: Milliseconds, _ device: Device, _ chance: inout SeededGenerator
  ) -> [Plan.Incident] {
    let kinds: [(share: Double, kind: Plan.Incident.Kind)] = [
      (pauses, .pause(Milliseconds(Int64(chance.uniform(1_500...9_000))))),
      (absences, .away(Milliseconds(Int64(chance.uniform(4_000...25_000))))),
      (hesitations, .hesitation),
      (device.memoryWarnings, .memoryWarning),
    ]
    var incidents: [Plan.Incident] = []
    for (share, kind) in kinds where chance.happens(share) {
      let after = Milliseconds(Int64(Double(watch.rawValue) * chance.uniform(0.1...0.85)))
      incidents.append(Plan.Incident(after: after, kind: kind))
    }
    return incidents.sorted { $0.after < $1.after }
  }

  /// Mostly flicks; some push the page slowly more than half the way.
  private static func swipe(_ chance: inout SeededGenerator) -> Plan.Swipe {
    if chance.happens(0.12) {
      return Plan.Swipe(
        duration: Milliseconds(Int64(chance.uniform(250...500))),
        travel: Int64(chance.uniform(480...620)), velocity: Int64(chance.uniform(40...260)))
    }
    return Plan.Swipe(
      duration: Milliseconds(Int64(chance.uniform(60...150))),
      travel: Int64(chance.uniform(90...380)), velocity: Int64(chance.uniform(700...3_800)))
  }
}
