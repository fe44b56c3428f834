internal import Synchronization

/// Something of a job that can be ready before the rest, such as one rendition of a clip.
public struct JobPart: Sendable, Equatable {
  public enum State: String, Sendable { case queued, running, ready }

  /// A word of ours: neither space nor colon, since the parts stand in one column as text.
  public let name: String
  public var state: State

  public init(_ name: String, _ state: State) {
    self.name = name
    self.state = state
  }

  /// As the parts of a job stand in its row: "360:ready 540:running".
  static func text(of parts: [JobPart]) -> String {
    parts.map { "\($0.name):\($0.state.rawValue)" }.joined(separator: " ")
  }

  /// What cannot be read is left out: an older row is no reason to fail.
  static func parts(in text: String) -> [JobPart] {
    text.split(atByte: UInt8(ascii: " ")).compactMap { word in
      let pair = word.split(atByte: UInt8(ascii: ":"))
      guard pair.count == 2, let state = State(rawValue: String(pair[1])) else { return nil }
      return JobPart(String(pair[0]), state)
    }
  }
}

/// Where a handler says how far it is; the worker writes it down now and then.
public final class JobProgress: Sendable {
  public struct Snapshot: Sendable, Equatable {
    public var step = ""
    public var permille = 0
    public var parts: [JobPart] = []
    /// Nil: nobody can say yet.
    public var remainingMs: Int64?

    public init(step: String = "", permille: Int = 0, parts: [JobPart] = [], remainingMs: Int64? = nil) {
      self.step = step
      self.permille = permille
      self.parts = parts
      self.remainingMs = remainingMs
    }
  }

  private let state = Mutex(Snapshot())

  public init() {}

  /// Permille of the whole job, meant to grow evenly with time: the remaining time is reckoned from it. What
  /// is reported out of order by work that overlaps never takes it back.
  public func report(_ step: String, permille: Int) {
    state.withLock {
      $0.step = step
      $0.permille = max($0.permille, min(permille, 1000))
    }
  }

  public func plan(_ parts: [JobPart]) {
    state.withLock { $0.parts = parts }
  }

  public func mark(_ names: some Sequence<String>, _ part: JobPart.State) {
    let names = Set(names)
    state.withLock { state in
      for place in state.parts.indices where names.contains(state.parts[place].name) {
        state.parts[place].state = part
      }
    }
  }

  public var current: Snapshot { state.withLock { $0 } }
}

/// How long a job still takes, from how fast it went lately.
///
/// Speed is a mean that forgets: what happened `memoryMs` ago counts a third. So one slow moment does not
/// make the figure jump, and work that stands still makes it grow. It is silent until it has seen enough to
/// be honest.
struct RemainingTime {
  static let memoryMs = 6000.0
  /// Before this much was seen a figure would be a guess.
  static let leastMs = 1500.0
  static let leastPermille = 10.0
  /// Beyond this nobody can say. Work that stands still makes the figure grow without end, and past what an
  /// integer holds.
  static let mostMs: Int64 = 24 * 60 * 60 * 1000

  private var lastMs: Int64?
  private var lastPermille = 0
  private var seenMs = 0.0
  private var seenPermille = 0.0
  private var weighedMs = 0.0
  private var weighedPermille = 0.0

  /// What a figure that somebody kept may be.
  static func bounded(_ milliseconds: Int64) -> Int64? {
    (0...mostMs).contains(milliseconds) ? milliseconds : nil
  }

  /// Milliseconds until 1000 permille at the speed so far; nil while that is unknown.
  mutating func observe(permille: Int, atMs now: Int64) -> Int64? {
    defer { (lastMs, lastPermille) = (now, permille) }
    // What was done before the first look took an unknown time.
    guard let lastMs, now > lastMs else { return nil }
    let (time, done) = (Double(now - lastMs), Double(max(0, permille - lastPermille)))
    // The series of e^-x, cut so that no long pause turns it negative.
    let kept = 1 / (1 + time / Self.memoryMs)
    seenMs += time
    seenPermille += done
    weighedMs = weighedMs * kept + time
    weighedPermille = weighedPermille * kept + done
    guard seenMs >= Self.leastMs, seenPermille >= Self.leastPermille, weighedPermille > 0 else { return nil }
    let left = Int64(clamping: (Double(1000 - permille) * weighedMs / weighedPermille).rounded(.towardZero))
    return Self.bounded(left)
  }
}
