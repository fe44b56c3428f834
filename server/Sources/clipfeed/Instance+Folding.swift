internal import Logging
internal import Platform
internal import Watching

/// What is appended while people watch and tap, and added up behind their backs.
extension Instance {
  /// Adds up what was counted. Counts the changes.
  @discardableResult
  func foldCounts() async throws -> Int {
    let ofClips = try await Counters.clips.fold(in: database)
    return try await ofClips + Counters.authors.fold(in: database)
  }

  /// How many changes there are bounds what reading a count costs, so they are added up soon.
  static let foldInterval = Duration.seconds(1)

  /// Folds of counts between two of curves, which say nothing new for a while.
  static let countsPerCurve = 5

  /// Adds up how clips were left. Counts the visits.
  @discardableResult
  func foldRetention() async throws -> Int { try await RetentionCurves(database: database).fold() }

  /// Until it is cancelled. Any number of processes may do so at the same time.
  func keepFoldingCounts() async throws {
    var failed = false
    var turn = 0
    while true {
      do {
        try await foldCounts()
        if turn % Self.countsPerCurve == 0 { try await foldRetention() }
        failed = false
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // Counts stay right meanwhile; said once, not every second.
        if !failed {
          Logger(label: "clipfeed.counts").warning(
            "cannot add up counts now", metadata: ["error": "\(error)"])
        }
        failed = true
      }
      turn += 1
      try await Task.sleep(for: Self.foldInterval)
    }
  }
}
