public import Composer
import ComposerWire
public import CoreTypes
public import MachineHost
public import Recording

extension Composer: HostedMachine {
  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64]
  ) -> Bool {
    guard let event = Event(words: event) else { return false }
    handle(event, at: now) { $0.append(to: &words) }
    return true
  }
}

extension Recording: HostedMachine {
  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64]
  ) -> Bool {
    guard let event = Event(words: event) else { return false }
    handle(event, at: now) { $0.append(to: &words) }
    return true
  }
}
