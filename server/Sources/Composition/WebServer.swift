public import Gateway
public import HTTPServer
public import Hummingbird
internal import Logging
internal import NIOCore

/// The services that answer HTTP.
public enum WebServer {
  /// The site. `onReady` hears the real port once connections are taken.
  public static func application(
    _ gateway: some HTTPResponder<GatewayContext>, host: String, port: Int,
    server: Connection.Server = Connection.server(ConnectionLimits()),
    onReady: @escaping @Sendable (Int) -> Void
  ) -> some ApplicationProtocol {
    Application(
      responder: gateway, server: server,
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in onReady(channel.localAddress?.port ?? port) },
      logger: Logger(label: "clipfeed.http"))
  }

  /// An address for people. That of IPv6 has brackets.
  public static func address(_ host: String, _ port: Int) -> String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
