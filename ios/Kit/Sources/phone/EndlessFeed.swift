import Contract
import Foundation
import Playback
import Synchronization

/// How many bytes of a link were pages of the feed.
final class PageBytes: Sendable {
  private let state = Mutex((pages: 0, bytes: 0))

  var pages: Int { state.withLock { $0.pages } }
  var count: Int { state.withLock { $0.bytes } }

  func add(_ bytes: Int) {
    state.withLock { state in
      state.pages += 1
      state.bytes += bytes
    }
  }
}

/// The instance's feed over the link, from the beginning again behind its end, for evenings longer than the
/// feed. A clip that comes again has another id and other addresses (a query that the server passes over), so
/// that nothing of it is stored.
actor EndlessFeed: FeedSource {
  /// About what ten clips take, packed.
  private static let pageBytes = 12_000

  private let client: Client
  private let link: Link
  private let bytes: PageBytes
  private var round = 0

  init(client: Client, link: Link, bytes: PageBytes) {
    self.client = client
    self.link = link
    self.bytes = bytes
  }

  func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage {
    try await link.roundTrip()
    try await link.receive(Self.pageBytes)
    bytes.add(Self.pageBytes)
    let inner = cursor == "again" ? nil : cursor
    if cursor == "again" { round += 1 }
    var page = try await client.page(of: tab, after: inner, limit: limit)
    let number = round
    if number > 0 { page.items = page.items.map { Self.again($0, number) } }
    if page.nextCursor == nil, !page.items.isEmpty { page.nextCursor = "again" }
    return page
  }

  func clip(_ id: String) async throws -> Clip { try await client.clip(id) }

  private static func again(_ clip: Clip, _ round: Int) -> Clip {
    var clip = clip
    clip.id += "-\(round)"
    for index in clip.playback.renditions.indices { clip.playback.renditions[index].url += "?round=\(round)" }
    return clip
  }
}
