public import CoreTypes
public import Playback
public import Recording

/// Hosts the core's `Recording`: hands it events one after the other, and wakes it when it asks for that.
///
/// It refuses to know what commands mean: `carryOut` does.
@MainActor public final class RecordingHost {
  /// As in a session: no host is woken sooner than this.
  private static let shortestWake = Milliseconds(1)

  /// Carries out one command. What it reports in turn waits until all commands of this event have run.
  public var carryOut: ((Recording.Command) -> Void)?
  /// Sees each event with its commands and the wake that it asked for, before they are carried out.
  public var observer: ((Recording.Event, [Recording.Command], Instant?) -> Void)?

  private let clock: any HostClock
  private var machine = Recording()
  private var latest = Instant(.min)
  private var wakeAt: Instant?
  private var events: [Recording.Event] = []
  private var isDelivering = false

  public init(clock: any HostClock) { self.clock = clock }

  public func report(_ event: Recording.Event) {
    events.append(event)
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !events.isEmpty { deliver(events.removeFirst()) }
  }

  private func deliver(_ event: Recording.Event) {
    // Time never runs backwards for the machine.
    latest = max(latest, clock.now)
    var commands: [Recording.Command] = []
    machine.handle(event, at: latest) { commands.append($0) }
    if case .woke = event { wakeAt = nil }
    var asked: Instant?
    if let wake = machine.nextWake, wake != wakeAt {
      wakeAt = wake
      asked = max(wake, latest + Self.shortestWake)
    }
    observer?(event, commands, asked)
    if let asked { clock.wake(at: asked) { [weak self] in self?.report(.woke) } }
    for command in commands { carryOut?(command) }
  }
}
