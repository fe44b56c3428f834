internal import Foundation
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Platform
internal import Synchronization

/// Whether the Redis is there, as all connections of a process find it. One warning when it goes, one notice
/// when it is back, however many requests find out.
final class RedisHealth: Sendable {
  private struct State {
    /// Nil: it is there.
    var reason: String?
    var down: Set<Int> = []
  }

  private let state = Mutex(State())
  private let address: RedisAddress
  private let logger: Logger

  init(_ address: RedisAddress, _ logger: Logger) {
    self.address = address
    self.logger = logger
  }

  var reason: String? { state.withLock { $0.reason } }

  func failed(_ link: Int, _ reason: String) {
    let isNew = state.withLock { state in
      defer { state.reason = reason }
      state.down.insert(link)
      return state.reason == nil
    }
    guard isNew else { return }
    logger.warning(
      "Redis cannot be used; the service goes on without it and looks for it again",
      metadata: ["address": "\(address)", "reason": "\(reason)"])
  }

  func works(_ link: Int) {
    let isBack = state.withLock { state in
      state.down.remove(link)
      guard state.reason != nil, state.down.isEmpty else { return false }
      state.reason = nil
      return true
    }
    if isBack { logger.notice("Redis is back", metadata: ["address": "\(address)"]) }
  }
}

/// Times within which a Redis has to do things, and pauses between tries.
struct RedisPatience: Sendable {
  var connect = TimeAmount.seconds(2)
  /// Hundreds of times what an answer takes. While Redis hangs the requests of that moment wait for so long,
  /// once.
  var answer = TimeAmount.milliseconds(1000)
  /// How often a connection that only listens is tried.
  var pulse = Duration.seconds(10)
  var firstPauseMs = 100
  var longestPauseMs = 5000

  /// Doubles with each failure. Half of it is random, so that the servers of an instance do not come back as
  /// one.
  func pauseMs(after failures: Int) -> Int {
    let full = min(longestPauseMs, firstPauseMs << min(failures - 1, 16))
    return full / 2 + Int.random(in: 0...full / 2)
  }
}

/// A connection that is made again whenever it ends.
final class RedisLink: Sendable {
  private let number: Int
  private let address: RedisAddress
  private let tls: NIOSSLContext?
  private let loop: any EventLoop
  private let patience: RedisPatience
  private let health: RedisHealth
  private let onPush: (@Sendable (RedisReply) -> Void)?
  private let onOpen: @Sendable (any Channel) -> Void
  private let state = Mutex<(channel: (any Channel)?, task: Task<Void, Never>?, isOver: Bool)>(
    (nil, nil, false))

  init(
    _ number: Int, _ address: RedisAddress, _ tls: NIOSSLContext?, on loop: any EventLoop,
    _ patience: RedisPatience,
    _ health: RedisHealth, onPush: (@Sendable (RedisReply) -> Void)? = nil,
    onOpen: @escaping @Sendable (any Channel) -> Void = { _ in }
  ) {
    self.number = number
    self.address = address
    self.tls = tls
    self.loop = loop
    self.patience = patience
    self.health = health
    self.onPush = onPush
    self.onOpen = onOpen
  }

  var channel: (any Channel)? { state.withLock { $0.channel } }

  /// Tries once, and then goes on trying beside whoever called.
  func start() async {
    var channel = await attempt()
    let task = Task { [self] in
      var failures = channel == nil ? 1 : 0
      while !Task.isCancelled {
        if let open = channel {
          failures = 0
          try? await open.closeFuture.get()
          state.withLock { $0.channel = nil }
          guard !Task.isCancelled else { return }
          health.failed(number, "the connection has ended")
        } else {
          try? await Task.sleep(for: .milliseconds(patience.pauseMs(after: failures)))
          guard !Task.isCancelled else { return }
        }
        channel = await attempt()
        if channel == nil { failures += 1 }
      }
    }
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver
    }
    if isOver { stop() }
  }

  func stop() {
    let (channel, task) = state.withLock { state in
      state.isOver = true
      return (state.channel, state.task)
    }
    task?.cancel()
    channel?.close(promise: nil)
  }

  private func attempt() async -> (any Channel)? {
    do {
      let channel = try await connect()
      let isOver = state.withLock { state in
        if !state.isOver { state.channel = channel }
        return state.isOver
      }
      guard !isOver else {
        channel.close(promise: nil)
        return nil
      }
      onOpen(channel)
      health.works(number)
      return channel
    } catch {
      health.failed(number, Self.words(error))
      return nil
    }
  }

  /// For an operator.
  private static func words(_ error: any Error) -> String {
    switch error {
    case let error as CacheUnavailable: error.description
    case let error as NIOConnectionError where error.connectionErrors.isEmpty:
      "the name \(error.host) is not known"
    case let error as NIOConnectionError:
      "nothing can be reached at \(error.host):\(error.port) ("
        + ((error.connectionErrors.first?.error as? IOError).map { String(cString: strerror($0.errnoCode)) }
          ?? "no answer") + ")"
    default: "\(error)"
    }
  }

  private func connect() async throws -> any Channel {
    let channel = try await ClientBootstrap(group: loop).connectTimeout(patience.connect)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls {
            try channel.pipeline.syncOperations.addHandler(
              try NIOSSLClientHandler(
                context: tls, serverHostname: Self.isNumber(address.host) ? nil : address.host))
          }
          try channel.pipeline.syncOperations.addHandler(
            RedisPipeline(patience: patience.answer, onPush: onPush))
        }
      }.connect(host: address.host, port: address.port).get()
    do {
      try await greet(channel)
      return channel
    } catch {
      channel.close(promise: nil)
      throw error
    }
  }

  private func greet(_ channel: any Channel) async throws {
    if let password = address.password {
      try await expect(
        channel, ["AUTH"] + (address.user.map { [$0] } ?? []) + [password], "the password is refused")
    }
    if address.database != 0 {
      try await expect(
        channel, ["SELECT", String(address.database)], "the database \(address.database) cannot be used")
    }
    try await expect(channel, ["PING"], "it refuses to answer")
  }

  private func expect(_ channel: any Channel, _ words: [String], _ what: String) async throws {
    if case .failure(let reason) = try await Self.call(words.map { Array($0.utf8) }, on: channel) {
      throw CacheUnavailable("\(what) (\(reason))")
    }
  }

  static func call(_ words: [[UInt8]], on channel: any Channel) async throws -> RedisReply {
    let answer = channel.eventLoop.makePromise(of: RedisReply.self)
    let call = RedisCall(bytes: RedisCommand.bytes(words), answer: answer)
    channel.write(call).whenFailure { answer.fail(CacheUnavailable("\($0)")) }
    return try await answer.futureResult.get()
  }

  /// A name in a certificate is compared only with a name.
  private static func isNumber(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }
}
