internal import NIOCore
internal import Platform

/// A command on its way to the server, and who waits for the answer.
struct RedisCall: Sendable {
  let bytes: [UInt8]
  /// Nil: nobody; what a subscriber says is answered among its messages.
  let answer: EventLoopPromise<RedisReply>?
}

/// One connection: commands go out as they come, many of one moment in one write, and answers come back in
/// that order.
///
/// A protocol without numbers cannot skip an answer. So when one is late the connection ends, and all that
/// wait fail.
final class RedisPipeline: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = RedisCall
  typealias OutboundOut = ByteBuffer

  private let reader = RedisReader()
  private let patience: TimeAmount
  private let onPush: (@Sendable (RedisReply) -> Void)?
  private var waiting = CircularBuffer<(answer: EventLoopPromise<RedisReply>, deadline: NIODeadline)>()
  private var isFlushing = false
  private var isWatching = false
  private var end: CacheUnavailable?

  /// `onPush` takes what answers nobody, such as messages.
  init(patience: TimeAmount, onPush: (@Sendable (RedisReply) -> Void)? = nil) {
    self.patience = patience
    self.onPush = onPush
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let call = unwrapOutboundIn(data)
    if let end {
      call.answer?.fail(end)
      promise?.fail(end)
      return
    }
    if let answer = call.answer { waiting.append((answer, .now() + patience)) }
    context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: call.bytes)), promise: promise)
    watch(context)
    guard !isFlushing else { return }
    isFlushing = true
    let context = NIOLoopBound(context, eventLoop: context.eventLoop)
    let me = NIOLoopBound(self, eventLoop: context.value.eventLoop)
    // After all that this turn of the loop brings.
    context.value.eventLoop.execute {
      me.value.isFlushing = false
      context.value.flush()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    do {
      try unwrapInboundIn(data).withUnsafeReadableBytes(reader.feed)
      while let reply = try reader.next() {
        if let (answer, _) = waiting.popFirst() { answer.succeed(reply) } else { onPush?(reply) }
      }
    } catch {
      close(context, "it does not speak the protocol of Redis (\(error))")
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    close(context, "the connection has ended")
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close(context, "\(error)") }

  private func close(_ context: ChannelHandlerContext, _ reason: String) {
    guard end == nil else { return }
    let error = CacheUnavailable(reason)
    end = error
    while let (answer, _) = waiting.popFirst() { answer.fail(error) }
    context.close(promise: nil)
  }

  private func watch(_ context: ChannelHandlerContext) {
    guard !isWatching, let deadline = waiting.first?.deadline else { return }
    isWatching = true
    let context = NIOLoopBound(context, eventLoop: context.eventLoop)
    let me = NIOLoopBound(self, eventLoop: context.value.eventLoop)
    context.value.eventLoop.scheduleTask(deadline: deadline) {
      me.value.isWatching = false
      if let first = me.value.waiting.first, first.deadline <= .now() {
        return me.value.close(context.value, "it does not answer")
      }
      me.value.watch(context.value)
    }
  }
}
