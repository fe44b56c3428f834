internal import Contract
internal import Logging
internal import Synchronization

/// Asks an operator's model within the time of a page, and leaves it alone while it fails. Whoever gets no
/// scores goes by their own.
final class ModelScoring: Sendable {
  /// For all that is asked for one page.
  let limit: Duration
  private let scorer: any CandidateScoring
  private let state: Mutex<State>
  private let origin = ContinuousClock.now

  private struct State {
    var breaker: CircuitBreaker
    var asking = 0
  }

  /// Pages that wait for the model at once; of more, each goes by its own scores.
  static let mostAsking = 32

  init(
    _ scorer: any CandidateScoring, limit: Duration,
    breaker: CircuitBreaker.Settings = CircuitBreaker.Settings()
  ) {
    self.scorer = scorer
    self.limit = limit
    state = Mutex(State(breaker: CircuitBreaker(breaker)))
  }

  private enum Admission {
    case asking(CircuitBreaker.Permit)
    case resting, busy
  }

  /// Nil: there are none in time.
  ///
  /// - Parameter isFirst: false: others have used up time of this page. Then the model is asked only while
  ///   there is some left, and is not to blame if that is too short.
  func scores(
    of candidates: CandidateFeatures, until end: ContinuousClock.Instant, isFirst: Bool = true,
    metrics: RankingMetrics
  ) async -> [Float]? {
    guard candidates.count > 0, isFirst || end > .now else { return nil }
    let permit: CircuitBreaker.Permit
    switch admit() {
    case .asking(let given): permit = given
    case .resting:
      metrics.model("resting", took: nil)
      return nil
    case .busy:
      metrics.model("busy", took: nil)
      return nil
    }
    let began = ContinuousClock.now
    let work = Task { [scorer] in
      // Where it does not end when it is told to, it still counts as asking.
      defer { state.withLock { $0.asking -= 1 } }
      return try await scorer.scores(of: candidates)
    }
    let result = await Deadline.within(max(end - began, .zero)) { await work.result }
    if result == nil { work.cancel() }
    let outcome = Self.outcome(of: result, for: candidates)
    metrics.model(outcome.name, took: .now - began)
    if isFirst || result != nil { note(outcome, of: permit, metrics) }
    return outcome.scores
  }

  private func admit() -> Admission {
    state.withLock { state in
      guard state.asking < Self.mostAsking else { return .busy }
      guard let permit = state.breaker.permit(at: .now - origin) else { return .resting }
      state.asking += 1
      return .asking(permit)
    }
  }

  private func note(_ outcome: Outcome, of permit: CircuitBreaker.Permit, _ metrics: RankingMetrics) {
    let change = state.withLock {
      $0.breaker.ended(permit, isAnswered: outcome.scores != nil, at: .now - origin)
    }
    guard let change else { return }
    metrics.modelRests(change == .opened)
    let logger = Logger(label: "clipfeed.ranking")
    switch change {
    case .opened:
      logger.warning(
        "the model server fails; pages go by our own scores", metadata: ["reason": "\(outcome.words)"])
    case .closed: logger.notice("the model server answers again")
    }
  }

  // MARK: Outcomes

  private struct Outcome {
    /// As metrics have it.
    let name: String
    var words = ""
    var scores: [Float]?
  }

  private static func outcome(
    of result: Result<[Float], any Error>?, for candidates: CandidateFeatures
  ) -> Outcome {
    switch result {
    case nil: return Outcome(name: "late", words: "it does not answer in time")
    case .success(let scores)?:
      guard scores.count == candidates.count, scores.allSatisfy(\.isFinite) else {
        return Outcome(name: "malformed", words: "its scores cannot be used")
      }
      return Outcome(name: "scored", scores: scores)
    case .failure(let failure as ScoringFailure)?:
      let name =
        switch failure {
        case .unreachable: "unreachable"
        case .refused: "refused"
        case .malformed: "malformed"
        }
      return Outcome(name: name, words: "\(failure)")
    // What an adapter throws beside that is its own mistake, and may name anything.
    case .failure(let error)?: return Outcome(name: "unreachable", words: "\(type(of: error))")
    }
  }
}
