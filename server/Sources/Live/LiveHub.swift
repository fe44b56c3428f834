internal import Contract
public import CoreMetrics
internal import Foundation
public import Logging
public import Platform
internal import Synchronization

/// All live streams of a process: one subscription and one poll for all of them, however many there are.
///
/// News come as hints through the message bus, from this process and from others: the account's id, whose
/// streams then read the log. A hint may be lost. So every `pollEvery` the hub asks the log which of the
/// accounts that listen have anything new.
public final class LiveHub: LiveNotices {
  static let channel = "live"
  /// Streams of one account; more than people have devices. The oldest gives way.
  public static let streamsOfAnAccount = 10
  public static let streamsOfAProcess = 20_000
  /// Polls to a heartbeat. Proxies give up a connection on which nothing comes, the first after some 30 s.
  static let pollsOfAHeartbeat = 4
  /// An instant that has settled is of the last poll unless it is longer ago than this.
  static let freshMs: Int64 = 30_000

  private struct State {
    var streams: [String: [LiveStream]] = [:]
    var count = 0
    var nextNumber = 0
    var polls = 0
    /// What had settled when the log was last asked. Nothing of before is unknown to the streams that it
    /// concerns; nil as long as none of them has read anything.
    var settledMs: Int64?
    var tasks: [Task<Void, Never>] = []
    var isOver = false
  }

  public let log: LiveLog
  private let bus: any MessageBus
  private let time: any TimeSource
  private let pollEvery: Duration
  private let logger: Logger
  private let state = Mutex(State())
  private let connections: Meter
  private let events: CoreMetrics.Counter

  public init(
    log: LiveLog, bus: any MessageBus, time: any TimeSource, pollEvery: Duration = .seconds(5),
    logger: Logger = Logger(label: "clipfeed.live"), metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) {
    self.log = log
    self.bus = bus
    self.time = time
    self.pollEvery = pollEvery
    self.logger = logger
    connections = Meter(label: "clipfeed_live_connections", factory: metrics)
    events = CoreMetrics.Counter(label: "clipfeed_live_events_total", factory: metrics)
  }

  deinit { for task in state.withLock({ $0.tasks }) { task.cancel() } }

  // MARK: Writing

  @discardableResult
  public func append(
    to account: String, _ notice: LiveNotice, in transaction: any Transaction
  ) throws -> Bool {
    guard try log.append(to: account, notice, in: transaction) else { return false }
    transaction.afterCommit("live/\(account)") { [weak self] in self?.announce(account) }
    return true
  }

  private func announce(_ account: String) {
    wake(account, .changed)
    Task { [bus] in try? await bus.publish(Array(account.utf8), to: Self.channel) }
  }

  // MARK: Reading

  /// `after`: the last id that the client has seen of an earlier stream. `isOver`: asked with each poll; the
  /// stream ends when it is. Throws `unavailable` if there are too many.
  public func open(
    _ account: String, after: String?, isOver: @escaping @Sendable () async -> Bool = { false }
  ) throws -> LiveStream {
    let (stream, displaced) = try state.withLock { state -> (LiveStream, LiveStream?) in
      guard !state.isOver, state.count < Self.streamsOfAProcess else { throw AppError(.unavailable) }
      startIfNeeded(&state)
      state.nextNumber += 1
      let stream = LiveStream(
        of: account, number: state.nextNumber, after: after, log: log, time: time,
        settledMs: { [weak self, log] in
          guard let self else { return try await log.settledMs() }
          return try await settledMs()
        },
        polledMs: { [weak self] in self?.state.withLock { $0.settledMs } },
        isOver: isOver, onEvents: { [events] in events.increment(by: $0) },
        onEnd: { [weak self] in self?.leave($0) })
      var streams = state.streams[account, default: []]
      let displaced = streams.count >= Self.streamsOfAnAccount ? streams.removeFirst() : nil
      state.streams[account] = streams + [stream]
      state.count += displaced == nil ? 1 : 0
      return (stream, displaced)
    }
    displaced?.signals.raise([.over, .crowded])
    count()
    return stream
  }

  /// What was so at the last poll is so for ever, and asking costs a transaction.
  private func settledMs() async throws -> Int64 {
    let known = state.withLock { $0.settledMs }
    if let known, time.nowMs - known < Self.freshMs { return known }
    let settledMs = try await log.settledMs()
    // NB: only the first. What lies between a later one and that of the last poll no poll has looked at.
    state.withLock { $0.settledMs = $0.settledMs ?? settledMs }
    return settledMs
  }

  private func leave(_ stream: LiveStream) {
    state.withLock { state in
      guard var streams = state.streams[stream.account],
        let place = streams.firstIndex(where: { $0 === stream })
      else { return }
      streams.remove(at: place)
      state.streams[stream.account] = streams.isEmpty ? nil : streams
      state.count -= 1
    }
    count()
  }

  private func count() { connections.set(state.withLock { $0.count }) }

  /// Ends all streams well; their clients come back, to another server.
  public func stop() {
    let (tasks, streams) = state.withLock { state in
      state.isOver = true
      return (state.tasks, state.streams.values.flatMap(\.self))
    }
    for task in tasks { task.cancel() }
    for stream in streams { stream.signals.raise(.over) }
  }

  private func wake(_ account: String, _ signal: LiveSignal) {
    for stream in state.withLock({ $0.streams[account] ?? [] }) { stream.signals.raise(signal) }
  }

  private func startIfNeeded(_ state: inout State) {
    guard state.tasks.isEmpty else { return }
    let signals = bus.subscribe(to: Self.channel)
    let listening = Task { [weak self] in
      for await signal in signals {
        switch signal {
        case .message(let account): self?.wake(String(decoding: account, as: UTF8.self), .changed)
        // Some hints may be lost: all look.
        case .joined: await self?.poll(beating: false)
        }
      }
    }
    let polling = Task { [weak self, pollEvery] in
      while !Task.isCancelled {
        try? await Task.sleep(for: pollEvery)
        guard !Task.isCancelled else { return }
        await self?.poll(beating: true)
      }
    }
    state.tasks = [listening, polling]
  }

  /// An ended session must not be listened to. Asking costs a look into memory; what other processes know
  /// comes with it.
  private func endThoseOver() async {
    for stream in state.withLock({ $0.streams.values.flatMap(\.self) }) where await stream.isOver() {
      stream.signals.raise(.over)
    }
  }

  /// One look into the log for all streams. Who has anything new, or visible late, looks for himself.
  func poll(beating: Bool) async {
    await endThoseOver()
    let nowMs = time.nowMs
    do {
      // NB: before the accounts are taken and the log is read.
      let settledMs = try await log.settledMs()
      let (accounts, before) = state.withLock { ($0.streams.keys.map(\.self), $0.settledMs) }
      if let before {
        for account in try await log.changed(accounts, from: before) { wake(account, .late) }
        state.withLock { $0.settledMs = max(before, settledMs) }
      }
    } catch {
      logger.warning("live events cannot be looked up now", metadata: ["error": "\(error)"])
    }
    guard beating else { return }
    let (due, ended) = state.withLock { state in
      state.polls += 1
      // A part of them each time: writing to all at once would hold up everything else.
      let turn = state.polls % Self.pollsOfAHeartbeat
      let all = state.streams.values.flatMap(\.self)
      return (
        all.filter { $0.number % Self.pollsOfAHeartbeat == turn }, all.filter { $0.endsAtMs <= nowMs }
      )
    }
    for stream in ended { stream.signals.raise(.over) }
    for stream in due { stream.signals.raise(.heartbeat) }
  }
}
