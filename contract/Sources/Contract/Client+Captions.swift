public import Foundation

/// Captions of one's own clip, by the upload with which it came: a secret.
extension Client {
  public func captions(ofUpload id: String) async throws -> CaptionList {
    try await get(Route.captions.path(id))
  }

  /// A file of WebVTT or SubRip, in the place of what the clip has in this language. `type` is its media
  /// type; the content decides which of the two it is.
  public func putCaptions(
    _ file: Data, type: String, language: String, ofUpload id: String
  ) async throws -> CaptionTrack {
    try await answer(
      to: WireRequest(
        "PUT", Route.captionsOfLanguage.path(id, language), headers: ["content-type": type], body: file))
  }

  public func removeCaptions(language: String, ofUpload id: String) async throws {
    try await send(WireRequest("DELETE", Route.captionsOfLanguage.path(id, language)))
  }
}
