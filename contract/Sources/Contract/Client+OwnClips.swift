/// What whoever asks has uploaded. By the upload's id a clip is changed and deleted, so that is a secret.
extension Client {
  public func ownClips(cursor: String? = nil, limit: Int? = nil) async throws -> OwnClipPage {
    try await page(Route.ownClips.path(), cursor: cursor, limit: limit)
  }

  /// How it does. Throws `clip_not_found` for a clip of somebody else's.
  public func insights(ofClip id: String) async throws -> ClipInsights {
    try await answer(to: WireRequest("GET", Route.clipInsights.path(id)))
  }

  /// What is null in the patch stays as it is.
  public func change(upload id: String, _ patch: ClipDetails) async throws -> UploadStatus {
    try await write(
      "PATCH", patch, to: Route.upload.path(id), headers: ["content-type": "application/merge-patch+json"])
  }

  /// Nobody sees it any more; it can be had back until `removedUntil`.
  public func removeClip(ofUpload id: String) async throws -> OwnClip {
    try await answer(to: WireRequest("DELETE", Route.uploadClip.path(id)))
  }

  public func restoreClip(ofUpload id: String) async throws -> OwnClip {
    try await answer(to: WireRequest("PUT", Route.uploadClip.path(id)))
  }
}
