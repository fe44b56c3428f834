internal import ArgumentParser
internal import Configured
internal import CoreMetrics
internal import Gateway
internal import Hummingbird
internal import Logging
internal import Measuring
internal import Platform
internal import Synchronization

/// What an operator can see of a process.
struct ObservingOptions: ParsableArguments {
  /// Read before the options are (`Clipfeed.main`).
  @Option(help: ArgumentHelp(.logFormat)) var logFormat: String?
  @Option(help: ArgumentHelp(.metricsHost)) var metricsHost: String?
  @Option(help: ArgumentHelp(.metricsPort)) var metricsPort: String?

  mutating func validate() throws {
    logFormat = try settled(.logFormat, logFormat)
    metricsHost = try settled(.metricsHost, metricsHost)
    metricsPort = try settled(.metricsPort, metricsPort)
  }

  /// Nil: nobody looks, so nothing is counted.
  var registry: MetricRegistry? { metricsPort == nil ? nil : Self.shared }

  /// The service that tells the metrics, if they are told. `readiness`: of a process that serves.
  func page(
    of instance: Instance, cache: (any Cache)? = nil, readiness: Readiness? = nil
  ) -> (any ApplicationProtocol)? {
    guard let registry, let port = metricsPort.flatMap({ SafeInteger.read($0) }) else { return nil }
    var sources = [MetricSource.jobs(in: instance.database)]
    if let connections = instance.connections {
      sources.append(MetricSource("database") { connections().samples })
    }
    if let cache {
      sources.append(
        MetricSource("cache") {
          let isUp = (try? await cache.check()) != nil
          return [MetricSample("clipfeed_cache_up", [], isUp ? 1 : 0)]
        })
    }
    let exporter = MetricExporter(registry, sources: sources)
    let host = metricsHost ?? "127.0.0.1"
    return Application(
      responder: MetricsPage(readiness: readiness) { await exporter.text() },
      server: Connection.server(ConnectionLimits()),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        let shown = host.contains(":") ? "[\(host)]" : host
        Console.say("Metrics: http://\(shown):\(channel.localAddress?.port ?? port)/metrics")
      }, logger: Logger(label: "clipfeed.metrics"))
  }

  private static let shared: MetricRegistry = {
    let registry = MetricRegistry()
    // Rooms that are handed no factory count by the process's one.
    MetricsSystem.bootstrap(registry)
    return registry
  }()
}

/// Connections of this process to a database server.
struct DatabaseConnections: Sendable {
  let usage: (connections: Int, busy: Int, waiting: Int)
  let limit: Int

  var samples: [MetricSample] {
    [
      MetricSample("clipfeed_database_connections", [("state", "busy")], Double(usage.busy)),
      MetricSample(
        "clipfeed_database_connections", [("state", "idle")], Double(max(0, usage.connections - usage.busy))),
      MetricSample("clipfeed_database_connections_limit", [], Double(limit)),
    ]
  }
}
