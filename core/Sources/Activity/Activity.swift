public import CoreTypes

/// What a person watches and turns on or off, on its way to the server: what counts as an impression, a view,
/// a loop or a stall, in which batches that is sent, and what a like or a follow shows while its request is
/// under way.
///
/// It refuses to know what clips and toggles are, and how requests travel.
///
/// Invariants:
/// - Records are numbered one after the other. Each is dropped once, in the order of their numbers.
/// - What is sent was recorded and is not dropped. At most one batch is under way.
/// - At most `limit` records wait.
/// - At most one request is under way for a toggle. When none is, the toggle shows what the server is known
///   to hold, or the last request for it was lost.
public struct Activity: Sendable {
  private var watch: Watch?
  private var queue = RecordQueue()
  private var toggles = ToggleTable()
  /// How many clips were shown.
  private var shown: Int32 = 0

  public init() {}

  public var nextWake: Instant? { queue.due }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .clipShown(let item, let duration, let watched):
      show(item, duration, watched, at: now, emit)
    case .playing:
      queue.returned()
      observe(at: now, emit) { $0.played(at: now, $1) }
    case .advanced(let position): observe(at: now, emit) { $0.advanced(to: position, at: now, $1) }
    case .waiting: watch?.waited(at: now)
    case .paused: watch?.paused()
    case .pageHidden:
      watch?.paused()
      queue.beacon(emit)
    case .batchAnswered: queue.answered(at: now, emit)
    case .batchFailed(let status): queue.failed(status: status, at: now, emit)
    case .toggleRequested(let toggle, let isOn, let known):
      toggles.request(toggle, isOn: isOn, known: known, emit)
    case .toggleAnswered(let toggle): toggles.answered(toggle, emit)
    case .toggleFailed(let toggle, let status): toggles.failed(toggle, status: status, emit)
    case .togglesForgotten: toggles.forget()
    case .woke: queue.wake(at: now, emit)
    }
  }

  private mutating func show(
    _ item: ItemID, _ duration: Milliseconds, _ watched: Milliseconds?, at now: Instant,
    _ emit: (Command) -> Void
  ) {
    guard watch?.item != item, let next = Watch(item, duration: duration, watched: watched, at: now)
    else { return }
    observe(at: now, emit) { $0.ended($1) }
    watch = next
    shown = shown == .max ? 1 : shown + 1
    observe(at: now, emit) { $1(.impression, nil, nil) }
  }

  /// Lets the clip on the screen record what it saw.
  private mutating func observe(
    at now: Instant, _ emit: (Command) -> Void, _ look: (inout Watch, Watch.Recorder) -> Void
  ) {
    guard var watch else { return }
    var seen: [(Record.Kind, Milliseconds?, Milliseconds?)] = []
    look(&watch) { seen.append(($0, $1, $2)) }
    self.watch = watch
    for (kind, took, watched) in seen {
      let number = queue.nextNumber
      emit(
        .record(
          Record(
            number: number, item: watch.item, kind: kind, at: now, position: shown - 1, took: took,
            watched: watched)))
      queue.add(at: now, emit)
    }
  }
}
