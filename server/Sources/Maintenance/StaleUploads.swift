internal import Logging
public import Platform

/// Parts in a bucket that belong to nothing: they cost money and no listing shows them. Folders have none.
public struct StaleUploads: Sendable {
  /// A week: hardly an upload is kept open for longer, and one that is gets new parts.
  static let staleMs: Int64 = 7 * 86_400_000

  private let stores: [any BlobStore]
  private let time: any TimeSource

  public init(in stores: [any BlobStore], time: any TimeSource) {
    self.stores = stores
    self.time = time
  }

  public func abort() async {
    let limit = time.nowMs - Self.staleMs
    for case let store as any DirectUploads in stores {
      do {
        let count = try await store.abortStale(before: limit)
        if count > 0 {
          Logger(label: "clipfeed.storage").notice("stale uploads removed", metadata: ["count": "\(count)"])
        }
      } catch is CancellationError {
        return
      } catch {
        Logger(label: "clipfeed.storage").warning(
          "stale uploads cannot be removed now", metadata: ["error": "\(error)"])
      }
    }
  }
}
