public import Contract
public import Platform

/// What the gateway needs of the feed.
///
/// `page` throws `invalid_cursor` for a cursor that was not handed out; `clip` throws `clip_not_found`, also for a
/// private clip unless it is asked for its owner. `viewer` is the id of who asks; nil for somebody of whom nothing is known.
public protocol FeedReading: Sendable {
  func page(cursor: String?, limit: Int, for viewer: String?) async throws -> FeedPage
  func clip(id: String, forOwner isOwner: Bool, for viewer: String?) async throws -> Clip
}

/// Whether requests can be answered now: a load balancer asks before it sends people here.
public struct Readiness: Sendable {
  private let database: any Database
  private let blobs: any BlobStore

  public init(database: any Database, blobs: any BlobStore) {
    self.database = database
    self.blobs = blobs
  }

  func check() async -> Health {
    let database = await result { try await self.database.read { try $0.query("SELECT 1 AS one").count } }
    let storage = await result { try await self.blobs.checkWritable() }
    let checks = ["database": database, "storage": storage]
    return Health(status: checks.values.allSatisfy { $0 == "ok" } ? "ok" : "unavailable", checks: checks)
  }

  private func result(_ check: () async throws -> some Any) async -> String {
    do {
      _ = try await check()
      return "ok"
    } catch {
      return "failed"
    }
  }
}
