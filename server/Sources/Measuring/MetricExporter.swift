public import Platform
internal import Synchronization

/// A part of the service that can be asked for numbers.
public struct MetricSource: Sendable {
  public let name: String
  let look: @Sendable () async throws -> [MetricSample]

  public init(_ name: String, _ look: @escaping @Sendable () async throws -> [MetricSample]) {
    self.name = name
    self.look = look
  }

  /// What waits and runs and has failed. Done jobs are not counted here, since their number grows for ever.
  public static func jobs(in database: any Database) -> MetricSource {
    MetricSource("jobs") {
      try await database.read { transaction in
        try transaction.query(
          """
          SELECT kind, state, COUNT(*) AS n FROM jobs WHERE state IN ('queued', 'running', 'failed')
          GROUP BY kind, state
          """
        ).map { row in
          MetricSample(
            "clipfeed_jobs", [("kind", try row.text("kind")), ("state", try row.text("state"))],
            Double(try row.integer("n")))
        }
      }
    }
  }
}

/// What `/metrics` answers: everything that was counted, and what is looked up now. Each source has a bounded
/// time, and however often somebody asks, it is looked up once in a while only.
public final class MetricExporter: Sendable {
  static let patience = Duration.seconds(2)
  static let freshForMs: Int64 = 1000

  private let registry: MetricRegistry
  private let sources: [MetricSource]
  private let memory: TTLCache<String, [MetricSample]>
  private let checks: HealthChecks
  private let latest = Latest()

  public init(_ registry: MetricRegistry, sources: [MetricSource], time: any TimeSource = SystemTime()) {
    self.registry = registry
    self.sources = sources
    memory = TTLCache(lifeMs: Self.freshForMs, limit: 1024, time: time)
    checks = HealthChecks(patience: Self.patience)
  }

  public func text() async -> String {
    var samples = ProcessNumbers.samples()
    for source in sources {
      let result = await checks.result(of: source.name) { [memory, latest] in
        let looked = try await memory.value(source.name, orFind: source.look)
        latest.samples.withLock { $0[source.name] = looked }
      }
      if result == .good { samples += latest.samples.withLock { $0[source.name] } ?? [] }
      samples.append(MetricSample("clipfeed_source_up", [("source", source.name)], result == .good ? 1 : 0))
    }
    return registry.text(with: samples)
  }
}

private final class Latest: Sendable {
  let samples = Mutex<[String: [MetricSample]]>([:])
}
