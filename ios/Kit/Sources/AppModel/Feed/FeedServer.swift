internal import Contract
internal import Playback

/// What the feed asks of the server. A clip whose secret this device knows is asked for by that: a private
/// one is told to nobody by its id.
struct FeedServer: FeedSource {
  let client: Client
  let ownership: Ownership

  func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage {
    try await client.page(of: tab, after: cursor, limit: limit)
  }

  func clip(_ id: String) async throws -> Clip {
    guard let upload = await ownership.upload(of: id) else { return try await client.clip(id) }
    return try await client.clip(ofUpload: upload)
  }
}
