internal import Contract
public import Features
public import Platform

extension ProfileStore {
  public func feature(portraits: Portraits, sealing: any ClipSealing) -> Feature {
    // A profile goes with its author, in the same transaction; a picture too.
    Feature(
      endpoints: endpoints + pictureEndpoints(portraits, sealing), jobs: [], periodicTasks: [], merging: nil,
      erasing: nil, exporting: self)
  }

  private var endpoints: [Endpoint] {
    [
      Endpoint(reading: "profile") { try await profile($0.id, for: $0.viewer?.id) },
      Endpoint(readingClips: "profileClips") { call in
        try await page(of: call) { try await clips(of: call.id, cursor: $0, limit: $1, for: $2) }
      },
      Endpoint(readingClips: "profileLikes") { call in
        try await page(of: call) { try await likes(of: call.id, cursor: $0, limit: $1, for: $2) }
      },
      Endpoint(reading: "profileFollowers") { try await people(.followers, $0) },
      Endpoint(reading: "profileFollowing") { try await people(.following, $0) },
      Endpoint("changeProfile") { call in
        try await change(try await call.body(ProfileChange.self), of: try call.account().id)
      },
    ]
  }

  private func pictureEndpoints(_ portraits: Portraits, _ sealing: any ClipSealing) -> [Endpoint] {
    [
      // The content decides which of the kinds it is.
      Endpoint("putPicture") { call in
        let account = try call.account().id
        func part(_ name: String) -> Double? { call.query(name).flatMap { Double($0) } }
        let crop = PictureCrop(x: part("crop_x"), y: part("crop_y"), size: part("crop_size") ?? 1)
        let file = try await call.bytes(atMost: Limits.pictureBytes, else: .pictureTooLarge)
        let author = try await portraits.put(file, crop: crop, of: account)
        sealing.visibilityChanged()
        return author
      },
      Endpoint(doing: "removePicture") { call in
        try await portraits.remove(of: try call.account().id)
        sealing.visibilityChanged()
      },
    ]
  }

  private func page(
    of call: Call, _ list: (String?, Int, String?) async throws -> EncodedFeedPage
  ) async throws -> EncodedFeedPage {
    let place = try call.page()
    return try await list(place.cursor, place.limit, call.viewer?.id)
  }

  private func people(_ side: Side, _ call: Call) async throws -> FoundPersonPage {
    let place = try call.page()
    return try await people(
      side, of: call.id, matching: call.query("q") ?? "", cursor: place.cursor, limit: place.limit,
      for: call.viewer?.id)
  }
}
