import CoreTypes

/// Where a person is in the plan.
struct Viewer {
  enum Phase {
    /// Waits for pictures or watches them.
    case watching
    case dragging(Drag)
    case interrupted(until: Instant, away: Bool)
    case finished
  }

  struct Drag {
    let swipe: Plan.Swipe
    let began: Instant
    /// +1 to the next clip, −1 to the one before.
    let direction: Int64
    /// Ends where it began.
    let isHesitation: Bool
    var nextMove: Instant

    var ends: Instant { began + swipe.duration }

    /// Of the finger, downward positive as in events.
    func translation(at time: Instant) -> Int64 {
      let elapsed = min((time - began).rawValue, swipe.duration.rawValue)
      return -direction * swipe.travel * elapsed / max(1, swipe.duration.rawValue)
    }
  }

  /// As often as a screen reports a finger.
  static let moveInterval = Milliseconds(16)
  static let hesitation = Plan.Swipe(duration: Milliseconds(220), travel: 70, velocity: 0)
  /// A swipe that led nowhere is tried again after this.
  static let retry = Milliseconds(1_200)

  let plan: Plan
  var phase = Phase.watching
  var visit = 0
  /// When the swipe to this clip was released.
  var released = Instant(0)
  var retryAt = Instant(0) + Viewer.retry
  /// What does not play by itself is tapped at once: how long a person takes for that is no policy's doing.
  var tapsAt = Instant(0)
  /// When the page has come to rest: nobody swipes on before.
  var restsAt = Instant(0)
  var hasMoved = false
  var isStalled = false
  var watched = Milliseconds.zero
  /// In this visit, without pictures.
  var keptWaiting = Milliseconds.zero
  var incident = 0

  init(_ plan: Plan) { self.plan = plan }

  var current: Plan.Visit { plan.visits[visit] }

  var isFinished: Bool {
    if case .finished = phase { true } else { false }
  }

  var isInterrupted: Bool {
    if case .interrupted = phase { true } else { false }
  }

  var isLast: Bool { visit == plan.visits.count - 1 }

  var nextIncident: Plan.Incident? {
    incident < current.incidents.count ? current.incidents[incident] : nil
  }

  /// When there is something to do, if nothing changes until then. `isMoving`: the picture moves;
  /// `isThere`: the page is the current one; `isPaused`: it says that a tap lets it play.
  func nextEvent(at now: Instant, isMoving: Bool, isThere: Bool, isPaused: Bool) -> Instant? {
    switch phase {
    case .finished: return nil
    case .interrupted(let until, _): return until
    case .dragging(let drag): return min(drag.nextMove, drag.ends)
    case .watching:
      guard isThere else { return retryAt }
      if current.isGlance { return max(now, glanceEnd) }
      if isPaused { return max(now, tapsAt) }
      guard isMoving, hasMoved else { return now + max(.zero, current.patience - keptWaiting) }
      let next = min(current.watch, nextIncident?.after ?? current.watch)
      return now + max(.zero, next - watched)
    }
  }

  private var glanceEnd: Instant { max(released + current.watch, restsAt) }

  /// Enough seen, or waited.
  func wantsToLeave(at now: Instant) -> Bool {
    if current.isGlance { return now >= glanceEnd }
    return watched >= current.watch || keptWaiting >= current.patience
  }

  mutating func arrive(at now: Instant) {
    visit += 1
    released = now
    retryAt = now + Self.retry
    tapsAt = now
    hasMoved = false
    isStalled = false
    watched = .zero
    keptWaiting = .zero
    incident = 0
    phase = .watching
  }
}
