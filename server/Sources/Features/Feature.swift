public import Platform

/// What a feature plugs into an instance. The composition root has one line for it; whatever goes over all
/// features reads it here: the gateway, the worker, the periodic tasks, a sign-in with which a guest becomes
/// an account, the deletion of an account, and what an account takes along.
///
/// Nothing has a default: a feature that has none of something says so where one can see it. Its migrations
/// are not in it, since they are needed before there is a database to make the feature with.
public struct Feature: Sendable {
  public let endpoints: [Endpoint]
  /// What a worker of the instance does for it.
  public let jobs: [any JobHandler]
  public let periodicTasks: [PeriodicTask]
  /// Nil: it keeps nothing of guests.
  public let merging: (any ViewerMerging)?
  /// Nil: it keeps nothing of accounts.
  public let erasing: (any ViewerErasing)?
  /// Nil: it names no person.
  public let exporting: (any ViewerExporting)?

  public init(
    endpoints: [Endpoint], jobs: [any JobHandler], periodicTasks: [PeriodicTask],
    merging: (any ViewerMerging)?, erasing: (any ViewerErasing)?, exporting: (any ViewerExporting)?
  ) {
    self.endpoints = endpoints
    self.jobs = jobs
    self.periodicTasks = periodicTasks
    self.merging = merging
    self.erasing = erasing
    self.exporting = exporting
  }
}
