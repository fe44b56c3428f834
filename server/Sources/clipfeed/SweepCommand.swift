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
      let rows = try transaction.query("SELECT value FROM settings WHERE name = ?", [.text(setting)])
      let last = try rows.first.flatMap { Int64(try $0.text("value"), radix: 10) } ?? 0
      // A little less than an hour, so that the one who swept last is due again after its pause.
      guard now - last >= BlobSweep.graceMs * 9 / 10 else { return false }
      try transaction.execute(
        """
        INSERT INTO settings (name, value) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """, [.text(setting), .text("\(now)")])
      return true
    }
  }
}
