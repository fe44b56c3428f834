public import Gateway
internal import HTTPServer
public import Hummingbird
internal import Logging
public import Measuring
internal import NIOCore
public import Platform

extension Instance {
  /// What a metrics server reads. `readiness`: of a process that serves.
  public func metricsPage(
    _ registry: MetricRegistry, host: String, port: Int, cache: (any HealthChecking)?,
    readiness: Readiness?, onReady: @escaping @Sendable (_ host: String, _ port: Int) -> Void
  ) -> any ApplicationProtocol {
    var sources = [MetricSource.jobs(in: database), .webhooks(of: webhooks())]
    if let connections {
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
    return Application(
      responder: MetricsPage(readiness: readiness) { await exporter.text() },
      server: Connection.server(ConnectionLimits()),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in onReady(host, channel.localAddress?.port ?? port) },
      logger: Logger(label: "clipfeed.metrics"))
  }
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
