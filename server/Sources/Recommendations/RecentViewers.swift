internal import Ranking

/// What viewers have seen, of those who asked lately. Only so that candidates are not clips that were seen:
/// whoever shows a clip looks once more.
struct RecentViewers {
  /// Viewers, and clips of each, that are remembered: the latest.
  static let most = 2_000
  static let mostSeen = 20_000

  private var viewers: [String: RecentViewer] = [:]
  private var uses: UInt64 = 0

  mutating func change<Value>(_ id: String, _ body: (inout RecentViewer) -> Value) -> Value {
    uses += 1
    // NB: where it lies, or all that was seen would be copied.
    viewers[id, default: RecentViewer()].use = uses
    let value = body(&viewers[id, default: RecentViewer()])
    if viewers.count > Self.most { dropHalf() }
    return value
  }

  func seen(of id: String) -> Set<EntityID> { viewers[id]?.seen ?? [] }

  mutating func forget(_ id: String) { viewers[id] = nil }

  private mutating func dropHalf() {
    let uses = viewers.values.map(\.use).sorted()
    let middle = uses[uses.count / 2]
    viewers = viewers.filter { $0.value.use >= middle }
  }
}

struct RecentViewer {
  private(set) var seen: Set<EntityID> = []
  private var order: [EntityID] = []
  /// Up to where `seen` was read.
  private(set) var place: (atMs: Int64, clipID: String) = (.min, "")
  var use: UInt64 = 0

  mutating func saw(_ clips: [(clipID: String, atMs: Int64)]) {
    for (clipID, atMs) in clips {
      place = (atMs, clipID)
      guard let id = EntityID(uuid: clipID), seen.insert(id).inserted else { continue }
      order.append(id)
    }
    let tooMany = order.count - RecentViewers.mostSeen
    guard tooMany > RecentViewers.mostSeen / 4 else { return }
    for id in order.prefix(tooMany) { seen.remove(id) }
    order.removeFirst(tooMany)
  }
}
