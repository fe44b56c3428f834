import CoreTypes

/// Asks a policy, and carries out what it wants.
extension World {
  /// Other policies have the same memory; what is farthest goes first.
  mutating func makeRoom() {
    let page = viewer.current.page
    while store.bytes > scenario.device.memoryBudget.rawValue {
      let far = (0..<store.count).filter { store.bytes(of: $0) > 0 && abs($0 - page) > 1 }
      guard let item = far.max(by: { abs($0 - page) < abs($1 - page) }) else { return }
      store.discard(item)
    }
  }

  /// Without this, what was dropped for want of room would be fetched again at once, for ever.
  func hasRoom(for bytes: Int64, of item: Int) -> Bool {
    let page = viewer.current.page
    guard abs(item - page) > 1 else { return true }
    let kept = (max(0, page - 1)..<store.count).reduce(bytes) { $0 + store.bytes(of: $1) }
    let coming = flights.reduce(0) { $0 + $1.bytes }
    return kept + coming <= scenario.device.memoryBudget.rawValue
  }

  mutating func askPolicy() {
    guard policy != nil, promised > 0, page != nil else { return }
    let view = PolicyView(
      now: now, family: scenario.family, shortEdge: scenario.device.largestEdge, page: viewer.current.page,
      position: currentPlayer?.position ?? .zero, store: store,
      flights: flights.map { flight in
        PolicyView.Flight(
          request: flight.request, item: flight.item, rendition: flight.rendition,
          segments: flight.segments, withInitialization: flight.withInitialization, tag: flight.tag,
          bytes: flight.bytes, received: link.received(flight.request), started: flight.started)
      },
      finished: finished, visit: viewer.visit, watched: viewer.watched)
    finished = []
    for command in policy?.decide(view) ?? [] {
      switch command {
      case .fetch(let item, let rendition, let segments, let withInitialization):
        let clip = store.clip(item)
        var bytes = withInitialization ? clip.size(rendition: rendition, segment: -1) : 0
        for segment in segments { bytes += clip.size(rendition: rendition, segment: segment) }
        guard hasRoom(for: bytes, of: item) else { continue }
        open(
          Flight(
            request: lastRequest + 1, item: item, rendition: rendition, segments: segments,
            withInitialization: withInitialization, tag: nil, bytes: bytes, started: now))
      case .fetchOther(let item, let tag, let bytes):
        open(
          Flight(
            request: lastRequest + 1, item: item, rendition: 0, segments: 0..<0,
            withInitialization: false, tag: tag, bytes: bytes, started: now))
      case .cancel(let request): cancel(request)
      case .discard(let item): store.discard(item)
      }
    }
  }
}
