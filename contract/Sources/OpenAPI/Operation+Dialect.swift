internal import Contract

extension Operation {
  private static let askingCodes: [ErrorCode] = [
    .promptEmpty, .promptTooLong, .contentPolicy, .insufficientCredits, .generationsUnderWay,
    .generationUnavailable, .generationNotPossible, .generationNotFound, .clipNotFound,
    .idempotencyKeyReused, .invalidParameter, .bodyTooLarge, .contentTypeUnsupported,
    .pictureUnreadable, .pictureTooLarge, .pictureNotFound, .storageFull,
  ]
  private static let dialectKey = Parameter.idempotencyKey(
    "The same again answers with the same one.", isRequired: false)

  /// Videos from words as OpenAI's API has them: who may ask, how often, what stands in the query. Whoever
  /// made the dialect describes it, so it is in no document of ours.
  static let dialect: [Operation] =
    spoken(
      "videos", .videos, "The account's videos.",
      parameters: [
        .query("after", .string, Note(spelling: Note.id)),
        .query("limit", .integer, Note(range: Limits.dialectPageSize)),
        .query("order", .choice(name: "", of: ["asc", "desc"])),
      ], codes: [.generationNotFound])
    + [
      Operation(
        id: "createVideo", route: .videos, method: "POST", tag: "videos", summary: "Has one made.",
        parameters: [dialectKey], bodies: Body.bytes("application/json", "multipart/form-data"),
        answers: [.empty(200, "It waits for its turn.")], codes: askingCodes, access: .key(.writeVideos),
        limit: .caller(.generations))
    ]
    + spoken("video", .video, "How far one is.", codes: [.generationNotFound])
    + [
      Operation(
        id: "deleteVideo", route: .video, method: "DELETE", tag: "videos",
        summary: "Cancels one that is under way, and takes it out of the list.",
        answers: [.empty(200, "It is gone.")], codes: [.generationNotFound], access: .key(.writeVideos),
        limit: .caller(.marks))
    ]
    + spoken(
      "videoContent", .videoContent, "Its file, or a picture of it.",
      parameters: [.query("variant", .choice(name: "", of: ["video", "thumbnail", "spritesheet"]))],
      codes: [.generationNotFound, .clipNotReady, .clipNotFound, .mediaNotFound, .rangeNotSatisfiable])
    + [
      Operation(
        id: "remixVideo", route: .videoRemix, method: "POST", tag: "videos",
        summary: "Has the same made with another prompt.",
        parameters: [dialectKey], bodies: Body.bytes("application/json", "multipart/form-data"),
        answers: [.empty(200, "It waits for its turn.")], codes: askingCodes, access: .key(.writeVideos),
        limit: .caller(.generations))
    ]

  /// GET, and HEAD of the same.
  private static func spoken(
    _ id: String, _ route: Route, _ summary: String, parameters: [Parameter] = [], codes: [ErrorCode]
  ) -> [Operation] {
    let upper = id.prefix(1).uppercased() + id.dropFirst()
    return ["GET", "HEAD"].map { method in
      Operation(
        id: "\(method.lowercased())\(upper)", route: route, method: method, tag: "videos", summary: summary,
        parameters: parameters, answers: [.empty(200, "The answer.")], codes: codes,
        access: .key(.readVideos))
    }
  }
}
