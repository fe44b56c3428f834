internal import NIOCore
internal import NIOHTTP1

/// Whether the other side of a connection goes on fast enough: with a request's head, with its body, and with taking the answer.
/// Somebody who sends a byte now and then, or takes none, would else hold a descriptor, memory and a task for as long as they like.
///
/// Between two requests the connection's idle timeout counts, and a stream of events without news owes nothing. A disk of ours that is slow is not the
/// other side's fault: time counts only while we are ready to read.
struct ConnectionPace {
  struct Rules: Sendable {
    /// From the first byte of a head (or of the connection) to its last.
    var head = TimeAmount.seconds(20)
    /// The longest that so many bytes of a body may take: about what a modem brought. `make proof-uploads` stays far above it.
    var bodyBytes = 16 * 1024
    var body = TimeAmount.seconds(30)
    /// Without anything of an answer being taken. Files leave in pieces of `FileSending.pieceBytes`.
    var answer = TimeAmount.seconds(60)
  }

  private enum Phase { case idle, head, body, answer }

  private let rules: Rules
  private var phase = Phase.head
  private var headSince: NIODeadline
  /// Of the body, since the last time that enough of it had come.
  private var bytes = 0
  private var waited = TimeAmount.zero
  /// Since when we are ready to read and nothing comes; nil: we are not.
  private var readySince: NIODeadline?
  /// Writes that have not left yet.
  private var outstanding = 0
  private var lastTaken: NIODeadline

  init(_ rules: Rules, at now: NIODeadline) {
    self.rules = rules
    (headSince, lastTaken) = (now, now)
  }

  var isIdle: Bool { phase == .idle }

  mutating func isReadyToRead(at now: NIODeadline) { if readySince == nil { readySince = now } }

  mutating func read(bytes count: Int, at now: NIODeadline) {
    if let readySince { waited = waited + (now - readySince) }
    readySince = nil
    if phase == .idle { (phase, headSince) = (.head, now) }
    guard phase == .body else { return }
    // NB: both are bounded by what one read can bring and by `rules.body`.
    bytes += count
    if bytes >= rules.bodyBytes { startBody() }
  }

  mutating func headIsRead() {
    phase = .body
    startBody()
  }

  mutating func requestIsRead() { phase = .answer }

  mutating func answerIsWritten() { if phase == .answer { phase = .idle } }

  mutating func willWrite(at now: NIODeadline) {
    if outstanding == 0 { lastTaken = now }
    outstanding += 1
  }

  mutating func wrote(at now: NIODeadline) {
    outstanding -= 1
    lastTaken = now
  }

  private mutating func startBody() { (bytes, waited) = (0, .zero) }

  /// When it is too slow unless something happens until then; nil: it owes nothing.
  var deadline: NIODeadline? {
    let taking = outstanding > 0 ? lastTaken + rules.answer : nil
    let sending: NIODeadline? =
      switch phase {
      case .head: headSince + rules.head
      case .body: readySince.map { $0 + (rules.body - waited) }
      case .idle, .answer: nil
      }
    return [taking, sending].compactMap { $0 }.min()
  }
}

/// Ends a connection whose other side is too slow. Stands first, where bytes come and go; `ConnectionPhases` tells it what they are.
final class ConnectionPacing: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private(set) var pace: ConnectionPace
  private var check: Scheduled<Void>?

  init(_ rules: ConnectionPace.Rules) { pace = ConnectionPace(rules, at: .now()) }

  func tell(_ context: ChannelHandlerContext, _ change: (inout ConnectionPace) -> Void) {
    change(&pace)
    schedule(context)
  }

  func handlerAdded(context: ChannelHandlerContext) { schedule(context) }

  func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    check?.cancel()
    context.fireChannelInactive()
  }

  func read(context: ChannelHandlerContext) {
    tell(context) { $0.isReadyToRead(at: .now()) }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = unwrapInboundIn(data).readableBytes
    tell(context) { $0.read(bytes: count, at: .now()) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let sent = promise ?? context.eventLoop.makePromise()
    tell(context) { $0.willWrite(at: .now()) }
    let pacing = NIOLoopBound(self, eventLoop: context.eventLoop)
    sent.futureResult.whenComplete { _ in pacing.value.pace.wrote(at: .now()) }
    context.write(data, promise: sent)
  }

  /// One look at a time; a deadline that has moved meanwhile is looked at again.
  private func schedule(_ context: ChannelHandlerContext) {
    guard check == nil, context.channel.isActive, let deadline = pace.deadline else { return }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    check = context.eventLoop.scheduleTask(deadline: deadline) {
      let (pacing, context) = bound.value
      pacing.check = nil
      guard let deadline = pacing.pace.deadline, deadline <= .now() else { return pacing.schedule(context) }
      context.close(promise: nil)
    }
  }
}

/// Tells `ConnectionPacing` and the connection's `ConnectionPlace` where in a request it is.
final class ConnectionPhases: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart

  private let pacing: ConnectionPacing
  private let place: ConnectionPlace

  init(_ pacing: ConnectionPacing, _ place: ConnectionPlace) {
    self.pacing = pacing
    self.place = place
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      place.isBusy()
      pacing.tell(context) { $0.headIsRead() }
      // Here, since whatever comes next compares what is in it.
      if let comparable = ComparableHead.made(of: head) {
        return context.fireChannelRead(wrapInboundOut(.head(comparable)))
      }
    case .body: break
    case .end: pacing.tell(context) { $0.requestIsRead() }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
    context.write(data, promise: promise)
    guard isEnd else { return }
    pacing.tell(context) { $0.answerIsWritten() }
    if pacing.pace.isIdle { place.isIdle() }
  }
}
