public import Logging
internal import Synchronization

/// Attempts to get in, changes of what opens an account, and what was refused: a line each for the operator, under a label of
/// its own and whatever the level of the log is (OWASP ASVS 7.1.3, 7.2). No line has a name, an address of mail, a password or a
/// token in it, since whoever reads logs is not whoever may sign in.
public final class SecurityLog: Sendable {
  public static let label = "clipfeed.security"
  /// Of its lines.
  public static let level = Logger.Level.notice

  public struct Event: Sendable, Hashable {
    /// What was tried, from a closed list: docs/operate.md.
    public var name: String
    /// `ok`, or the code of the error that was answered.
    public var outcome: String
    /// The id of the account that it is about, where that is known.
    public var account: String?
    /// Of whoever asked; empty for the operator's own commands.
    public var address: String

    public init(_ name: String, outcome: String = "ok", account: String?, address: String) {
      self.name = name
      self.outcome = outcome
      self.account = account
      self.address = address
    }
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
    guard taken.isFirstHeld else { return }
    // What was held back is told also if nothing comes any more.
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(SecurityTally.spanMs))
      self?.endSpan()
    }
  }

  /// Tells what was held back so far.
  func endSpan() { tally.withLock { $0.end() }.forEach(write) }

  private func write(_ held: SecurityTally.Held) {
    write(held.event, metadata: ["repeated": "\(held.count)"])
  }

  private func write(_ event: Event, metadata: Logger.Metadata) {
    var metadata = metadata
    metadata["event"] = "\(event.name)"
    metadata["outcome"] = "\(event.outcome)"
    metadata["address"] = event.address.isEmpty ? nil : "\(event.address)"
    metadata["account"] = event.account.map { "\($0)" }
    logger.log(level: Self.level, "security event", metadata: metadata)
  }
}

/// Which events get a line. Whoever floods the server must not fill the operator's disk, nor hide one line among a million: of one
/// kind from one address so many in a minute have one, and so many in all; the others are counted.
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
  private var shown = 0
  private var isHolding = false

  /// `held`: of the minute before, where this is the first event of another.
  mutating func take(
    _ event: SecurityLog.Event, atMs nowMs: Int64
  ) -> (isShown: Bool, isFirstHeld: Bool, held: [Held]) {
    let isOver = beganMs.map { !(0..<Self.spanMs).contains(nowMs - $0) } ?? true
    let before = isOver ? end() : []
    if isOver { beganMs = nowMs }
    let key = key(of: event)
    var count = counts[key] ?? Count()
    let isShown = count.shown < Self.ofOne && shown < Self.inAll
    if isShown {
      count.shown += 1
      shown += 1
    } else {
      count.held += 1
    }
    counts[key] = count
    defer { isHolding = isHolding || !isShown }
    return (isShown, !isShown && !isHolding, before)
  }

  /// What was held back, most of it first; the count begins anew.
  mutating func end() -> [Held] {
    let held = counts.filter { $0.value.held > 0 }.map { Held(event: $0.key, count: $0.value.held) }
    (counts, shown, isHolding, beganMs) = ([:], 0, false, nil)
    return held.sorted {
      ($0.count, $0.event.name, $0.event.address) > ($1.count, $1.event.name, $1.event.address)
    }
  }

  /// Whoever guesses at many accounts is one.
  private func key(of event: SecurityLog.Event) -> SecurityLog.Event {
    var key = event
    key.account = nil
    guard counts[key] == nil, counts.count >= Self.mostCounted else { return key }
    key.address = Self.others
    return key
  }
}
