internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
public import Platform

/// One stream of live events, written for as long as somebody listens.
public protocol LiveStreaming: Sendable {
  /// Returns when the stream is over, and throws what `send` throws.
  func run(_ send: (String) async throws -> Void) async throws
  func close()
}

/// What the gateway needs of live events. `after` is what a client saw last of an earlier stream, by its own
/// word. Throws `unavailable` if there are too many streams. One ends when the session does by which it was
/// opened.
public protocol LiveReading: Sendable {
  func open(_ viewer: Viewer, after: String?) throws -> any LiveStreaming
}

extension Responder {
  /// The stream of live events, in the format of EventSource.
  public static func live(
    _ live: any LiveReading, streams: StreamLimits, limits: RequestLimits
  ) -> Responder {
    let responder = LiveResponder(live: live, streams: streams, limits: limits)
    return Responder(.live, isStream: true) { try await responder.stream($0.caller, $0.request, $0.context) }
  }
}

struct LiveResponder: Sendable {
  let live: any LiveReading
  let streams: StreamLimits
  let limits: RequestLimits

  func stream(_ caller: Caller, _ request: Request, _ context: GatewayContext) async throws -> Response {
    guard let viewer = caller.viewer else { throw AppError(.signInNeeded) }
    let place = try streams.admit(viewer.id, from: limits.address(of: request, context))
    let stream = try live.open(viewer, after: request.headers[.lastEventID])
    let channel = context.channel
    channel.closeFuture.whenComplete { _ in
      stream.close()
      place.leave()
    }
    try await channel.pipeline.addHandler(CloseOnEOF(), position: .first).get()
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        // nginx would keep events until it has a buffer full of them.
        .accelBuffering: "no",
      ],
      body: ResponseBody { writer in
        defer { place.leave() }
        try await stream.run { try await writer.write(ByteBuffer(string: $0)) }
        try await writer.finish(nil)
      })
  }
}

/// Ends a connection as soon as its other side has: who listens has nothing more to say, so a connection half
/// of which is closed is one that nobody listens to.
private final class CloseOnEOF: ChannelInboundHandler, Sendable {
  typealias InboundIn = Any

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}

extension HTTPField.Name {
  static let lastEventID = HTTPField.Name("Last-Event-ID")!
  static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
