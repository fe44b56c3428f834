public import CoreMetrics
public import NIOCore
internal import Synchronization

/// How late event loops do what they are to do at a time. Whatever holds a loop holds everybody's requests on
/// it up: it shows here, short by what it ran before the next tick at most.
public struct LoopDelays: Sendable {
  /// Between two ticks of a loop. Cheap enough for an instance that is looked at; without metrics there are
  /// none.
  static let interval = TimeAmount.milliseconds(10)

  private let delay: Timer
  private let longest: Recorder

  public init(_ factory: any MetricsFactory) {
    delay = Timer(label: "clipfeed_loop_delay_seconds", preferredDisplayUnit: .seconds, factory: factory)
    longest = Recorder(label: "clipfeed_loop_delay_max_seconds", aggregate: false, factory: factory)
  }

  /// Until the end of what is returned.
  public func watch(_ group: any EventLoopGroup) -> Watch {
    let watch = Watch()
    for loop in group.makeIterator() { tick(on: loop, watch) }
    return watch
  }

  private func tick(on loop: any EventLoop, _ watch: Watch) {
    let due = NIODeadline.now() + Self.interval
    loop.scheduleTask(deadline: due) {
      let late = max(.zero, .now() - due)
      delay.recordNanoseconds(late.nanoseconds)
      longest.record(Double(late.nanoseconds) / 1e9)
      if !watch.isOver { tick(on: loop, watch) }
    }
  }

  public final class Watch: Sendable {
    private let over = Atomic(false)

    fileprivate var isOver: Bool { over.load(ordering: .relaxed) }

    public func end() { over.store(true, ordering: .relaxed) }
  }
}
