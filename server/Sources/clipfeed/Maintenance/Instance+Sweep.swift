internal import Features
internal import Foundation
internal import Logging
internal import Platform
internal import Social
internal import Transcoding
internal import Uploads
internal import Videos

/// What nothing refers to any more, and what belongs to somebody who is gone.
extension Instance {
  /// A week: hardly an upload is kept open for longer, and one that is gets new parts.
  static let staleMs: Int64 = 7 * 86_400_000

  /// How long the source of a failed job waits for an operator.
  static let keptForRetryMs: Int64 = 7 * 24 * 3_600_000

  /// What an hour-old blob is needed for, see `BlobSweep`. Counts what was removed.
  func sweep(at time: any TimeSource = SystemTime()) async throws -> (media: Int, sources: Int) {
    WorkFolder.sweep(workFolder)
    try await clips.blobs.learn(from: media)
    let ofMedia = try await BlobSweep(media, time: time) { [clips] in
      try await clips.blobs.inUse($0, since: $1)
    }.run()
    try await clips.blobs.forget(unusedBefore: time.nowMs - BlobSweep.graceMs)
    let uploads = uploads(UploadRules(), time: time)
    let ofSources = try await BlobSweep(sources, time: time) { [queue] names, _ in
      // NB: in this order. An upload that becomes a job in between is in the second answer.
      let joined = try await uploads.joinedSources()
      let needed = try await queue.payloads(
        of: TranscodeHandler.kind, neededSince: time.nowMs - Self.keptForRetryMs
      ).union(joined)
      return Set(names.filter { needed.contains($0.hash) })
    }.run()
    await abortStaleUploads()
    var failure: (any Error)?
    for task in features(FeatureContext(self, time: time)).flatMap(\.periodicTasks)
    where task.schedule == .hourly {
      do {
        try await task.work()
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        PeriodicTasks.log(task, error)
        failure = error
      }
    }
    try await lookAgain(time: time)
    if let failure { throw failure }
    return (ofMedia, ofSources)
  }

  /// Removes what was written about accounts and clips while they were deleted.
  func lookAgain(time: any TimeSource) async throws {
    let erasureLog = ErasureLog(time: time)
    let erasing = viewerErasing(time)
    for viewer in try await database.read({ try erasureLog.due(.viewer, limit: 1000, in: $0) }) {
      try await database.write { transaction in
        try transaction.lock(viewer)
        for feature in erasing { try feature.erase(viewer, in: transaction) }
        try erasureLog.forget(.viewer, viewer, in: transaction)
      }
    }
    let clips = try await database.read { try erasureLog.due(.clip, limit: 200, in: $0) }
    guard !clips.isEmpty else { return }
    try await social(on: database).forget(clips: clips, in: database)
    try await database.write { for clip in clips { try erasureLog.forget(.clip, clip, in: $0) } }
  }

  /// Parts in a bucket that belong to nothing: they cost money and no listing shows them. Folders have none.
  func abortStaleUploads() async {
    let limit = time.nowMs - Self.staleMs
    for case let store as any DirectUploads in [media, sources] {
      do {
        let count = try await store.abortStale(before: limit)
        if count > 0 {
          Logger(label: "clipfeed.storage").notice("stale uploads removed", metadata: ["count": "\(count)"])
        }
      } catch is CancellationError {
        return
      } catch {
        Logger(label: "clipfeed.storage").warning(
          "stale uploads cannot be removed now", metadata: ["error": "\(error)"])
      }
    }
  }
}
