internal import Foundation
internal import Logging
public import Platform
public import ServiceLifecycle

/// Sweeps every hour, as long as the process runs; of several processes on the same data one does it.
public struct HourlySweep: Service {
  private static let sweptAt = "swept_at_ms"

  private let database: any Database
  private let time: any TimeSource
  private let sweep: @Sendable () async throws -> Void

  public init(
    database: any Database, time: any TimeSource, sweep: @escaping @Sendable () async throws -> Void
  ) {
    self.database = database
    self.time = time
    self.sweep = sweep
  }

  public func run() async throws {
    await cancelWhenGracefulShutdown { try? await keepSweeping() }
  }

  /// Until the task is cancelled.
  public func keepSweeping() async throws {
    let logger = Logger(label: "clipfeed.sweep")
    while true {
      do {
        if try await isDue() { try await sweep() }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        logger.error("cannot sweep", metadata: ["error": "\(error)"])
      }
      try await Task.sleep(for: .milliseconds(BlobSweep.graceMs))
    }
  }

  /// True for one caller an hour: look and mark share a transaction and a lock.
  func isDue() async throws -> Bool {
    let now = time.nowMs
    return try await database.write { transaction in
      try transaction.lock(Self.sweptAt)
      let last = try Settings.value(Self.sweptAt, in: transaction).flatMap { Int64($0, radix: 10) } ?? 0
      // A little less than an hour, so that the one who swept last is due again after its pause. A mark that
      // lies as far ahead is of a clock that was wrong; those of several machines differ by less.
      let pauseMs = BlobSweep.graceMs * 9 / 10
      guard last <= now - pauseMs || last >= now + pauseMs else { return false }
      try Settings.set(Self.sweptAt, to: "\(now)", in: transaction)
      return true
    }
  }
}
