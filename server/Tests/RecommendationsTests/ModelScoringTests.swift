import CoreMetrics
import Testing

@testable import PlatformTesting
@testable import Recommendations

/// A model that does what a test says, and how it is treated for it.
@Suite struct ModelScoringTests {
  private struct Scripted: CandidateScoring {
    let answer: @Sendable (CandidateFeatures) async throws -> [Float]

    func scores(of candidates: CandidateFeatures) async throws -> [Float] { try await answer(candidates) }
  }

  private let outcomes = Outcomes()
  private let candidates = CandidateFeatures(
    values: [Float](repeating: 0, count: 2 * CandidateFeatures.columns.count), clips: ["a", "b"], viewer: "me"
  )

  private func model(
    failures: Int = 100, _ answer: @escaping @Sendable (CandidateFeatures) async throws -> [Float]
  ) -> ModelScoring {
    ModelScoring(
      Scripted(answer: answer), limit: .seconds(60),
      breaker: .init(failures: failures, window: .seconds(3_600), rest: .seconds(3_600)))
  }

  private func ask(_ model: ModelScoring, until end: ContinuousClock.Instant? = nil) async -> [Float]? {
    await model.scores(of: candidates, until: end ?? .now + model.limit, metrics: RankingMetrics(outcomes))
  }

  @Test func scoresThatAreOneForEachComeBackAsTheyAre() async {
    #expect(await ask(model { _ in [0.5, -2] }) == [0.5, -2])
    #expect(outcomes.counts == ["scored": 1])
  }

  @Test func whatIsNoScoreOfTheseCandidatesIsNotUsed() async {
    for scores in [[], [1], [1, 2, 3], [1, .nan], [.infinity, 1]] as [[Float]] {
      #expect(await ask(model { _ in scores }) == nil)
    }
    #expect(outcomes.counts == ["malformed": 5])
  }

  @Test func eachFailureHasItsName() async {
    struct Other: Error {}
    let failures: [any Error] = [
      ScoringFailure.unreachable("x"), ScoringFailure.refused("x"), ScoringFailure.malformed("x"), Other(),
    ]
    for failure in failures {
      #expect(await ask(model { _ in throw failure }) == nil)
    }
    #expect(outcomes.counts == ["unreachable": 2, "refused": 1, "malformed": 1])
  }

  @Test func whoIsTooLateIsCancelledAndNotWaitedFor() async {
    let isCancelled = Latch()
    let late = model { _ in
      await withTaskCancellationHandler {
        await Self.forever()
      } onCancel: {
        isCancelled.open()
      }
      return [1, 2]
    }
    #expect(await ask(late, until: .now) == nil)
    await isCancelled.opened()
    #expect(outcomes.counts == ["late": 1])
  }

  /// Until its task is cancelled.
  private static func forever() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(600)) }
  }

  @Test func whoFailsIsLeftAlone() async {
    let asked = Shared(0)
    let failing = model(failures: 3) { _ in
      asked.with { $0 += 1 }
      throw ScoringFailure.refused("status 500")
    }
    for _ in 0..<10 { #expect(await ask(failing) == nil) }
    #expect(asked.with { $0 } == 3)
    #expect(outcomes.counts == ["refused": 3, "resting": 7])
  }

  /// A page is made anew where its authors turn out to be blocked, and has no more time for that.
  @Test func whoGetsNoTimeIsNotToBlame() async {
    let isSlow = Shared(true)
    let slow = model(failures: 1) { _ in
      if isSlow.with({ $0 }) { await Self.forever() }
      return [1, 2]
    }
    let metrics = RankingMetrics(outcomes)
    for end in [ContinuousClock.now, .now + .milliseconds(1)] {
      #expect(await slow.scores(of: candidates, until: end, isFirst: false, metrics: metrics) == nil)
    }
    isSlow.with { $0 = false }
    #expect(await ask(slow) == [1, 2])
  }

  @Test func soManyAskAtMostAlsoWhereTheModelDoesNotEndWhenItIsCancelled() async {
    let gate = Gate()
    let deaf = model { _ in
      await gate.opened()
      return [1, 2]
    }
    let waiting = (0..<ModelScoring.mostAsking).map { _ in Task { await ask(deaf, until: .now) } }
    for task in waiting { #expect(await task.value == nil) }
    #expect(await ask(deaf) == nil)
    #expect(outcomes.counts == ["late": ModelScoring.mostAsking, "busy": 1])
    gate.open()
  }

  @Test func nothingIsAskedAboutNobody() async {
    let none = CandidateFeatures(values: [], clips: [], viewer: "")
    let model = model { _ in
      Issue.record("it was asked")
      return []
    }
    #expect(
      await model.scores(of: none, until: .now + .seconds(60), metrics: RankingMetrics(outcomes)) == nil)
    #expect(outcomes.counts == [:])
  }
}

/// Holds up as many as like, and no thread.
private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Shared(State())

  func opened() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.with { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.with { state in
      defer { state = State(isOpen: true) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// Counts of the model's outcomes, by their names.
private final class Outcomes: MetricsFactory {
  private let held = Shared<[String: Int]>([:])
  var counts: [String: Int] { held.with { $0 } }

  private final class Count: CounterHandler {
    let (name, held): (String, Shared<[String: Int]>)

    init(_ name: String, _ held: Shared<[String: Int]>) { (self.name, self.held) = (name, held) }

    func increment(by amount: Int64) { held.with { $0[name, default: 0] += Int(amount) } }
    func reset() {}
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    guard label == "clipfeed_ranking_model_total", let name = dimensions.first?.1 else {
      return NOOPMetricsHandler.instance
    }
    return Count(name, held)
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    NOOPMetricsHandler.instance
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    NOOPMetricsHandler.instance
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}
