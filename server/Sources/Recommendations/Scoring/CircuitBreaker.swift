internal import Platform

/// When somebody who fails is asked again: not before a rest, and then once.
///
/// Nygard: "Release It!", 2007. A machine without a clock: times are what has passed since any moment, the
/// same for all calls, and do not run backwards.
struct CircuitBreaker: Sendable, Equatable {
  struct Settings: Sendable, Equatable {
    /// It opens with so many failures within the window, if they are at least half of what was asked there.
    var failures = 5
    var window = Duration.seconds(10)
    /// Nobody is asked for so long.
    var rest = Duration.seconds(5)
  }

  enum State: Sendable, Equatable {
    case closed
    /// Until then nobody is asked.
    case open(until: Duration)
    /// One is asked; until then others are not.
    case halfOpen(until: Duration)
  }

  enum Change: Sendable, Equatable { case opened, closed }

  /// The right to ask once. What comes of it counts only while the state is that in which it was given.
  struct Permit: Sendable, Equatable { fileprivate let era: Int }

  let settings: Settings
  private(set) var state = State.closed
  private var era = 0
  /// What ended within the window while closed, by its tenths.
  private var tenths: [Tenth] = []

  private struct Tenth: Sendable, Equatable {
    let number: Int64
    var asked = 0
    var failed = 0
  }

  init(_ settings: Settings = Settings()) { self.settings = settings }

  /// Nil: do not ask.
  mutating func permit(at now: Duration) -> Permit? {
    switch state {
    case .closed: return Permit(era: era)
    // A probe of which nothing is heard does not keep others from asking for ever.
    case .open(let end), .halfOpen(let end):
      guard now >= end else { return nil }
      enter(.halfOpen(until: now + settings.rest))
      return Permit(era: era)
    }
  }

  /// What came of it. Nil: nothing changes.
  mutating func ended(_ permit: Permit, isAnswered: Bool, at now: Duration) -> Change? {
    guard permit.era == era else { return nil }
    switch state {
    case .open: return nil
    case .halfOpen:
      enter(isAnswered ? .closed : .open(until: now + settings.rest))
      return isAnswered ? .closed : nil
    case .closed:
      count(isAnswered, at: now)
      let (asked, failed) = tenths.reduce((0, 0)) { ($0.0 + $1.asked, $0.1 + $1.failed) }
      guard failed >= settings.failures, failed * 2 >= asked else { return nil }
      enter(.open(until: now + settings.rest))
      return .opened
    }
  }

  private mutating func enter(_ next: State) {
    state = next
    era += 1
    tenths = []
  }

  private mutating func count(_ isAnswered: Bool, at now: Duration) {
    let number = Int64(clamping: (now / settings.window * 10).rounded(.down))
    tenths.removeAll { $0.number <= number - 10 }
    if tenths.last?.number != number { tenths.append(Tenth(number: number)) }
    tenths[tenths.count - 1].asked += 1
    tenths[tenths.count - 1].failed += isAnswered ? 0 : 1
  }
}
