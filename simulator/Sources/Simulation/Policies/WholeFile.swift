internal import CoreTypes

/// What `<video preload="auto">` with plain files amounts to: the current clip and its neighbours, each
/// with one request for the whole file, side by side, in a quality that the type of the network fixes.
struct WholeFile: Policy {
  mutating func decide(_ view: PolicyView) -> [PolicyCommand] {
    let wanted = [view.page, view.page + 1, view.page - 1].filter { view.exists($0) }
    var commands = view.cancel { wanted.contains($0.item) }
    for item in wanted {
      let clip = view.store.clip(item)
      let running = view.flights.contains { $0.item == item }
      guard !running, let first = view.missing(item, from: .zero, ahead: clip.duration) else { continue }
      let edge = min(FixedPreload.edge(on: view.family), Int32(clamping: view.shortEdge))
      let rendition = min(view.rendition(item, atMost: edge), view.largest(item))
      commands.append(view.fetch(item, rendition, segments: first..<clip.segmentCount))
    }
    return commands
  }
}
