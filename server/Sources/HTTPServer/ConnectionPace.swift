internal import NIOCore
internal import NIOHTTP1

/// Whether the other side of a connection goes on fast enough: with a request's head, with its body, and with
/// taking the answer. Somebody who sends a byte now and then, or takes none, would else hold a descriptor,
/// memory and a task for as long as they like.
///
/// Between two requests it may rest for a while, and a stream of events without news owes nothing. A request
/// is over when the last byte of its answer has left, not when that was written: most of a long file still
/// waits for the other side then. A disk of ours that is slow is not the other side's fault: time counts only
/// while we are ready to read. The clock is read where something begins or ends, and else only when somebody
/// looks (`look`), so that a request that is quick costs next to nothing.
struct ConnectionPace {
  struct Rules: Sendable {
    /// From the first byte of a head (or of the connection) to its last.
    var head = TimeAmount.seconds(20)
    /// The longest that so many bytes of a body may take: about what a modem brought. `make proof-uploads`
    /// stays far above it.
    var bodyBytes = 16 * 1024
    var body = TimeAmount.seconds(30)
    /// Without anything of an answer being taken, from one look to another.
    var answer = TimeAmount.seconds(60)
    /// Between two requests: from the last byte of an answer to the first of the next head.
    var idle = TimeAmount.seconds(75)

    /// How soon to look at what was written. An answer that nobody takes is given up after `answer` and this.
    var interval: TimeAmount { min(head, body, answer) }
  }

  private enum Phase { case idle, head, body, answer }

  private let rules: Rules
  /// Of the latest request.
  private var phase = Phase.head
  private var headSince: NIODeadline
  /// Requests whose heads were read and whose answers have not left. There is more than one where they are
  /// sent without waiting.
  private var unanswered = 0
  /// Since when all answers have left; after that, since something of a body came that nobody waits for.
  private var answeredSince: NIODeadline
  /// Of the body, since the last time that enough of it had come.
  private var bytes = 0
  private var waited = TimeAmount.zero
  private var isReady = false
  /// In a body: since when we are ready to read and nothing comes; nil: we are not.
  private var readySince: NIODeadline?
  /// Bytes of all answers: handed to the socket, and of these taken by the other side as of the last look.
  private var written = 0
  private var taken = 0
  private var takenSince: NIODeadline
  private var isTaking = false

  init(_ rules: Rules, at now: NIODeadline) {
    self.rules = rules
    (headSince, answeredSince, takenSince) = (now, now, now)
  }

  var isIdle: Bool { phase == .idle }

  var isAnswering: Bool { unanswered > 0 }

  mutating func isReadyToRead(at now: @autoclosure () -> NIODeadline) {
    isReady = true
    if phase == .body, readySince == nil { readySince = now() }
  }

  mutating func read(bytes count: Int, at now: @autoclosure () -> NIODeadline) {
    isReady = false
    if phase == .idle { (phase, headSince) = (.head, now()) }
    guard phase == .body else { return }
    if !isAnswering { answeredSince = now() }
    if let readySince { waited = waited + (now() - readySince) }
    readySince = nil
    // NB: both are bounded by what one read can bring and by `rules.body`.
    bytes += count
    if bytes >= rules.bodyBytes { startBody() }
  }

  mutating func headIsRead(at now: @autoclosure () -> NIODeadline) {
    phase = .body
    unanswered += 1
    readySince = isReady ? now() : nil
    startBody()
  }

  mutating func requestIsRead() { phase = isAnswering ? .answer : .idle }

  mutating func answerHasLeft(at now: @autoclosure () -> NIODeadline) {
    // What could not be read as a request is answered too.
    if isAnswering { unanswered -= 1 }
    guard !isAnswering else { return }
    answeredSince = now()
    if phase == .answer { phase = .idle }
  }

  mutating func write(bytes count: Int) { written += count }

  /// With so many bytes that were handed over and have not left yet.
  mutating func look(outstanding: Int, at now: NIODeadline) {
    let takenNow = written - outstanding
    if !isTaking || takenNow != taken { (taken, takenSince) = (takenNow, now) }
    isTaking = outstanding > 0
  }

  private mutating func startBody() { (bytes, waited) = (0, .zero) }

  /// When it is too slow unless something happens until then; nil: it owes nothing. Of answers, as of the
  /// last look.
  var deadline: NIODeadline? {
    let resting = answeredSince + rules.idle
    let sending: NIODeadline? =
      switch phase {
      case .idle: resting
      case .head: headSince + rules.head
      // Behind an answer that says so no more of the body is read, and the other side is to close.
      case .body: readySince.map { $0 + (rules.body - waited) } ?? (isAnswering ? nil : resting)
      case .answer: nil
      }
    guard isTaking else { return sending }
    let taking = takenSince + rules.answer
    return sending.map { min($0, taking) } ?? taking
  }
}

/// Ends a connection whose other side is too slow or has nothing to ask, and with its last answer where the
/// server stops. Stands first, where bytes come and go; it is told from behind the codec of HTTP what they
/// are (`RequestPhases`, `FileSending`).
///
/// NB: in the place of Hummingbird's `HTTPConnectionStateHandler`. To that an answer is over when its end is
/// written, so that it closes in the middle of each file that takes longer than a connection may rest.
final class ConnectionPacing: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let rules: ConnectionPace.Rules
  private let place: ConnectionPlace
  private var pace: ConnectionPace
  private var check: (task: Scheduled<Void>, at: NIODeadline)?
  /// Nil: not in a connection.
  private var context: ChannelHandlerContext?
  /// The server stops.
  private var isStopping = false

  init(_ rules: ConnectionPace.Rules, _ place: ConnectionPlace) {
    self.rules = rules
    self.place = place
    pace = ConnectionPace(rules, at: .now())
  }

  func headIsRead() {
    place.isBusy()
    pace.headIsRead(at: .now())
  }

  func requestIsRead() {
    pace.requestIsRead()
    rest()
  }

  /// All of it is in the hands of the kernel, or nobody will have it.
  func answerHasLeft() {
    pace.answerHasLeft(at: .now())
    if isStopping, !pace.isAnswering {
      context?.close(promise: nil)
    } else {
      rest()
    }
  }

  private func rest() {
    guard pace.isIdle, let context else { return }
    place.isIdle()
    schedule(context)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    schedule(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    check?.task.cancel()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    check?.task.cancel()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
    isStopping = true
    if !pace.isAnswering { context.close(promise: nil) }
  }

  func read(context: ChannelHandlerContext) {
    pace.isReadyToRead(at: .now())
    schedule(context)
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    pace.read(bytes: unwrapInboundIn(data).readableBytes, at: .now())
    schedule(context)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    pace.write(bytes: unwrapOutboundIn(data).readableBytes)
    if check == nil { look(context, at: .now() + rules.interval) }
    context.write(data, promise: promise)
  }

  /// One look at a time; a deadline that has moved back meanwhile is looked at again.
  private func schedule(_ context: ChannelHandlerContext) {
    guard let deadline = pace.deadline else { return }
    if let check, check.at <= deadline { return }
    check?.task.cancel()
    look(context, at: deadline)
  }

  private func look(_ context: ChannelHandlerContext, at deadline: NIODeadline) {
    guard context.channel.isActive else { return }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let task: Scheduled<Void> = context.eventLoop.scheduleTask(deadline: deadline) {
      let (pacing, context) = bound.value
      pacing.check = nil
      pacing.look(context)
    }
    check = (task, deadline)
  }

  private func look(_ context: ChannelHandlerContext) {
    let outstanding = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    let now = NIODeadline.now()
    pace.look(outstanding: outstanding ?? 0, at: now)
    guard let deadline = pace.deadline, deadline <= now else { return schedule(context) }
    context.close(promise: nil)
  }
}

/// Tells `ConnectionPacing` how far a request has been read.
final class RequestPhases: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private let pacing: ConnectionPacing

  init(_ pacing: ConnectionPacing) { self.pacing = pacing }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      pacing.headIsRead()
      // Here, since whatever comes next compares what is in it.
      if let comparable = ComparableHead.made(of: head) {
        return context.fireChannelRead(wrapInboundOut(.head(comparable)))
      }
    case .body: break
    case .end: pacing.requestIsRead()
    }
    context.fireChannelRead(data)
  }
}
