internal import CoreTypes
internal import Playback
internal import SignInSession

/// Hosts the machine: its clock, the wake that it asks for, and the order of events. Commands go to
/// `carryOut`.
///
/// Time never runs backwards for the machine, and an event that arises while commands run waits until they
/// all have run.
@MainActor final class SignInCore {
  /// No machine is woken sooner than this.
  private static let shortestWake = Milliseconds(1)

  private let clock: any HostClock
  private var machine = SignInSession()
  private var now = Instant(.min)
  private var wakeAt: Instant?
  private var events: [SignInSession.Event] = []
  private var isDelivering = false

  var carryOut: (SignInSession.Command) -> Void = { _ in }
  /// Sees each event with the commands that it caused, and the wake that it asked for. For tests.
  var observer: ((SignInSession.Event, [SignInSession.Command], _ wake: Instant?) -> Void)?

  init(clock: any HostClock) { self.clock = clock }

  func report(_ event: SignInSession.Event) {
    events.append(event)
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while !events.isEmpty { deliver(events.removeFirst()) }
  }

  private func deliver(_ event: SignInSession.Event) {
    now = max(now, clock.now)
    var commands: [SignInSession.Command] = []
    machine.handle(event, at: now) { commands.append($0) }
    if case .woke = event { wakeAt = nil }
    var wake: Instant?
    if let next = machine.nextWake, next != wakeAt {
      wakeAt = next
      let time = max(next, now + Self.shortestWake)
      wake = time
      clock.wake(at: time) { [weak self] in self?.report(.woke) }
    }
    observer?(event, commands, wake)
    for command in commands { carryOut(command) }
  }
}
