import Activity
import CoreTypes

/// The machine with a clock that a test moves by hand, and a host that keeps what it is asked to.
struct ActivityHarness {
  var activity = Activity()
  var now = Instant(0)
  var commands: [Activity.Command] = []
  /// By number.
  private(set) var kept: [Record] = []

  /// What was recorded since the last look: kind, instant, what it took or how much was watched.
  var records: [String] {
    commands.compactMap {
      guard case .record(let record) = $0 else { return nil }
      let amount = (record.took ?? record.watched).map { " \($0.rawValue)" } ?? ""
      return "\(record.at.rawValue) \(record.kind)\(amount)"
    }
  }

  mutating func send(_ events: Activity.Event...) {
    for event in events {
      var emitted: [Activity.Command] = []
      activity.handle(event, at: now) { emitted.append($0) }
      for case .record(let record) in emitted { kept.append(record) }
      for case .dropRecords(let first, let count) in emitted {
        kept.removeAll { $0.number >= first && $0.number < first + count }
      }
      commands += emitted
    }
  }

  mutating func show(_ item: Int32, duration: Int64 = 5_000, watched: Int64? = nil) {
    send(
      .clipShown(
        ItemID(item), duration: Milliseconds(duration), watched: watched.map { Milliseconds($0) }))
  }

  /// Plays on, in steps as a browser reports them.
  mutating func play(from place: Int64, _ length: Int64) {
    send(.advanced(to: Milliseconds(place)))
    for gone in stride(from: Int64(250), through: length, by: 250) {
      now = now + Milliseconds(250)
      send(.advanced(to: Milliseconds(place + gone)))
    }
  }

  /// Moves the clock, waking the machine when it asked for it.
  mutating func wait(_ time: Int64) {
    let end = now + Milliseconds(time)
    while let due = activity.nextWake, due <= end {
      now = max(now, due)
      send(.woke)
    }
    now = end
  }

  mutating func take() -> [Activity.Command] {
    defer { commands = [] }
    return commands
  }
}
