public import Logging
internal import Synchronization

/// Attempts to get in, changes of what opens an account, and what was refused: a line each for the operator,
/// under a label of its own and whatever the level of the log is (OWASP ASVS 7.1.3, 7.2). No line has a name,
/// an address of mail, a password or a token in it, since whoever reads logs is not whoever may sign in.
public final class SecurityLog: Sendable {
  public static let label = "clipfeed.security"
  /// Of its lines.
  public static let level = Logger.Level.notice

  public struct Event: Sendable, Hashable {
    /// What was tried, from a closed list: docs/operate.md.
    public var name: String
    /// The template of the route by which it was tried.
    public var route: String?
    /// `ok`, or the code of the error that was answered.
    public var outcome: String
    /// The id of the account that it is about, where that is known.
    public var account: String?
    /// Of whoever asked; empty for the operator's own commands.
    public var address: String
    /// Which addresses are one in a flood: whoever has one of IPv6 has millions.
    public var network: String

    public init(
      _ name: String, route: String? = nil, outcome: String = "ok", account: String?, address: String,
      network: String? = nil
    ) {
      self.name = name
      self.route = route
      self.outcome = outcome
      self.account = account
      self.address = address
      self.network = network ?? address
    }

    /// What came to pass, or what a thief left: no flood of what failed may hide it.
    fileprivate var isOfOwner: Bool { ["ok", "refresh_token_reused"].contains(outcome) }
  }

  private let time: any TimeSource
  private let logger: Logger
  private let tally = Mutex(SecurityTally())

  public init(time: any TimeSource = SystemTime(), logger: Logger = Logger(label: SecurityLog.label)) {
    self.time = time
    self.logger = logger
  }

  /// What the operator did to an account, or to the instance, by a command.
  public static func note(_ name: String, account: String? = nil) {
    SecurityLog().write(Event(name, account: account, address: ""))
  }

  public func write(_ event: Event) {
    let taken = tally.withLock { $0.take(event, atMs: time.nowMs) }
    taken.held.forEach(write)
    if taken.isShown { write(event, metadata: [:]) }
    guard let span = taken.firstHeldOf else { return }
    // What was held back is told also if nothing comes any more.
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(SecurityTally.spanMs))
      guard let self else { return }
      tally.withLock { $0.end(of: span) }.forEach(write)
    }
  }

  /// Tells what was held back so far: before a process ends.
  public func end() { tally.withLock { $0.end() }.forEach(write) }

  private func write(_ held: SecurityTally.Held) {
    write(held.event, metadata: ["repeated": "\(held.count)"])
  }

  private func write(_ event: Event, metadata: Logger.Metadata) {
    var metadata = metadata
    metadata["route"] = event.route.map { "\($0)" }
    metadata["event"] = "\(event.name)"
    metadata["outcome"] = "\(event.outcome)"
    metadata["address"] = event.address.isEmpty ? nil : "\(event.address)"
    metadata["account"] = event.account.map { "\($0)" }
    logger.log(level: Self.level, "security event", metadata: metadata)
  }
}

/// Which events get a line. Whoever floods the server must not fill the operator's disk, nor hide one line
/// among a million: of one kind from one network so many in a minute have one, and so many in all; the others
/// are counted. What came to pass has lines of its own, which no flood of failures takes away.
struct SecurityTally {
  static let spanMs: Int64 = 60_000
  static let ofOne = 10
  static let inAll = 300
  /// Kinds and addresses that are counted by themselves.
  static let mostCounted = 200
  private static let others = "others"

  struct Held: Equatable {
    var event: SecurityLog.Event
    var count: Int
  }

  private struct Count {
    var shown = 0
    var held = 0
  }

  private var beganMs: Int64?
  private var counts: [SecurityLog.Event: Count] = [:]
  /// Of owners' events, and of others.
  private var shown: [Bool: Int] = [:]
  private var isHolding = false

  /// `held`: of the minute before, where this is the first event of another.
  mutating func take(
    _ event: SecurityLog.Event, atMs nowMs: Int64
  ) -> (isShown: Bool, firstHeldOf: Int64?, held: [Held]) {
    let isOver = beganMs.map { !(0..<Self.spanMs).contains(nowMs - $0) } ?? true
    let before = isOver ? end() : []
    if isOver { beganMs = nowMs }
    let key = key(of: event)
    var count = counts[key] ?? Count()
    let isShown = count.shown < Self.ofOne && shown[event.isOfOwner, default: 0] < Self.inAll
    if isShown {
      count.shown += 1
      shown[event.isOfOwner, default: 0] += 1
    } else {
      count.held += 1
    }
    counts[key] = count
    defer { isHolding = isHolding || !isShown }
    return (isShown, isShown || isHolding ? nil : beganMs, before)
  }

  /// What was held back, most of it first; the count begins anew.
  mutating func end() -> [Held] {
    let held = counts.filter { $0.value.held > 0 }.map { Held(event: $0.key, count: $0.value.held) }
    (counts, shown, isHolding, beganMs) = ([:], [:], false, nil)
    return held.sorted {
      ($0.count, $0.event.name, $0.event.address) > ($1.count, $1.event.name, $1.event.address)
    }
  }

  /// The same, of the span that began then; nothing if it is over.
  mutating func end(of span: Int64) -> [Held] { beganMs == span ? end() : [] }

  /// Whoever guesses at many accounts is one.
  private func key(of event: SecurityLog.Event) -> SecurityLog.Event {
    var key = event
    key.account = nil
    // NB: also of one who has many addresses: the network is what is told.
    key.address = event.network
    guard counts[key] == nil, counts.count >= Self.mostCounted else { return key }
    (key.address, key.network, key.route) = (Self.others, Self.others, nil)
    return key
  }
}
