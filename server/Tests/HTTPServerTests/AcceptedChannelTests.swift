import Logging
import NIOCore
import NIOPosix
import Testing

@testable import HTTPServer

@Suite struct AcceptedChannelTests {
  /// As by a server that stops at that moment.
  @Test(.timeLimit(.minutes(5))) func whoeverIsLetGoBeforeBeingHandledIsHungUpOn() async throws {
    let connection = Connection(responder: { _, _, _ in }, limits: ConnectionLimits(), rules: .init())
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        connection.setup(channel: channel, logger: Logger(label: "test")).map { _ in }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .connect(to: try #require(server.localAddress)).get()
    try await client.closeFuture.get()
    try await server.close()
  }
}
