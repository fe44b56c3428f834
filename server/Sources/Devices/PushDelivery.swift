internal import Contract
public import CoreMetrics
public import Logging
internal import Platform
internal import Synchronization

/// Sends what waits, as long as the process runs. Any number of processes may do it at the same time.
///
/// Each notice goes out at least once: what a killed process had taken is due again when its lease is over,
/// and takes the place of the same one on the device.
public final class PushDelivery: Sendable {
  /// Requests under way at the same time: they share one connection.
  static let atOnce = 32
  static let batch = 100
  private static let pauseMs: Int64 = 30_000

  private let store: DeviceStore
  private let sender: any PushSending
  private let outcomes: @Sendable (_ outcome: String) -> Void
  private let logger: Logger
  /// Before it nothing is sent to devices of that service: it said so.
  private let pausedUntilMs = Mutex<[PushTarget.Service: Int64]>([:])
  /// Before it nothing is sent to that device, by its id: it took no more.
  private let heldUntilMs = Mutex<[String: Int64]>([:])

  public init(
    _ store: DeviceStore, by sender: any PushSending,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance,
    logger: Logger = Logger(label: "clipfeed.push")
  ) {
    self.store = store
    self.sender = sender
    self.logger = logger
    outcomes = { outcome in
      CoreMetrics.Counter(
        label: "clipfeed_push_notifications_total", dimensions: [("outcome", outcome)], factory: metrics
      ).increment()
    }
  }

  /// Until it is cancelled. `lookEvery`: what other processes wrote down is found by looking.
  public func run(lookEvery: Duration = .seconds(2)) async {
    let signal = store.signal
    await withTaskGroup { group in
      group.addTask {
        while !Task.isCancelled {
          signal.raise()
          try? await Task.sleep(for: lookEvery)
        }
      }
      group.addTask { [self] in
        var failed = false
        for await _ in signal.stream {
          do {
            try await sendDue()
            failed = false
          } catch is CancellationError {
            return
          } catch {
            if !failed { logger.warning("notifications cannot be sent now", metadata: ["error": "\(error)"]) }
            failed = true
          }
        }
      }
    }
  }

  /// Everything that is due now.
  public func sendDue() async throws {
    while true {
      let taken = try await store.take(Self.batch)
      guard !taken.isEmpty else { return }
      // NB: a group that throws would cancel the requests beside the one that failed, and those would go out
      // twice.
      let failure = await withTaskGroup(of: (any Error)?.self, returning: (any Error)?.self) { group in
        var first: (any Error)?
        for (place, due) in taken.enumerated() {
          if place >= Self.atOnce, let ended = await group.next() { first = first ?? ended }
          let isStarted = group.addTaskUnlessCancelled { [self] in await attempt(due) }
          if !isStarted { break }
        }
        for await ended in group { first = first ?? ended }
        return first
      }
      try Task.checkCancellation()
      if let failure { throw failure }
    }
  }

  /// Why it could not be sent; nil: it is settled.
  private func attempt(_ due: DeviceStore.Due) async -> (any Error)? {
    do {
      try await send(due)
      return nil
    } catch { return error }
  }

  private func send(_ due: DeviceStore.Due) async throws {
    // What was taken beside the one that was put off, and what is new since.
    let held = (heldUntilMs.withLock { $0[due.deviceID] } ?? 0) - store.time.nowMs
    guard held <= 0 else { return try await store.giveBack(due, afterMs: held + DeviceStore.headwayMs) }
    guard let (notification, target) = try await store.compose(due) else {
      outcomes("needless")
      return try await store.finish(due, wasTold: false)
    }
    // NB: given back until then, so that `sendDue` comes to an end, and the other service is not held up.
    let paused = pausedUntilMs.withLock { $0[target.service] ?? 0 } - store.time.nowMs
    guard paused <= 0 else { return try await store.giveBack(due, afterMs: paused) }
    let outcome = await sender.send(notification, to: target)
    // NB: a process that is told to stop knows nothing of what became of it; the lease ends, and another
    // sends it again.
    try Task.checkCancellation()
    switch outcome {
    case .taken:
      outcomes("taken")
      try await store.finish(due, wasTold: true)
    case .gone(let sinceMs):
      outcomes("gone")
      if try await store.forget(target.id, token: target.token, goneSinceMs: sinceMs) {
        logger.info("a device is gone", metadata: ["device": "\(target.id)"])
      } else {
        try await postpone(due, afterMs: nil)
      }
    case .refused(let reason):
      outcomes("refused")
      logger.error(
        "a notification was refused", metadata: ["device": "\(target.id)", "reason": "\(reason)"])
      try await store.finish(due, wasTold: false)
    case .later(let afterMs):
      outcomes("later")
      try await postpone(due, afterMs: afterMs)
    case .unavailable(let afterMs, let reason):
      outcomes("unavailable")
      let wait = min(max(afterMs ?? Self.pauseMs, 1000), 3_600_000)
      let isNews = pausedUntilMs.withLock { until in
        let known = until[target.service] ?? 0
        until[target.service] = max(known, store.time.nowMs + wait)
        return known <= store.time.nowMs
      }
      if isNews {
        logger.warning(
          "notifications wait", metadata: ["reason": "\(reason)", "seconds": "\(wait / 1000)"])
      }
      try await store.giveBack(due, afterMs: wait)
    }
  }

  private func postpone(_ due: DeviceStore.Due, afterMs: Int64?) async throws {
    let untilMs = try await store.postpone(due, afterMs: afterMs)
    let nowMs = store.time.nowMs
    heldUntilMs.withLock { held in
      // Now and then: there may be tens of thousands.
      if held.count.isMultiple(of: 64) { held = held.filter { $0.value > nowMs } }
      held[due.deviceID] = max(held[due.deviceID] ?? 0, untilMs)
    }
  }
}
