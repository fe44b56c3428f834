public import Features
public import Platform

extension FeedStore {
  /// `clipOfUpload`: which clip an upload became, and whether it was made for it.
  public func feature(
    sealing: any ClipSealing,
    clipOfUpload: @escaping @Sendable (String) async throws -> (clipID: String, isOwn: Bool)
  ) -> Feature {
    Feature(
      endpoints: endpoints(sealing: sealing, clipOfUpload: clipOfUpload), jobs: [], periodicTasks: [],
      merging: self, erasing: self, exporting: self)
  }
}
