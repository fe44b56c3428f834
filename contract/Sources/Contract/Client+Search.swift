extension Client {
  public func foundClips(_ text: String, cursor: String? = nil, limit: Int? = nil) async throws -> FeedPage {
    try await page(Route.foundClips.path(), cursor: cursor, limit: limit, asked: text)
  }

  public func foundPeople(_ text: String, cursor: String? = nil, limit: Int? = nil) async throws
    -> FoundPersonPage
  {
    try await page(Route.foundPeople.path(), cursor: cursor, limit: limit, asked: text)
  }

  public func foundTags(_ text: String, cursor: String? = nil, limit: Int? = nil) async throws -> FoundTagPage
  {
    try await page(Route.foundTags.path(), cursor: cursor, limit: limit, asked: text)
  }

  public func foundSounds(
    _ text: String, cursor: String? = nil, limit: Int? = nil
  ) async throws -> FoundSoundPage {
    try await page(Route.foundSounds.path(), cursor: cursor, limit: limit, asked: text)
  }

  public func searchSuggestions(_ text: String) async throws -> SearchSuggestions {
    try await get(Route.searchSuggestions.path() + "?q=" + Route.encoded(text))
  }
}
