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
      Endpoint("publishGeneration") { call in
        let details = try await call.body(ClipDetails.self)
        return try await publish(call.id, details, by: try call.account().id)
      },
    ]
  }
}
