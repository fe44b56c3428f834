internal import Contract
internal import Features
internal import Platform

extension VideosDialect {
  /// What is wrong with the picture is wrong with the dialect's own field.
  private static func named(_ error: AppError) -> AppError {
    let ofPictures: [ErrorCode] = [.pictureUnreadable, .pictureTooLarge, .pictureNotFound]
    guard error.field == "picture_id" || ofPictures.contains(error.code) else { return error }
    return AppError(error.code, error.message, field: "input_reference")
  }

  var endpoints: [Endpoint] {
    [
      Endpoint("createVideo") { call in
        let key = try call.idempotencyKeyIfAny() ?? SecretToken.make()
        let fields = try await DialectFields.read(call, withPicture: true)
        let wish = try VideoWish(fields, lengths: jobs.secondsOffered)
        do {
          return DialectVideo(
            try await jobs.request(
              wish.generation, startingFrom: wish.picture, by: try call.account().id, idempotencyKey: key))
        } catch let error as AppError where wish.picture != nil {
          throw Self.named(error)
        }
      },
      Endpoint(reading: "videos") { call in
        let page = try await jobs.list(
          of: try call.account().id, after: try call.query("after").map(VideoID.read),
          limit: call.query("limit").flatMap { SafeInteger.read($0) } ?? Limits.defaultDialectPageSize,
          ascending: call.query("order") == "asc")
        return DialectPage(data: page.items.map(DialectVideo.init), hasMore: page.hasMore)
      },
      Endpoint(reading: "video") { call in
        DialectVideo(try await jobs.generation(try VideoID.read(call.id), of: try call.account().id))
      },
      Endpoint(delivering: "videoContent") { call in
        let video = try await jobs.generation(try VideoID.read(call.id), of: try call.account().id)
        guard video.state.isOver else { throw AppError(.clipNotReady) }
        guard let clip = video.clipId else { throw AppError(.clipNotFound) }
        return try await media.medium(
          call.query("variant").flatMap(VideoVariant.init) ?? .video, of: clip)
      },
      Endpoint("deleteVideo") { call in
        let (id, account) = (try VideoID.read(call.id), try call.account().id)
        try await jobs.end(id, by: account)
        // One that was under way is cancelled now, and still in the list.
        do {
          try await jobs.end(id, by: account)
        } catch let error as AppError where error.code == .generationNotFound {}
        return DeletedVideo(id: call.id)
      },
      Endpoint("remixVideo") { call in
        let key = try call.idempotencyKeyIfAny() ?? SecretToken.make()
        let prompt = try await DialectFields.read(call).prompt()
        return DialectVideo(
          try await jobs.refine(
            try VideoID.read(call.id), prompt: prompt, by: try call.account().id, idempotencyKey: key))
      },
    ]
  }
}
