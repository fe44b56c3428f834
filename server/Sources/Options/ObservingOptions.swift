public import ArgumentParser
public import Composition
internal import Configured
internal import CoreMetrics
public import Gateway
public import Hummingbird
public import Measuring
public import Platform

/// What an operator can see of a process.
public struct ObservingOptions: ParsableArguments, Sendable {
  /// Read before the options are (`Clipfeed.main`).
  @Option(help: ArgumentHelp(.logFormat)) var logFormat: String?
  @Option(help: ArgumentHelp(.metricsHost)) var metricsHost: String?
  @Option(help: ArgumentHelp(.metricsPort)) public private(set) var metricsPort: String?

  public init() {}

  public mutating func validate() throws {
    logFormat = try settled(.logFormat, logFormat)
    metricsHost = try settled(.metricsHost, metricsHost)
    metricsPort = try settled(.metricsPort, metricsPort)
  }

  /// Nil: nobody looks, so nothing is counted.
  public var registry: MetricRegistry? { metricsPort == nil ? nil : Self.shared }

  /// The service that tells the metrics, if they are told. `readiness`: of a process that serves.
  public func page(
    of instance: Instance, cache: (any HealthChecking)? = nil, readiness: Readiness? = nil,
    onReady: @escaping @Sendable (_ host: String, _ port: Int) -> Void
  ) -> (any ApplicationProtocol)? {
    guard let registry, let port = metricsPort.flatMap({ SafeInteger.read($0) }) else { return nil }
    return instance.metricsPage(
      registry, host: metricsHost ?? "127.0.0.1", port: port, cache: cache, readiness: readiness,
      onReady: onReady)
  }

  private static let shared: MetricRegistry = {
    let registry = MetricRegistry()
    // Rooms that are handed no factory count by the process's one.
    MetricsSystem.bootstrap(registry)
    return registry
  }()
}
