internal import Contract
public import Features
public import Platform

/// What captions need of uploads, whose ids are their owners' secrets. Each throws `upload_not_found` and
/// `upload_expired`.
public protocol CaptionedUploads: Sendable {
  /// The clip that an upload has become, or becomes now. Throws `captions_need_a_clip` if there is none, and
  /// `clip_not_yours` if it was somebody else's before.
  func captionedClip(of id: String) async throws -> String
  /// Throws `sign_in_needed` and `upload_not_found` for who may not change it.
  func requireOwner(of id: String, _ viewer: Viewer?) async throws
}

extension Captions {
  public func endpoints(_ uploads: any CaptionedUploads) -> [Endpoint] {
    [
      Endpoint(reading: "captions") { call in
        CaptionList(items: try await list(of: try await uploads.captionedClip(of: call.id)))
      },
      // The content decides which of the two formats it is.
      Endpoint("putCaptions") { call in
        try await uploads.requireOwner(of: call.id, call.viewer)
        let file = try await call.bytes(atMost: Limits.captionsBytes, else: .captionsTooLarge)
        return try await put(
          file, to: try await uploads.captionedClip(of: call.id), language: call.values.last ?? "",
          label: call.query("label"))
      },
      Endpoint(doing: "removeCaptions") { call in
        try await uploads.requireOwner(of: call.id, call.viewer)
        try await remove(call.values.last ?? "", of: try await uploads.captionedClip(of: call.id))
      },
    ]
  }
}
