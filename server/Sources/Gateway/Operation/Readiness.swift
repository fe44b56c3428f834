public import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
public import Platform
internal import Synchronization

extension Responder {
  /// That the process runs, and whether requests can be answered: of which the operator, who asks from this
  /// machine, sees each part.
  public static func health(_ readiness: Readiness, limits: RequestLimits) -> Responder {
    Responder(.health, .ready) { asked in
      guard asked.route == .ready else { return try .json(Health(status: "ok"), to: asked.request) }
      let health = await readiness.check()
      let isOperator = ClientAddress.isOnThisMachine(asked.request, asked.context, proxies: limits.proxies)
      return try .json(
        isOperator ? health : Health(status: health.status), to: asked.request, status: health.httpStatus)
    }
  }
}

/// Whether requests can be answered now: a load balancer asks before it sends people here.
///
/// Without database or storage nothing works. Without the shared cache, with little room on the disk or none,
/// without a process that converts, or with one that has no sandbox, most does: such a server is degraded and
/// still ready. Each part is looked at within a bounded time, and what hangs counts as failed. However many
/// ask, the parts are looked at once a second: one look writes a file.
public final class Readiness: Sendable {
  /// Of a part: far longer than it takes on a busy machine, since servers that are called off for being busy
  /// make the others busier.
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

  /// For how long an answer is given again, in milliseconds.
  public static let keptMs: Int64 = 1000

  private let parts: [Part]
  private let checks: HealthChecks
  private let time: any TimeSource
  private let keptMs: Int64
  private let isStopping = Mutex(false)
  private let last = Mutex(Last())

  private struct Last {
    var health: Health?
    var atMs: Int64 = 0
    var running: Task<Health, Never>?
  }

  /// `cache`: the one that servers share, if there is one. `room`: throws if the disk is nearly full.
  /// `lesser`: what a server is degraded without, by name.
  public init(
    database: any Database, blobs: any BlobStore, cache: (any HealthChecking)? = nil,
    room: (@Sendable () async throws -> Void)? = nil,
    lesser: [String: @Sendable () async throws -> Void] = [:], patience: Duration? = nil,
    time: any TimeSource = SystemTime(), keptMs: Int64 = Readiness.keptMs
  ) {
    parts = Self.parts(database, blobs, cache, room, lesser)
    checks = HealthChecks(patience: patience ?? Self.patience)
    self.time = time
    self.keptMs = keptMs
  }

  /// NB: not in `init`: there, behind mutexes that are set and with these branches, the optimizer of Swift
  /// 6.3.1 crashes ("found outside of lifetime use").
  private static func parts(
    _ database: any Database, _ blobs: any BlobStore, _ cache: (any HealthChecking)?,
    _ room: (@Sendable () async throws -> Void)?, _ lesser: [String: @Sendable () async throws -> Void]
  ) -> [Part] {
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
    return parts
  }

  /// From now on nobody is to be sent here any more, though who comes is answered.
  public func stop() { isStopping.withLock { $0 = true } }

  /// With each part, which is for the operator alone: the status is for whoever asks.
  public func check() async -> Health {
    guard !isStopping.withLock({ $0 }) else { return Health(status: "stopping") }
    let look = last.withLock { last -> Task<Health, Never> in
      if let running = last.running { return running }
      let ageMs = time.nowMs - last.atMs
      // NB: a clock that was set back must not keep an answer.
      if let health = last.health, (0..<keptMs).contains(ageMs) { return Task { health } }
      let running = Task {
        let health = await lookAtAll()
        self.last.withLock { $0 = Last(health: health, atMs: time.nowMs) }
        return health
      }
      last.running = running
      return running
    }
    return await look.value
  }

  private func lookAtAll() async -> Health {
    let results = await withTaskGroup(of: (Part, HealthChecks.Result).self) { group in
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
  private static func word(_ result: HealthChecks.Result) -> String {
    switch result {
    case .good: "ok"
    case .failed(Full.word): Full.word
    case .failed: "failed"
    case .slow: "no answer"
    }
  }
}

extension Health {
  /// What a balancer goes by.
  var httpStatus: HTTPResponse.Status { ["ok", "degraded"].contains(status) ? .ok : .serviceUnavailable }
}
