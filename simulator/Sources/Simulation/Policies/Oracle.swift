internal import CoreTypes

/// Knows what will be watched and what the link will carry: the bound that nobody reaches.
///
/// It fetches exactly the segments that will be shown, in the order in which they will be, in the best
/// rendition in which all that is needed within its horizon comes in time.
struct Oracle: Policy {
  static let horizon = Milliseconds(75_000)
  /// For what it does not model: a page's way, a player's start.
  static let margin = Milliseconds(200)
  /// Of the memory, for what lies ahead.
  static let memoryPercent: Int64 = 70
  static let maxInFlight = 2
  /// With so much stored of the clip that plays, requests may overlap.
  static let calm = Milliseconds(2_000)
  /// So many visits ahead it keeps what it has.
  static let memory = 4
  /// It is asked at least this often while anything plays.
  static let asked = Milliseconds(250)

  private struct Need {
    let item: Int
    let segment: Int
    let deadline: Instant
  }

  private let trace: Trace
  private let plan: Plan
  private let budget: Int64

  init(_ scenario: Scenario) {
    trace = scenario.trace
    plan = scenario.plan
    budget = scenario.device.memoryBudget.rawValue / 100 * Self.memoryPercent
  }

  mutating func decide(_ view: PolicyView) -> [PolicyCommand] {
    forget(view) + fetch(view)
  }

  /// What will not be seen again soon makes room.
  private func forget(_ view: PolicyView) -> [PolicyCommand] {
    let soon = plan.visits[view.visit..<min(plan.visits.count, view.visit + Self.memory)].map(\.page)
    return (max(0, view.page - 3)..<view.page).filter { item in
      view.exists(item) && view.store.bytes(of: item) > 0 && !soon.contains(item)
    }.map { .discard(item: $0) }
  }

  private func fetch(_ view: PolicyView) -> [PolicyCommand] {
    guard view.flights.count < Self.maxInFlight else { return [] }
    let done = end(of: view.flights, view)
    // A second request only so that the link is not idle for its round trip; where every ms counts, none
    // that could take from the first.
    let isCalm = view.watched > .zero && view.store.lead(view.page, from: view.position) > Self.calm
    let comes = view.now + trace.sample(at: view.now).roundTrip + (isCalm ? Self.asked : .zero)
    guard view.flights.isEmpty || done <= comes else { return [] }
    let needs = needs(view)
    guard let first = needs.first else { return [] }
    guard first.item == view.page || bytesAhead(view) < budget else { return [] }
    let level = (0...view.largest(first.item)).last { isInTime(needs, $0, after: done, view) } ?? 0
    return [view.fetch(first.item, level, segment: first.segment)]
  }

  /// When what is under way will have come.
  private func end(of flights: [PolicyView.Flight], _ view: PolicyView) -> Instant {
    guard let last = flights.last else { return view.now + trace.sample(at: view.now).roundTrip }
    let begin = max(view.now, last.started + trace.sample(at: last.started).roundTrip)
    let left = flights.reduce(0) { $0 + ($1.bytes - $1.received) * 8 }
    return trace.time(of: trace.bits(until: begin) + left) ?? Instant(.max)
  }

  private func bytesAhead(_ view: PolicyView) -> Int64 {
    (max(0, view.page - 1)..<min(view.store.count, view.page + 30)).reduce(0) {
      $0 + view.store.bytes(of: $1)
    }
  }

  /// What is neither stored nor on its way and will be shown within the horizon, in order.
  private func needs(_ view: PolicyView) -> [Need] {
    var needs: [Need] = []
    var start = view.now
    for index in view.visit..<plan.visits.count {
      let visit = plan.visits[index]
      guard view.exists(visit.page), start - view.now < Self.horizon else { break }
      let seen = index == view.visit ? view.watched : .zero
      let clip = view.store.clip(visit.page)
      for (segment, offset) in Self.shown(clip, until: visit.watch + visit.swipe.duration)
      where !view.has(visit.page, segment: segment)
        && !needs.contains(where: { $0.item == visit.page && $0.segment == segment })
      {
        let deadline = start + max(.zero, offset - seen)
        if deadline - view.now < Self.horizon {
          needs.append(Need(item: visit.page, segment: segment, deadline: deadline))
        }
      }
      start = start + (visit.watch - seen) + visit.swipe.duration
    }
    return needs
  }

  /// Segments of the first turn that are shown, with how much was watched before.
  private static func shown(_ clip: PlaybackDescriptor, until watch: Milliseconds)
    -> [(segment: Int, offset: Milliseconds)]
  {
    var shown: [(Int, Milliseconds)] = []
    var offset = Milliseconds.zero
    for segment in 0..<clip.segmentCount {
      guard segment == 0 || offset < watch else { break }
      shown.append((segment, offset))
      offset += clip.length(ofSegment: segment)
    }
    return shown
  }

  private func isInTime(_ needs: [Need], _ level: Int, after begin: Instant, _ view: PolicyView) -> Bool {
    guard level > 0 else { return true }
    var bits = trace.bits(until: begin)
    for need in needs {
      let clip = view.store.clip(need.item)
      bits += clip.size(rendition: min(level, clip.renditions.count - 1), segment: need.segment) * 8
      guard let done = trace.time(of: bits), done + Self.margin <= need.deadline else { return false }
    }
    return true
  }
}
