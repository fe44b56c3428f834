internal import Contract
internal import Foundation
public import Platform
internal import Synchronization

/// Whether requests can be answered now: a load balancer asks before it sends people here.
///
/// Without database or storage nothing works. Without the shared cache, with little room on the disk or none, without a
/// process that converts, or with one that has no sandbox, most does: such a server is degraded and still ready. Each part is looked at within a bounded time, and what hangs counts as failed.
public final class Readiness: Sendable {
  /// Of a part: far longer than it takes on a busy machine, since servers that are called off for being busy make the
  /// others busier.
  static let patience = Duration.seconds(5)

  /// Nothing more can be written, and everything can be read.
  private struct Full: Error, CustomStringConvertible {
    static let word = "full"
    var description: String { Self.word }
  }

  private struct Part {
    let name: String
    let isNeeded: Bool
    let check: @Sendable () async throws -> Void
  }

  private let parts: [Part]
  private let checks: BoundedChecks
  private let isStopping = Mutex(false)

  /// `cache`: the one that servers share, if there is one. `room`: throws if the disk is nearly full. `lesser`: what a server
  /// is degraded without, by name.
  public init(
    database: any Database, blobs: any BlobStore, cache: (any Cache)? = nil,
    room: (@Sendable () async throws -> Void)? = nil,
    lesser: [String: @Sendable () async throws -> Void] = [:], patience: Duration? = nil
  ) {
    var parts = [
      Part(name: "database", isNeeded: true) {
        _ = try await database.read { try $0.query("SELECT 1 AS one").count }
      },
      Part(name: "storage", isNeeded: true) {
        do {
          try await blobs.checkWritable()
        } catch let error as AppError where error.code == .storageFull {
          throw Full()
        }
      },
    ]
    if let cache { parts.append(Part(name: "cache", isNeeded: false) { try await cache.check() }) }
    if let room { parts.append(Part(name: "disk", isNeeded: false, check: room)) }
    parts += lesser.map { Part(name: $0.key, isNeeded: false, check: $0.value) }
    self.parts = parts
    checks = BoundedChecks(patience: patience ?? Self.patience)
  }

  /// From now on nobody is to be sent here any more, though who comes is answered.
  public func stop() { isStopping.withLock { $0 = true } }

  func check() async -> Health {
    guard !isStopping.withLock({ $0 }) else { return Health(status: "stopping") }
    let results = await withTaskGroup(of: (Part, BoundedChecks.Result).self) { group in
      for part in parts {
        group.addTask { [checks] in (part, await checks.result(of: part.name, part.check)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let bad = results.filter { $0.1 != .good }
    let words = Dictionary(uniqueKeysWithValues: results.map { ($0.0.name, Self.word($0.1)) })
    let status =
      bad.isEmpty
      ? "ok" : bad.contains { $0.0.isNeeded && $0.1 != .failed(Full.word) } ? "unavailable" : "degraded"
    return Health(status: status, checks: words)
  }

  /// Why it failed is for the log, not for strangers.
  private static func word(_ result: BoundedChecks.Result) -> String {
    switch result {
    case .good: "ok"
    case .failed(Full.word): Full.word
    case .failed: "failed"
    case .slow: "no answer"
    }
  }
}
