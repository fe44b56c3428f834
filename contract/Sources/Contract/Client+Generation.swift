public import Foundation

/// Clips from words.
extension Client {
  public func generationOffer() async throws -> GenerationOffer {
    try await get(Route.generationOffer.path())
  }

  /// The same key again is the same one. Throws `content_policy`, `insufficient_credits`,
  /// `generations_under_way` and `generation_unavailable`.
  public func generate(_ new: NewGeneration, idempotencyKey: String) async throws -> Generation {
    try await write(
      "POST", new, to: Route.generations.path(), headers: ["idempotency-key": idempotencyKey])
  }

  public func generations(cursor: String? = nil, limit: Int? = nil) async throws -> GenerationPage {
    try await page(Route.generations.path(), cursor: cursor, limit: limit)
  }

  public func generation(_ id: String) async throws -> Generation {
    try await get(Route.generation.path(id))
  }

  /// Cancels one that is under way, discards one that has ended. Throws `generation_not_found`.
  public func endGeneration(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.generation.path(id)))
  }

  /// The same with another prompt; the one before stays.
  public func refine(_ id: String, prompt: String, idempotencyKey: String) async throws -> Generation {
    try await write(
      "POST", GenerationRefinement(prompt: prompt), to: Route.generationRefinements.path(id),
      headers: ["idempotency-key": idempotencyKey])
  }

  /// A picture to start from, of a file of `image/jpeg`, `image/png` or `image/webp`. The same bytes again
  /// are the same one. Throws `picture_unreadable` and `picture_too_large`.
  public func putGenerationPicture(_ file: Data, type: String) async throws -> GenerationPicture {
    try await answer(
      to: WireRequest(
        "POST", Route.generationPictures.path(), headers: ["content-type": type], body: file))
  }

  /// The JPEG that a video of this shape starts from. Throws `picture_not_found`.
  public func generationPicture(_ id: String, aspect: GenerationAspect) async throws -> Data {
    try await media(
      Route.generationPicture.path(id) + "?aspect=" + Route.encoded(aspect.rawValue))
  }

  /// One that nothing starts from. Throws `picture_not_found`.
  public func removeGenerationPicture(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.generationPicture.path(id)))
  }

  /// Shows its clip: to everybody, unless the details say otherwise. Throws `clip_not_ready`.
  public func publish(_ id: String, _ details: ClipDetails) async throws -> Generation {
    try await write("PUT", details, to: Route.generationPublication.path(id))
  }
}
