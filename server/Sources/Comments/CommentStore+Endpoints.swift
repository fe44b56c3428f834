internal import Contract
internal import Features
internal import Platform

extension CommentStore {
  var endpoints: [Endpoint] {
    [
      Endpoint(reading: "comments") { call in
        let place = try call.page()
        return try await page(of: call.id, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
      },
      Endpoint("addComment") { call in
        let key = try call.idempotencyKey()
        let comment = try await call.body(NewComment.self)
        return try await add(
          comment.text, to: call.id, by: call.viewer?.accountID, guest: call.viewer?.id, idempotencyKey: key,
          isLearned: !call.wantsNoTraces)
      },
      Endpoint("react") { call in
        let key = try call.idempotencyKeyIfAny()
        let reaction = try await call.body(NewReaction.self).reaction
        let viewer = call.writer()
        return try await react(
          reaction, to: call.id, by: viewer.accountID, guest: viewer.id, idempotencyKey: key)
      },
    ]
  }
}
