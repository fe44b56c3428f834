internal import Dispatch
internal import Ranking

/// What was learned up to a position of the log, not made into bytes yet.
struct TakenRanking: Sendable {
  let position: String
  let recent: Set<String>
  let ranker: RankerState
  let trust: TrustModel
  let judgement: SelfJudgement

  /// On a thread of its own: with a million clips it takes seconds, in which pages are answered and events
  /// are learned.
  func saved() async -> SavedRanking {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(
          returning: SavedRanking(
            position: position, recent: recent.sorted(), model: ranker.snapshot(), trust: trust.snapshot(),
            judgement: judgement.bytes))
      }
    }
  }
}
