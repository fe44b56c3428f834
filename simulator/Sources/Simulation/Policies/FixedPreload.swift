internal import CoreTypes

/// The specification's first idea: the next two clips and the one before, 3 s of each, in a quality that
/// the type of the network fixes. The current clip has its 3 s first and is then loaded to its end.
struct FixedPreload: Policy {
  static let lead = Milliseconds(3_000)
  static let maxInFlight = 2

  /// 360 on 3G, 720 on 4G, 1080 on wifi, 540 where the type is unknown.
  static func edge(on family: TraceFamily?) -> Int32 {
    switch family {
    case .threeG: 360
    case .fourG, .train, .lift: 720
    case .wifi: 1_080
    case nil: 540
    }
  }

  mutating func decide(_ view: PolicyView) -> [PolicyCommand] {
    let window = (view.page - 1)...(view.page + 2)
    let cancelled = view.cancel { window.contains($0.item) }
    let targets: [(item: Int, from: Milliseconds, ahead: Milliseconds)] = [
      (view.page, view.position, Self.lead), (view.page + 1, .zero, Self.lead),
      (view.page + 2, .zero, Self.lead), (view.page - 1, .zero, Self.lead),
      (view.page, view.position, PlaybackDescriptor.maxDuration), (view.page, .zero, view.position),
    ]
    guard view.flights.count - cancelled.count < Self.maxInFlight else { return cancelled }
    for target in targets where view.exists(target.item) {
      guard let segment = view.missing(target.item, from: target.from, ahead: target.ahead) else { continue }
      let edge = min(Self.edge(on: view.family), Int32(clamping: view.shortEdge))
      let rendition = min(view.rendition(target.item, atMost: edge), view.largest(target.item))
      return cancelled + [view.fetch(target.item, rendition, segment: segment)]
    }
    return cancelled
  }
}
