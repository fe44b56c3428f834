internal import Foundation
internal import Logging
internal import Platform
internal import ServiceLifecycle

/// Sweeps every hour, as long as the process runs.
struct HourlySweep: Service {
  let instance: Instance

  func run() async throws {
    await cancelWhenGracefulShutdown { try? await instance.keepSweeping() }
  }
}

extension Instance {
  private static let sweptAt = "swept_at_ms"

  /// Sweeps every hour until the task is cancelled; of several processes on the same data one does it.
  func keepSweeping() async throws {
    let logger = Logger(label: "clipfeed.sweep")
    while true {
      do {
        if try await isDueToSweep() { _ = try await sweep() }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        logger.error("cannot sweep", metadata: ["error": "\(error)"])
      }
      try await Task.sleep(for: .milliseconds(BlobSweep.graceMs))
    }
  }

  /// True for one caller an hour: look and mark share a transaction and a lock.
  private func isDueToSweep() async throws -> Bool {
    let now = time.nowMs
    return try await database.write { transaction in
      try transaction.lock(Self.sweptAt)
      let last = try Settings.value(Self.sweptAt, in: transaction).flatMap { Int64($0, radix: 10) } ?? 0
      // A little less than an hour, so that the one who swept last is due again after its pause.
      guard now - last >= BlobSweep.graceMs * 9 / 10 else { return false }
      try Settings.set(Self.sweptAt, to: "\(now)", in: transaction)
      return true
    }
  }
}
