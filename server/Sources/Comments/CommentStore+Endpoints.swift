internal import Contract
internal import Features
internal import Platform

extension CommentStore {
  var endpoints: [Endpoint] {
    [
      Endpoint(reading: "comments") { call in
        let place = try call.page()
        let order = call.query("order").flatMap(CommentOrder.init(rawValue:)) ?? .newest
        return try await page(
          of: call.id, order, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
      },
      Endpoint(reading: "comment") { try await comment($0.id, for: $0.viewer?.id) },
      Endpoint(reading: "replies") { call in
        let place = try call.page()
        return try await replies(
          to: call.id, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
      },
      Endpoint("addComment") { call in
        let key = try call.idempotencyKey()
        let comment = try await call.body(NewComment.self)
        let viewer = call.writer()
        if try await isNew(viewer) { try await call.take(SiteRules.newcomers) }
        return try await add(
          comment.text, to: call.id, replyTo: comment.replyTo, by: viewer.accountID, guest: viewer.id,
          idempotencyKey: key, isLearned: !call.wantsNoTraces)
      },
      Endpoint("react") { call in
        let key = try call.idempotencyKeyIfAny()
        let reaction = try await call.body(NewReaction.self).reaction
        let viewer = call.writer()
        return try await react(
          reaction, to: call.id, by: viewer.accountID, guest: viewer.id, idempotencyKey: key)
      },
      Endpoint("likeComment") { try await like($0.id, by: $0.writer().id) },
      // Who is nobody yet has nothing to take back or to pin, and becomes nobody's guest by trying.
      Endpoint("unlikeComment") { try await unlike($0.id, by: $0.viewer?.id ?? "") },
      Endpoint("pinComment") { try await pin($0.id, by: $0.viewer?.id ?? "") },
      Endpoint("unpinComment") { try await unpin($0.id, by: $0.viewer?.id ?? "") },
      Endpoint(reading: "commentFilters") { try await filters(of: try $0.account().id) },
      Endpoint("changeCommentFilters") { call in
        let filters = try await call.body(CommentFilters.self)
        return try await change(filters, of: try call.account().id)
      },
      Endpoint(reading: "heldComments") { call in
        let place = try call.page()
        return try await held(for: try call.account().id, cursor: place.cursor, limit: place.limit)
      },
      Endpoint("approveComment") { try await approve($0.id, by: try $0.account().id) },
      Endpoint(doing: "deleteComment") { try await delete($0.id, by: $0.viewer?.id) },
    ]
  }

  private func isNew(_ viewer: Viewer) async throws -> Bool {
    guard siteRules.newcomerHours > 0 else { return false }
    return try await database.read {
      try siteRules.isNew(viewer.id, isGuest: viewer.isGuest, at: time, in: $0)
    }
  }
}
