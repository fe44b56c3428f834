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
    let use = uses
    // NB: where it lies, or all that was seen would be copied.
    viewers[id, default: RecentViewer(beginning: use)].use = use
    let value = body(&viewers[id, default: RecentViewer(beginning: use)])
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
  /// Up to where `seen` was read.
  struct Place: Sendable {
    /// Another one whenever reading begins again, since the viewer was forgotten.
    let beginning: UInt64
    var atMs: Int64 = .min
    var clipID = ""
  }

  private(set) var seen: Set<EntityID> = []
  private var order: [EntityID] = []
  private(set) var place: Place
  var use: UInt64

  init(beginning: UInt64) {
    place = Place(beginning: beginning)
    use = beginning
  }

  /// `from`: where it was read on. If the viewer was forgotten since, what lies before it would be missed.
  mutating func saw(_ clips: [(clipID: String, atMs: Int64)], behind from: Place) {
    guard from.beginning == place.beginning else { return }
    for (clipID, atMs) in clips {
      (place.atMs, place.clipID) = (atMs, clipID)
      guard let id = EntityID(uuid: clipID), seen.insert(id).inserted else { continue }
      order.append(id)
    }
    let tooMany = order.count - RecentViewers.mostSeen
    guard tooMany > RecentViewers.mostSeen / 4 else { return }
    for id in order.prefix(tooMany) { seen.remove(id) }
    order.removeFirst(tooMany)
  }
}
