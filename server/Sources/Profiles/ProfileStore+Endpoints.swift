internal import Contract
public import Features
internal import Platform

extension ProfileStore {
  public var feature: Feature {
    // A profile goes with its author, in the same transaction.
    Feature(
      endpoints: endpoints, jobs: [], periodicTasks: [], merging: nil, erasing: nil, exporting: self)
  }

  private var endpoints: [Endpoint] {
    [
      Endpoint(reading: "profile") { try await profile($0.id, for: $0.viewer?.id) },
      Endpoint(reading: "profileClips") { call in
        let place = try call.page()
        var page = try await clips(
          of: call.id, cursor: place.cursor, limit: place.limit, for: call.viewer?.id)
        page.openComments(to: call.viewer)
        return page
      },
      Endpoint(reading: "profileFollowers") { try await people(.followers, $0) },
      Endpoint(reading: "profileFollowing") { try await people(.following, $0) },
      Endpoint("changeProfile") { call in
        try await change(try await call.body(ProfileChange.self), of: try call.account().id)
      },
    ]
  }

  private func people(_ side: Side, _ call: Call) async throws -> FoundPersonPage {
    let place = try call.page()
    return try await people(
      side, of: call.id, matching: call.query("q") ?? "", cursor: place.cursor, limit: place.limit,
      for: call.viewer?.id)
  }
}
