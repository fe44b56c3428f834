public import Features
public import Foundation

/// Removes what nothing refers to any more, and what belongs to somebody who is gone.
public struct Sweep: Sendable {
  /// How long the source of a failed job waits for an operator.
  public static let keptForRetryMs: Int64 = 7 * 24 * 3_600_000

  private let workFolder: URL
  private let media: @Sendable () async throws -> Int
  private let sources: @Sendable () async throws -> Int
  private let staleUploads: StaleUploads
  private let tasks: [PeriodicTask]
  private let secondLook: ErasureSecondLook

  /// `media`, `sources`: remove blobs that nothing needs, and count them. `tasks`: those of features, of
  /// which the hourly ones are done.
  public init(
    workFolder: URL, media: @escaping @Sendable () async throws -> Int,
    sources: @escaping @Sendable () async throws -> Int, staleUploads: StaleUploads, tasks: [PeriodicTask],
    secondLook: ErasureSecondLook
  ) {
    self.workFolder = workFolder
    self.media = media
    self.sources = sources
    self.staleUploads = staleUploads
    self.tasks = tasks
    self.secondLook = secondLook
  }

  /// Counts the blobs that were removed. A task of a feature that fails holds up no other, and is thrown at
  /// the end.
  public func run() async throws -> (media: Int, sources: Int) {
    WorkFolder.sweep(workFolder)
    let ofMedia = try await media()
    let ofSources = try await sources()
    await staleUploads.abort()
    var failure: (any Error)?
    for task in tasks where task.schedule == .hourly {
      do {
        try await task.work()
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        PeriodicTasks.log(task, error)
        failure = error
      }
    }
    try await secondLook.run()
    if let failure { throw failure }
    return (ofMedia, ofSources)
  }
}
