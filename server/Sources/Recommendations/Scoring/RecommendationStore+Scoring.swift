internal import Ranking

extension RecommendationStore {
  /// The ranker's page, ordered by an operator's model where there is one that answers in time. Nil: nothing
  /// is loaded.
  ///
  /// While the model is asked the ranker does other work, and no thread waits.
  ///
  /// - Parameters:
  ///   - began: when the first page was asked for that this one may come in the place of. The time of the
  ///     model is for all of them.
  ///   - isFirst: whether this is that page.
  func ranked(
    _ question: PageQuestion, count: Int, since began: ContinuousClock.Instant, isFirst: Bool
  ) async -> [RankedClip]? {
    guard let model = state.model else { return await engine.page(question, count: count) }
    guard let (candidates, features) = await engine.candidates(question) else { return nil }
    let scores = await model.scores(
      of: features, until: began + model.limit, isFirst: isFirst, metrics: engine.metrics)
    return await engine.page(question, count: count, of: candidates, scores)
  }
}
