internal import Contract
internal import Features
internal import Platform

extension Uploads {
  /// What is asked about clips by their uploads. Bytes come in the words of three protocols, which are the
  /// gateway's.
  func endpoints(sealing: any ClipSealing) -> [Endpoint] {
    [
      // Somebody who has done nothing yet has nothing here.
      Endpoint(reading: "ownClips") { call in
        let place = try call.page()
        guard let viewer = call.viewer?.id else { return OwnClipPage(items: [], nextCursor: nil) }
        var page = try await ownClips(of: viewer, cursor: place.cursor, limit: place.limit)
        for index in page.items.indices { page.items[index] = try await sealing.sealed(page.items[index]) }
        return page
      },
      Endpoint("deleteClip") { call in
        try await requireOwner(of: call.id, call.viewer)
        return try await changed(try await removeClip(of: call.id), sealing)
      },
      Endpoint("restoreClip") { call in
        try await requireOwner(of: call.id, call.viewer)
        return try await changed(try await restoreClip(of: call.id), sealing)
      },
    ]
  }

  private func changed(_ clip: OwnClip, _ sealing: any ClipSealing) async throws -> OwnClip {
    sealing.visibilityChanged()
    return try await sealing.sealed(clip)
  }
}
