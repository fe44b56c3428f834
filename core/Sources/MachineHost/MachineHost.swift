public import CoreTypes
import Wire

/// What a host of its own needs of a machine.
///
/// Invariants: time never runs backwards for the machine; a `wake` is asked for whenever its deadline
/// changes, never for a time that has passed.
public protocol HostedMachine {
  init()
  var nextWake: Instant? { get }
  /// The commands of one event appended as rows; `false` if the event is malformed.
  mutating func handle(_ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64])
    -> Bool
}

/// Hosts one machine: its clock, and the `wake` that it asks for.
public struct MachineHost<Machine: HostedMachine> {
  /// As in a session: no host is woken sooner than this.
  private static var shortestWake: Milliseconds { Milliseconds(1) }
  /// The number of `wake`, which is the session's.
  private static var wakeKind: Int64 { 34 }
  private static var wokeKind: Int64 { 50 }

  private var machine = Machine()
  private var now = Instant(.min)
  private var wakeAt: Instant?

  public init() {}

  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at time: Instant, into words: inout [Int64]
  ) -> Bool {
    let latest = max(now, time)
    guard machine.handle(event, at: latest, into: &words) else { return false }
    now = latest
    if event.first == Self.wokeKind { wakeAt = nil }
    if let wake = machine.nextWake, wake != wakeAt {
      wakeAt = wake
      words.row(Self.wakeKind, max(wake, now + Self.shortestWake).rawValue)
    }
    return true
  }
}
