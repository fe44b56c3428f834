internal import HTTPTypes
public import HummingbirdCore
public import Logging
public import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// One HTTP/1.1 connection: Hummingbird's, but with small buffers on the way in, so that many uploads at once cost
/// little memory, and with a way out for files that the kernel sends.
public struct Connection: HTTPChannelHandler {
  /// What one read from the socket may bring, in bytes. With `bufferedParts` it bounds what a slow disk makes a
  /// connection hold.
  static let readBytes = 8 * 1024
  static let bufferedParts = 1...1
  /// Between two requests.
  static let idleTimeout = Duration.seconds(75)

  public let responder: Responder

  public struct Value: ServerChildChannelValue {
    let parts: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
    let outlet: FileOutlet
    public var channel: any Channel { parts.channel }
  }

  public static let server = HTTPServerBuilder { Connection(responder: $0) }

  public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: Self.readBytes))
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      let outlet = FileOutlet()
      let pipeline = channel.pipeline.syncOperations
      // Pipelining and errors are seen to by the loop over the requests, headers checked by the types they have.
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false)
      try pipeline.addHandler(FileSending(outlet))
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: Self.idleTimeout, logger: logger))
      let parts = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
        wrappingChannelSynchronously: channel,
        configuration: .init(
          backPressureStrategy: .init(
            lowWatermark: Self.bufferedParts.lowerBound, highWatermark: Self.bufferedParts.upperBound),
          isOutboundHalfClosureEnabled: true))
      return Value(parts: parts, outlet: outlet)
    }
  }

  public func handle(value: Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
      await FileOutlet.$current.withValue(value.outlet) {
        await handleHTTP(asyncChannel: value.parts, logger: logger)
      }
    }
  }
}
