internal import Contract
internal import Features
internal import Platform

extension FeedStore {
  /// Of single clips; pages of the feed are the gateway's, which keeps the first ones ready. `clipOfUpload`:
  /// which clip an upload became, and whether it was made for it.
  func endpoints(
    sealing: any ClipSealing,
    clipOfUpload: @escaping @Sendable (String) async throws -> (clipID: String, isOwn: Bool)
  ) -> [Endpoint] {
    [
      Endpoint(reading: "clip") { call in
        try await shown(call.id, forOwner: false, to: call.viewer, sealing)
      },
      Endpoint(reading: "clipOfUpload") { call in
        let made = try await clipOfUpload(call.id)
        return try await shown(made.clipID, forOwner: made.isOwn, to: call.viewer, sealing)
      },
    ] + restrictedEndpoints
  }

  /// The clip with what this viewer may do to it: where guests may not comment, accounts may. Nobody can on a
  /// private clip.
  private func shown(
    _ id: String, forOwner isOwner: Bool, to viewer: Viewer?, _ sealing: any ClipSealing
  ) async throws -> Clip {
    var clip = try await sealing.sealed(
      clip(id: id, forOwner: isOwner, for: viewer?.id), forOwner: isOwner)
    clip.openComments(to: viewer)
    return clip
  }
}
