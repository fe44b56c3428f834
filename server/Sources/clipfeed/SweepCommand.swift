internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Platform

/// `serve` and `work` sweep by themselves; the command is for operators who want the room now, or want to see.
struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Removes media and sources that nothing refers to and that are older than an hour.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let removed = try await options.open().sweep()
    Console.say("Removed \(removed.media) media files and \(removed.sources) sources.")
  }

  private static let setting = "swept_at_ms"

  /// Sweeps every hour until the task is cancelled; of several processes on the same data one does it.
  static func keepSweeping(_ instance: Instance) async throws {
    let logger = Logger(label: "clipfeed.sweep")
    while true {
      do {
        if try await isDue(instance) { _ = try await instance.sweep() }
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        logger.error("cannot sweep", metadata: ["error": "\(error)"])
      }
      try await Task.sleep(for: .milliseconds(BlobSweep.graceMs))
    }
  }

  /// True for one caller an hour: look and mark share a transaction and a lock.
  private static func isDue(_ instance: Instance) async throws -> Bool {
    let now = instance.time.nowMs
    return try await instance.database.write { transaction in
      try transaction.lock(setting)
      let last = try Settings.value(setting, in: transaction).flatMap { Int64($0, radix: 10) } ?? 0
      // A little less than an hour, so that the one who swept last is due again after its pause.
      guard now - last >= BlobSweep.graceMs * 9 / 10 else { return false }
      try Settings.set(setting, to: "\(now)", in: transaction)
      return true
    }
  }
}
