public import Accounts
internal import Exports
public import Features
internal import Generation
public import Maintenance
internal import Notifications
public import Platform
internal import Recommendations
internal import Social
internal import Transcoding
public import Uploads
internal import Videos

/// What runs by itself, wired with what this instance is made of.
extension Instance {
  /// What an hour-old blob is needed for, see `BlobSweep`. Counts what was removed.
  public func sweep(at time: any TimeSource = SystemTime()) async throws -> (media: Int, sources: Int) {
    let tasks = features(FeatureContext(self, time: time)).flatMap(\.periodicTasks)
    return try await Sweep(
      workFolder: workFolder, media: { try await sweepMedia(at: time) },
      sources: { try await sweepSources(at: time) },
      staleUploads: StaleUploads(in: [media, sources], time: self.time), tasks: tasks,
      secondLook: secondLook(at: time)
    ).run()
  }

  /// What features want done again and again. `accounts`: whose upkeep belongs to it; nil: a worker's alone.
  public func periodicTasks(
    rules: UploadRules = UploadRules(), accounts: Accounts? = nil
  ) -> [PeriodicTask] {
    features(FeatureContext(self, rules: rules, accounts: accounts)).flatMap(\.periodicTasks)
      + (siteRules.followsFile
        ? [
          PeriodicTask(
            .servers(every: .seconds(5)),
            failure: "the list of words cannot be taken, so the one from before counts"
          ) { [siteRules] in try siteRules.renew() }
        ] : [])
  }

  public var hourlySweep: HourlySweep {
    HourlySweep(database: database, time: time) { _ = try await sweep() }
  }

  func secondLook(at time: any TimeSource) -> ErasureSecondLook {
    ErasureSecondLook(database: database, time: time, erasing: viewerErasing(time)) { gone in
      try await social(on: database).forget(clips: gone, in: database)
      try await database.write { try announcements(time: time).forget(clips: gone, in: $0) }
    }
  }

  private func sweepMedia(at time: any TimeSource) async throws -> Int {
    try await clips.blobs.learn(from: media)
    let removed = try await BlobSweep(media, time: time) { [clips, database] names, sinceMs in
      let pictures = try await database.read {
        try AuthorStore.pictures(among: names, since: sinceMs, in: $0)
          .union(try Generations.pictures(among: names, in: $0))
      }
      return try await clips.blobs.inUse(names, since: sinceMs).union(pictures)
    }.run()
    let graceMs = time.nowMs - BlobSweep.graceMs
    try await clips.blobs.forget(unusedBefore: graceMs)
    try await database.write { try AuthorStore.forgetPictures(replacedBefore: graceMs, in: $0) }
    return removed
  }

  private func sweepSources(at time: any TimeSource) async throws -> Int {
    let uploads = uploads(UploadRules(), time: time)
    let exports = exports(time: time)
    return try await BlobSweep(sources, time: time) { [queue, ranking] names, _ in
      // NB: in this order. An upload that becomes a job in between is in the second answer.
      let joined = try await uploads.joinedSources()
      let snapshots = try await ranking.snapshots.inUse()
      let archives = try await exports.inUse()
      let needed = try await queue.payloads(
        of: TranscodeHandler.kind, neededSince: time.nowMs - Sweep.keptForRetryMs
      ).union(joined).union(snapshots).union(archives)
      return Set(names.filter { needed.contains($0.hash) })
    }.run()
  }
}
