/// What the feed goes by for whoever asks, and lists that it makes.
extension Client {
  /// What rises now.
  public func trending(cursor: String? = nil, limit: Int? = nil) async throws -> FeedPage {
    try await page(Route.trending.path(), cursor: cursor, limit: limit)
  }

  /// What resembles a clip.
  public func clips(
    similarTo clip: String, cursor: String? = nil, limit: Int? = nil
  ) async throws -> FeedPage {
    try await page(Route.similarClips.path(clip), cursor: cursor, limit: limit)
  }

  public func taste() async throws -> Taste { try await get(Route.taste.path()) }

  /// Answers what holds from now on. Off also forgets what was learned.
  public func setPersonalised(_ isOn: Bool) async throws -> Personalisation {
    try await write("PUT", Personalisation(personalised: isOn), to: Route.taste.path())
  }

  public func forgetTaste() async throws {
    try await send(WireRequest("DELETE", Route.taste.path()))
  }

  /// Less of it is wanted. Any number of times is once.
  public func dismiss(_ dismissal: Dismissal) async throws {
    try await command("POST", dismissal, to: Route.dismissals.path())
  }

  /// The wish is taken back.
  public func takeBack(_ dismissal: Dismissal) async throws {
    try await send(
      WireRequest(
        "DELETE",
        Route.dismissals.path()
          + "?kind=\(dismissal.kind.rawValue)&subject=\(Route.encoded(dismissal.subject))"))
  }
}
