/// The model as it was at a moment, beside the one that goes on learning, so that the two can be compared on
/// what comes (`Lesson.byKept`).
///
/// Of a ranker the weights alone can turn bad by learning: histories, counts and what was liked together are
/// what happened, and vectors are solved for.
extension Ranker {
  /// From here on the present weights are those that are compared with.
  public func keepModel() { keptModel = model }

  public var hasKeptModel: Bool { keptModel != nil }

  /// Goes on with the weights that were kept. How far steps have become smaller stays as it is, so what was
  /// learned in haste is not learned in haste again. Does nothing if none were kept.
  public func returnToKeptModel() {
    guard let keptModel else { return }
    model.dense = keptModel.dense
    model.crosses = keptModel.crosses
  }
}
