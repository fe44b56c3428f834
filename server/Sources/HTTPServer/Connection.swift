internal import HTTPTypes
public import HummingbirdCore
public import Logging
public import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// One HTTP/1.1 connection: Hummingbird's, but with small buffers on the way in, so that many uploads at once
/// cost little memory, and with a way out for files that the kernel sends.
public struct Connection: HTTPChannelHandler {
  /// What one read from the socket may bring, in bytes. With `bufferedParts` it bounds what a slow disk makes
  /// a connection hold.
  static let readBytes = 8 * 1024
  static let bufferedParts = 1...1

  public let responder: Responder

  public struct Value: ServerChildChannelValue {
    let accepted: AcceptedChannel
    let outlet: FileOutlet
    public var channel: any Channel { accepted.channel }
  }

  /// Of a head: plenty for a session's cookies and the longest answer of a provider; more is no request of
  /// ours. The address counts as a field: one that is only too long for what it says gets an answer that says
  /// so.
  private static var headLimits: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 80 * 1024
    limits.maxHeaderListSize = 96 * 1024
    limits.maxHeaderFieldCount = 100
    return limits
  }

  let limits: ConnectionLimits
  let rules: ConnectionPace.Rules

  public typealias Server = HTTPServerBuilder

  public static func server(_ limits: ConnectionLimits) -> Server { server(limits, .init()) }

  static func server(_ limits: ConnectionLimits, _ rules: ConnectionPace.Rules) -> Server {
    HTTPServerBuilder { Connection(responder: $0, limits: limits, rules: rules) }
  }

  private struct NoRoom: Error {}

  public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      guard let place = limits.admit(channel, from: channel.remoteAddress?.ipAddress ?? "") else {
        channel.close(promise: nil)
        throw NoRoom()
      }
      try channel.syncOptions?.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: Self.readBytes))
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
      let outlet = FileOutlet()
      let pipeline = channel.pipeline.syncOperations
      let pacing = ConnectionPacing(rules, place)
      try pipeline.addHandler(pacing)
      // Pipelining and errors are seen to by the loop over the requests, headers checked by the types they
      // have.
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
        withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.headLimits)
      try pipeline.addHandler(RequestPhases(pacing))
      try pipeline.addHandler(FileSending(outlet, pacing))
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
      let parts = try AcceptedChannel.Parts(
        wrappingChannelSynchronously: channel,
        configuration: .init(
          backPressureStrategy: .init(
            lowWatermark: Self.bufferedParts.lowerBound, highWatermark: Self.bufferedParts.upperBound),
          isOutboundHalfClosureEnabled: true))
      return Value(accepted: AcceptedChannel(parts), outlet: outlet)
    }
  }

  public func handle(value: Value, logger: Logger) async {
    guard let parts = value.accepted.take() else { return }
    await withTaskCancellationHandler {
      await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
        await FileOutlet.$current.withValue(value.outlet) {
          await handleHTTP(asyncChannel: parts, logger: logger)
        }
      }
    } onCancel: {
      // A server that stops has waited for as long as it does. NB: behind the last answer of a connection
      // nobody would close it before that is taken, however slowly.
      value.channel.close(promise: nil)
    }
  }
}
