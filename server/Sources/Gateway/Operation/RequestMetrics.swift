internal import Contract
internal import CoreMetrics
internal import HTTPTypes
internal import Hummingbird
internal import Platform
internal import Synchronization

/// Counts requests. Labels come from closed lists (templates of routes, methods, statuses), never from what a
/// caller wrote.
final class RequestMetrics: Sendable {
  private struct Key: Hashable {
    let route: Int
    let method: Int
    let status: Int
  }

  private struct OfRoute {
    let duration: Timer
    let received: CoreMetrics.Counter
    let sent: CoreMetrics.Counter
  }

  private let factory: any MetricsFactory
  private let inFlight: Meter
  private let answered = Mutex<[Key: CoreMetrics.Counter]>([:])
  private let routes: [OfRoute]

  /// What has no route of the contract: a file of the web client, or nothing at all.
  private static let others = ["site", "unknown"]
  private static let names = Route.all.map(\.template) + others
  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    inFlight = Meter(label: "clipfeed_http_requests_in_flight", factory: factory)
    routes = Self.names.map { name in
      OfRoute(
        duration: Timer(
          label: "clipfeed_http_request_duration_seconds", dimensions: [("route", name)],
          preferredDisplayUnit: .seconds, factory: factory),
        received: Counter(
          label: "clipfeed_http_request_bytes_total", dimensions: [("route", name)], factory: factory),
        sent: Counter(
          label: "clipfeed_http_response_bytes_total", dimensions: [("route", name)], factory: factory))
    }
  }

  func began() { inFlight.increment() }

  func ended(_ request: Request, _ route: Route?, _ response: Response, took: Duration) {
    inFlight.decrement()
    let status = response.status.code
    let index = route.flatMap { Route.all.firstIndex(of: $0) } ?? Route.all.count + (status == 404 ? 1 : 0)
    let method = Self.methods.firstIndex(of: request.method.rawValue) ?? Self.methods.count
    counter(Key(route: index, method: method, status: status)).increment()
    routes[index].duration.recordNanoseconds(Int64(clamping: took / .nanoseconds(1)))
    if let bytes = request.headers[.contentLength].flatMap({ SafeInteger.read($0).map(Int64.init) }),
      bytes > 0
    {
      routes[index].received.increment(by: bytes)
    }
    let sent =
      response.headers[.contentLength].flatMap { SafeInteger.read($0).map(Int64.init) }
      ?? response.body.contentLength.map(Int64.init)
    if let sent, sent > 0, request.method != .head { routes[index].sent.increment(by: sent) }
  }

  private func counter(_ key: Key) -> CoreMetrics.Counter {
    answered.withLock { answered in
      if let known = answered[key] { return known }
      let made = Counter(
        label: "clipfeed_http_requests_total",
        dimensions: [
          ("route", Self.names[key.route]),
          ("method", key.method < Self.methods.count ? Self.methods[key.method] : "other"),
          ("status", String(key.status)),
        ], factory: factory)
      answered[key] = made
      return made
    }
  }
}
