internal import Ranking

/// Gives scores to the candidates of a page: an operator's own model.
public protocol CandidateScoring: Sendable {
  /// A score for each row, in their order; higher is better. They are finite, and as many as rows; everything
  /// else is a `ScoringFailure`.
  ///
  /// It ends soon after its task is cancelled, which happens when the time of the page is over.
  func scores(of candidates: CandidateFeatures) async throws -> [Float]
}

/// What is known of the candidates of one page: a row for each, a column for each feature
/// (docs/design/recommendations.md).
public struct CandidateFeatures: Sendable, Equatable {
  /// Of the list of columns, which never changes under the same number.
  public static var version: Int { CandidateTable.version }
  public static var columns: [String] { CandidateTable.columns.map(\.name) }

  /// Row by row, all finite.
  public let values: [Float]
  /// By row.
  public let clips: [String]
  /// Empty: somebody of whom nothing is known.
  public let viewer: String

  public init(values: [Float], clips: [String], viewer: String) {
    self.values = values
    self.clips = clips
    self.viewer = viewer
  }

  public var count: Int { clips.count }

  init(_ table: CandidateTable, for viewer: String?) {
    self.init(values: table.values, clips: table.clips.map(\.uuid), viewer: viewer ?? "")
  }
}

/// Why there are no scores. The words are for the operator, and hold nothing of who watches.
public enum ScoringFailure: Error, Equatable, CustomStringConvertible {
  /// Nobody answers.
  case unreachable(String)
  /// It answers, and gives none.
  case refused(String)
  /// It gives what are no scores of these candidates.
  case malformed(String)

  public var description: String {
    switch self {
    case .unreachable(let words): "it cannot be reached: \(words)"
    case .refused(let words): "it refuses: \(words)"
    case .malformed(let words): "its answer cannot be used: \(words)"
    }
  }
}
