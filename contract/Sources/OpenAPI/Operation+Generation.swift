internal import Contract

extension Operation {
  private static let askingCodes: [ErrorCode] = [
    .promptEmpty, .promptTooLong, .contentPolicy, .insufficientCredits, .generationsUnderWay,
    .generationUnavailable, .generationNotPossible, .generationNotFound, .clipNotFound,
    .pictureNotFound, .idempotencyKeyReused, .invalidParameter,
  ]
  private static let links = Link.byID(
    at: "/id", "getGeneration", "headGeneration", "endGeneration", "refineGeneration", "publishGeneration")

  static let generation: [Operation] =
    reading(
      "generationOffer", .generationOffer, "generation",
      "What can be made from words, for how many credits, and how many are left today.",
      GenerationOffer.self, access: .accounts)
    + reading(
      "generations", .generations, "generation", "What the account had made from words, newest first.",
      GenerationPage.self, parameters: Parameter.page, access: .accounts,
      links: Parameter.next(of: "getGenerations")
        + Link.byID(
          at: "/items/0/id", "getGeneration", "headGeneration", "endGeneration", "refineGeneration",
          "publishGeneration"))
    + [
      Operation(
        id: "generate", route: .generations, method: "POST", tag: "generation",
        summary: "Has a clip made from words.",
        about: """
          Its credits are held from now on; they are spent once its clip is there, and given back if none comes of it. \
          What is made is a private clip, which carries `ai_generated` for ever.
          """,
        parameters: [.idempotencyKey("Chosen anew for each; the same again answers with the same one.")],
        bodies: [.json(NewGeneration.self)],
        answers: [.json(202, "It waits for its turn.", Generation.self, links: links)], codes: askingCodes,
        access: .members, limit: .caller(.generations))
    ]
    + reading(
      "generation", .generation, "generation", "How far one is.", Generation.self,
      codes: [.generationNotFound], access: .accounts, links: links)
    + [
      Operation(
        id: "endGeneration", route: .generation, method: "DELETE", tag: "generation",
        summary: "Cancels one that is under way, or discards one that has ended.",
        about: """
          One that is under way is over, and its credits are given back. One that has ended is in no list any more; its clip \
          goes with it unless it was published, and can be had back for a day as any that is deleted.
          """,
        answers: [.empty(204, "It is over.")], codes: [.generationNotFound], access: .members,
        limit: .caller(.marks)),
      Operation(
        id: "refineGeneration", route: .generationRefinements, method: "POST", tag: "generation",
        summary: "Has the same made with another prompt.",
        parameters: [.idempotencyKey("Chosen anew for each; the same again answers with the same one.")],
        bodies: [.json(GenerationRefinement.self)],
        answers: [.json(202, "A new one, which waits for its turn.", Generation.self, links: links)],
        codes: askingCodes, access: .members, limit: .caller(.generations)),
      Operation(
        id: "publishGeneration", route: .generationPublication, method: "PUT", tag: "generation",
        summary: "Shows the clip of one that is ready.",
        about: "To everybody, unless `visibility` says otherwise. Any number of times is once.",
        bodies: [.json(ClipDetails.self)],
        answers: [.json(200, "As it is now.", Generation.self, links: links)],
        codes: [.generationNotFound, .clipNotReady, .clipNotFound, .textRefused, .invalidParameter],
        access: .members, limit: .caller(.marks)),
    ] + pictures

  private static let shape = Parameter.query(
    "aspect", .choice(name: "", of: GenerationAspect.allCases.map(\.rawValue)),
    Note("The shape of the video that starts from it. Left out: upright."))

  private static let pictures: [Operation] = [
    Operation(
      id: "putGenerationPicture", route: .generationPictures, method: "POST", tag: "generation",
      summary: "Sends a picture that a clip can start from.",
      about: """
        A JPEG, PNG or WebP, which the content decides. It is made anew for each shape, the middle of it that fits, and \
        nothing else is kept: neither place, day nor device. Of one that moves the first frame is taken. Whoever sent it \
        alone sees it. The same bytes again are the same picture; it goes a day after it was sent last, unless \
        something starts from it, and then with that.
        """,
      bodies: Body.bytes("image/jpeg", "image/png", "image/webp"),
      answers: [
        .json(
          201, "It can be named.", GenerationPicture.self,
          links: Link.byID(
            at: "/id", "getGenerationPicture", "headGenerationPicture", "removeGenerationPicture"))
      ],
      codes: [
        .pictureUnreadable, .pictureTooLarge, .contentTypeUnsupported, .storageFull, .generationUnavailable,
        .generationNotPossible,
      ], access: .members, limit: .caller(.pictures)),
    Operation(
      id: "getGenerationPicture", route: .generationPicture, method: "GET", tag: "generation",
      summary: "A picture as a clip of this shape starts from it.", parameters: [shape],
      answers: [.bytes("image/jpeg", "The picture.")], codes: [.pictureNotFound],
      access: .accounts),
    Operation(
      id: "headGenerationPicture", route: .generationPicture, method: "HEAD", tag: "generation",
      summary: "The headers of the same with GET.", parameters: [shape],
      answers: [.empty(200, "There is one.")], codes: [.pictureNotFound],
      access: .accounts),
    Operation(
      id: "removeGenerationPicture", route: .generationPicture, method: "DELETE", tag: "generation",
      summary: "Takes a picture back from which nothing starts.",
      about: "One from which something starts stays as long as that.",
      answers: [.empty(204, "It is not wanted any more.")], codes: [.pictureNotFound], access: .members,
      limit: .caller(.marks)),
  ]
}
