public import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
public import Platform
internal import Synchronization

/// What processes share, on a Redis. Connections are on event loops, so waiting for an answer holds no
/// thread; hiredis takes the protocol apart.
public final class RedisCache: Cache, RateLimiter, MessageBus, HealthChecking {
  /// Commands of one moment share a connection anyway (`RedisPipeline`); two let both cores of a small
  /// machine at it.
  static let connections = 2

  private let prefix: [UInt8]
  private let links: [RedisLink]
  private let listener: RedisLink
  private let health: RedisHealth
  private let subscribers: Broadcaster
  private let turn = Atomic<Int>(0)
  private let pulse: Mutex<Task<Void, Never>?> = Mutex(nil)
  private let heard: Heard
  private let pulseEvery: Duration

  /// `prefix` keeps instances apart that share a Redis. Throws if the certificates cannot be read.
  public convenience init(_ address: RedisAddress, prefix: String, logger: Logger) throws {
    try self.init(address, prefix: prefix, logger: logger, patience: RedisPatience())
  }

  init(_ address: RedisAddress, prefix: String, logger: Logger, patience: RedisPatience) throws {
    self.prefix = Array(prefix.utf8)
    let health = RedisHealth(address, logger)
    let subscribers = Broadcaster()
    let heard = Heard()
    let tls = try address.hasTLS ? Self.tls(address) : nil
    let group = MultiThreadedEventLoopGroup.singleton
    links = (0..<Self.connections).map {
      RedisLink($0, address, tls, on: group.next(), patience, health)
    }
    let prefixBytes = self.prefix
    listener = RedisLink(
      Self.connections, address, tls, on: group.next(), patience, health,
      onPush: { reply in
        heard.note()
        guard case .list(let parts) = reply, parts.count == 3, let kind = parts[0].text,
          case .bytes(let name) = parts[1], name.starts(with: prefixBytes)
        else { return }
        let channel = String(decoding: name.dropFirst(prefixBytes.count), as: UTF8.self)
        if kind == "subscribe" { subscribers.tell(.joined, to: channel) }
        if kind == "message", case .bytes(let message) = parts[2] {
          subscribers.tell(.message(message), to: channel)
        }
      },
      onOpen: { open in
        let names = subscribers.channels.map { prefixBytes + Array($0.utf8) }
        guard !names.isEmpty else { return }
        Self.tell([Array("SUBSCRIBE".utf8)] + names, open)
      })
    self.health = health
    self.subscribers = subscribers
    self.heard = heard
    pulseEvery = patience.pulse
  }

  deinit { stop() }

  /// Returns when the first try to connect has ended, well or not; after that it is tried again by itself.
  public func start() async {
    await withTaskGroup { group in
      for link in links + [listener] { group.addTask { await link.start() } }
    }
    // A connection on which nothing comes may be dead without anybody having been told.
    let task = Task { [listener, heard, pulseEvery] in
      while !Task.isCancelled {
        try? await Task.sleep(for: pulseEvery)
        guard let channel = listener.channel else { continue }
        if heard.isSilent(on: channel) {
          channel.close(promise: nil)
        } else {
          Self.tell([Array("PING".utf8)], channel)
        }
      }
    }
    pulse.withLock { $0 = task }
  }

  public func stop() {
    pulse.withLock { $0?.cancel() }
    for link in links + [listener] { link.stop() }
    subscribers.finish()
  }

  // MARK: Cache

  public func get(_ key: String) async throws -> [UInt8]? {
    if case .bytes(let value) = try await call("GET", [name(key)]) { value } else { nil }
  }

  public func set(_ key: String, to value: [UInt8], forMs: Int64) async throws {
    try await call("SET", [name(key), value, Self.word("PX"), Self.word(forMs)])
  }

  public func delete(_ key: String) async throws {
    try await call("DEL", [name(key)])
  }

  public func increment(_ key: String, by change: Int64, forMs: Int64) async throws -> Int64 {
    try await number(.increment, [name(key)], [Self.word(change), Self.word(forMs)])
  }

  // MARK: RateLimiter

  public func take(_ wanted: [BucketKey]) async throws -> Int64? {
    let waitMs = try await number(
      .take, wanted.map { name("bucket/\($0.bucket.name)/\($0.key)") },
      wanted.flatMap { [Self.word($0.bucket.burst), Self.word($0.bucket.intervalMs)] })
    return waitMs > 0 ? waitMs : nil
  }

  public func refill(_ key: String, of bucket: TokenBucket) async throws {
    try await delete("bucket/\(bucket.name)/\(key)")
  }

  // MARK: MessageBus

  public func publish(_ message: [UInt8], to channel: String) async throws {
    try await call("PUBLISH", [name(channel), message])
  }

  public func subscribe(to channel: String) -> AsyncStream<BusSignal> {
    let name = name(channel)
    let stream = subscribers.subscribe(to: channel, isJoined: false) { [weak listener, weak subscribers] in
      guard let listener, let subscribers, let open = listener.channel else { return }
      Self.tell([Array("UNSUBSCRIBE".utf8), name], open)
      // Somebody may have come in between, and was just cut off.
      if subscribers.channels.contains(channel) { Self.tell([Array("SUBSCRIBE".utf8), name], open) }
    }
    // NB: also if others have joined: the answer is what tells this one. The others look once more than they
    // need to.
    if let open = listener.channel { Self.tell([Array("SUBSCRIBE".utf8), name], open) }
    return stream
  }

  // MARK: HealthChecking

  public func check() async throws {
    try await call("PING", [])
    if let reason = health.reason { throw CacheUnavailable(reason) }
  }

  /// Of the server, for `clipfeed doctor`.
  public func version() async throws -> String {
    let text = try await call("INFO", [Self.word("server")]).text ?? ""
    let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("redis_version:") }
    return line.map { String($0.dropFirst("redis_version:".count)) } ?? "of an unknown version"
  }

  // MARK: Words

  private func name(_ key: String) -> [UInt8] { prefix + Array(key.utf8) }
  private static func word(_ text: String) -> [UInt8] { Array(text.utf8) }
  private static func word(_ number: Int64) -> [UInt8] { Array(String(number).utf8) }

  /// Nobody waits for an answer to it.
  private static func tell(_ words: [[UInt8]], _ channel: any Channel) {
    channel.write(RedisCall(bytes: RedisCommand.bytes(words), answer: nil), promise: nil)
  }

  @discardableResult
  private func call(_ command: String, _ words: [[UInt8]]) async throws -> RedisReply {
    let reply = try await send([Self.word(command)] + words)
    if case .failure(let reason) = reply { throw CacheUnavailable("\(command): \(reason)") }
    return reply
  }

  private func send(_ words: [[UInt8]]) async throws -> RedisReply {
    let first = turn.wrappingAdd(1, ordering: .relaxed).newValue
    for offset in 0..<links.count {
      guard let channel = links[(first &+ offset) & 1].channel, channel.isActive else { continue }
      do {
        return try await RedisLink.call(words, on: channel)
      } catch let error as CacheUnavailable {
        throw error
      } catch {
        throw CacheUnavailable("\(error)")
      }
    }
    throw CacheUnavailable(health.reason ?? "there is no connection yet")
  }

  /// Runs a script that answers with a number; the server knows it by its hash after the first time.
  private func number(_ script: RedisScript, _ keys: [[UInt8]], _ words: [[UInt8]]) async throws -> Int64 {
    let rest = [Self.word(Int64(keys.count))] + keys + words
    var reply = try await send([Self.word("EVALSHA"), script.hash] + rest)
    if case .failure(let reason) = reply, reason.hasPrefix("NOSCRIPT") {
      reply = try await send([Self.word("EVAL"), script.text] + rest)
    }
    switch reply {
    case .integer(let number): return number
    case .failure(let reason): throw CacheUnavailable(reason)
    default: throw CacheUnavailable("a script answered with something else than a number")
    }
  }

  private static func tls(_ address: RedisAddress) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let file = address.authorities {
      configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
    }
    return try NIOSSLContext(configuration: configuration)
  }
}

/// Whether anything came on a connection since the last look.
private final class Heard: Sendable {
  private let state = Mutex<(hasHeard: Bool, channel: ObjectIdentifier?)>((true, nil))

  func note() { state.withLock { $0.hasHeard = true } }

  func isSilent(on channel: any Channel) -> Bool {
    state.withLock { state in
      defer { state = (false, ObjectIdentifier(channel)) }
      return !state.hasHeard && state.channel == ObjectIdentifier(channel)
    }
  }
}
