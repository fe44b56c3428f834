internal import Contract
internal import Features
internal import Platform

extension Generations {
  var endpoints: [Endpoint] {
    [
      Endpoint(reading: "generationOffer") { try await offer(to: try $0.account().id) },
      Endpoint(reading: "generations") { call in
        let page = try call.page()
        return try await self.page(of: try call.account().id, cursor: page.cursor, limit: page.limit)
      },
      Endpoint("generate") { call in
        let key = try call.idempotencyKey()
        let new = try await call.body(NewGeneration.self)
        return try await request(new, by: try call.account().id, idempotencyKey: key)
      },
      Endpoint(reading: "generation") { try await generation($0.id, of: try $0.account().id) },
      Endpoint(doing: "endGeneration") { try await end($0.id, by: try $0.account().id) },
      Endpoint("refineGeneration") { call in
        let key = try call.idempotencyKey()
        let refinement = try await call.body(GenerationRefinement.self)
        return try await refine(
          call.id, prompt: refinement.prompt, by: try call.account().id, idempotencyKey: key)
      },
      // The content decides which of the kinds it is.
      Endpoint("putGenerationPicture") { call in
        let account = try call.account().id
        _ = try requirePictures()
        let file = try await call.bytes(atMost: Limits.pictureBytes, else: .pictureTooLarge)
        return try await keepPicture(file, of: account)
      },
      Endpoint(delivering: "generationPicture") { call in
        try await picture(
          call.id, of: try call.account().id,
          as: call.query("aspect").flatMap(GenerationAspect.init) ?? .portrait)
      },
      Endpoint(doing: "removeGenerationPicture") { try await removePicture($0.id, of: try $0.account().id) },
      Endpoint("publishGeneration") { call in
        let details = try await call.body(ClipDetails.self)
        return try await publish(call.id, details, by: try call.account().id)
      },
    ]
  }
}
