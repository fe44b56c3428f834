import CoreTypes

/// What is done about a request for another clip that hangs while the current one runs dry.
extension Prefetch {
  /// When a request takes far longer than its bytes explain: three times what they should take, and a second.
  func late(_ flight: Flight) -> Instant {
    let explained = throughput.latency + flight.size.megabits / throughput.mean
    return flight.started + Milliseconds(1_000 + Int64(min(15, 3 * explained) * 1_000))
  }

  mutating func noteLate(at now: Instant) {
    for index in flights.indices where now >= late(flights[index]) { flights[index].isLate = true }
  }

  /// Nobody knows when what is late ends. It may take the time of the person watching, but not of what they
  /// watch.
  mutating func stopLate(at now: Instant, emit: (Command) -> Void) {
    guard !inBackground, let focused, flights.contains(where: { $0.isLate }),
      !flights.contains(where: { $0.item == focused }), lead(of: focused, at: now) < Self.shortLead
    else { return }
    for index in flights.indices.reversed() where flights[index].isLate && flights[index].item != pin?.item {
      emit(.cancel(flights.remove(at: index).request))
    }
  }
}
