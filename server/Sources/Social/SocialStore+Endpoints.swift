internal import Contract
internal import Features
internal import Platform

extension SocialStore {
  func endpoints(sealing: any ClipSealing) -> [Endpoint] {
    [
      Endpoint("like") { try await like($0.id, by: $0.writer().id, isLearned: !$0.wantsNoTraces) },
      Endpoint("bookmark") {
        try await bookmark($0.id, by: $0.writer().id, isLearned: !$0.wantsNoTraces)
      },
      Endpoint("follow") { try await follow($0.id, by: $0.writer().id, isLearned: !$0.wantsNoTraces) },
      Endpoint("block") { try await block($0.id, by: $0.writer().id) },
      // Who is nobody yet has nothing to take back, and becomes nobody's guest by trying.
      Endpoint("unlike") { try await unlike($0.id, by: $0.viewer?.id ?? "") },
      Endpoint("unbookmark") { try await unbookmark($0.id, by: $0.viewer?.id ?? "") },
      Endpoint("unfollow") { try await unfollow($0.id, by: $0.viewer?.id ?? "") },
      Endpoint("unblock") { try await unblock($0.id, by: $0.viewer?.id ?? "") },
      Endpoint("share") { call in
        let key = try call.idempotencyKey()
        return try await share(
          call.id, by: call.writer().id, idempotencyKey: key, isLearned: !call.wantsNoTraces)
      },
      Endpoint(reading: "likes") { try await clips(of: $0, sealing, likes) },
      Endpoint(reading: "bookmarks") { try await clips(of: $0, sealing, bookmarks) },
      Endpoint(reading: "following") { try await authors(of: $0, following) },
      Endpoint(reading: "blocks") { try await authors(of: $0, blocks) },
    ]
  }

  /// Somebody who has done nothing yet has an empty list. Clips that are not public are in it for whoever had
  /// their link.
  private func clips(
    of call: Call, _ sealing: any ClipSealing,
    _ list: (String, String?, Int) async throws -> FeedPage
  ) async throws -> FeedPage {
    let place = try call.page()
    guard let viewer = call.viewer else { return FeedPage(items: [], nextCursor: nil) }
    var page = try await list(viewer.id, place.cursor, place.limit)
    for index in page.items.indices where page.items[index].visibility != nil {
      page.items[index] = try await sealing.sealed(page.items[index], forOwner: false)
    }
    return page
  }

  private func authors(
    of call: Call, _ list: (String, String?, Int) async throws -> AuthorPage
  ) async throws -> AuthorPage {
    let place = try call.page()
    guard let viewer = call.viewer else { return AuthorPage(items: [], nextCursor: nil) }
    return try await list(viewer.id, place.cursor, place.limit)
  }
}
