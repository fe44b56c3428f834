internal import CoreTypes
internal import Foundation

/// What came out of the same people on the same links under several policies.
public struct Comparison: Sendable {
  /// One policy on one kind of link: a session for each person, in the same order everywhere.
  public struct Cell: Sendable {
    public let policy: PolicyKind
    public let sessions: [Measures]
    /// Of each of the core's calls, ns; empty where they were not taken.
    public let decisionTimes: [Int64]

    public init(policy: PolicyKind, sessions: [Measures], decisionTimes: [Int64] = []) {
      self.policy = policy
      self.sessions = sessions
      self.decisionTimes = decisionTimes
    }
  }

  public struct Group: Sendable {
    /// Of the kind of links.
    public let name: String
    public let cells: [Cell]

    public init(name: String, cells: [Cell]) {
      self.name = name
      self.cells = cells
    }
  }

  public let groups: [Group]

  public init(groups: [Group]) { self.groups = groups }

  /// A figure of each cell, the mean of a session where nothing else is said.
  public struct Row: Codable, Equatable, Sendable {
    public let policy: String
    public let sessions: Int
    public let startMs: Double
    /// Percentiles over all swipes of all sessions.
    public let swipeP50Ms: Double
    public let swipeP95Ms: Double
    public let swipeP99Ms: Double
    /// Of all clips swiped to.
    public let unseenPercent: Double
    public let stalls: Double
    public let stallSeconds: Double
    /// Before pictures: the start and all swipes.
    public let waitSeconds: Double
    /// Of what was shown, weighted by time; and of the first segment of each clip.
    public let shortEdge: Double
    public let startEdge: Double
    public let switches: Double
    public let megabytes: Double
    public let wastedPercent: Double
    public let requests: Double
    /// The most of all sessions.
    public let peakMebibytes: Double
    public let radioSeconds: Double
    /// The product's measure, and the challenge's.
    public let comfort: Double
    public let score: Double
  }

  /// A cell against the first one of its group, person by person.
  public struct Ratio: Codable, Equatable, Sendable {
    public let policy: String
    public let swipeP95: Double?
    public let withoutPicture: Double?
    public let bytes: Double?
    public let wasted: Double?
    public let shortEdge: Double?
    /// Means of the differences in both measures, and their standard errors.
    public let comfort: Double
    public let comfortError: Double
    public let score: Double
    public let scoreError: Double
  }
}

extension Comparison.Cell {
  public var row: Comparison.Row {
    let waits = sessions.flatMap(\.swipeWaits).sorted()
    let starts = sessions.map(\.start).sorted()
    let seen = sessions.reduce(0) { $0 + $1.seen }
    let unseen = sessions.reduce(0) { $0 + $1.unseen }
    let played = sum { $0.played.rawValue }
    let bytes = sum(\.bytes)
    return Comparison.Row(
      policy: policy.rawValue, sessions: sessions.count,
      startMs: starts.percentile(50), swipeP50Ms: waits.percentile(50), swipeP95Ms: waits.percentile(95),
      swipeP99Ms: waits.percentile(99),
      unseenPercent: 100 * Double(unseen) / Double(max(1, seen + unseen)),
      stalls: mean { Double($0.stalls) }, stallSeconds: mean { $0.stalled.seconds },
      waitSeconds: mean { $0.waited.seconds }, shortEdge: Double(sum(\.edgeTime)) / Double(max(1, played)),
      startEdge: Double(sum(\.startEdges)) / Double(max(1, seen)), switches: mean { Double($0.switches) },
      megabytes: mean { Double($0.bytes) / 1e6 },
      wastedPercent: 100 * Double(sum(\.wastedBytes)) / Double(max(1, bytes)),
      requests: mean { Double($0.requests) },
      peakMebibytes: Double(sessions.map(\.peakStored).max() ?? 0) / 1_048_576,
      radioSeconds: mean { $0.radio.seconds }, comfort: mean(\.comfortScore), score: mean(\.score))
  }

  func ratio(to base: Comparison.Cell) -> Comparison.Ratio {
    let row = row
    let other = base.row
    let comfort = difference(to: base, \.comfortScore)
    let score = difference(to: base, \.score)
    func over(_ value: Double, _ base: Double) -> Double? { base > 0 ? value / base : nil }
    return Comparison.Ratio(
      policy: policy.rawValue, swipeP95: over(row.swipeP95Ms, other.swipeP95Ms),
      withoutPicture: over(row.waitSeconds + row.stallSeconds, other.waitSeconds + other.stallSeconds),
      bytes: over(row.megabytes, other.megabytes),
      wasted: over(row.megabytes * row.wastedPercent, other.megabytes * other.wastedPercent),
      shortEdge: over(row.shortEdge, other.shortEdge), comfort: comfort.mean,
      comfortError: comfort.error, score: score.mean, scoreError: score.error)
  }

  /// Person by person: the mean of the differences, and its standard error.
  private func difference(to base: Comparison.Cell, _ value: (Measures) -> Double)
    -> (mean: Double, error: Double)
  {
    let differences = zip(sessions, base.sessions).map { value($0) - value($1) }
    let mean = differences.reduce(0, +) / Double(max(1, differences.count))
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let count = Double(max(2, differences.count))
    return (mean, (squares / (count - 1) / count).squareRoot())
  }

  private func mean(_ value: (Measures) -> Double) -> Double {
    sessions.reduce(0) { $0 + value($1) } / Double(max(1, sessions.count))
  }

  private func sum(_ value: (Measures) -> Int64) -> Int64 { sessions.reduce(0) { $0 + value($1) } }
}

extension Milliseconds {
  var seconds: Double { Double(rawValue) / 1_000 }
}

extension [Milliseconds] {
  /// Of sorted values: the smallest that is not below so many per cent of them.
  func percentile(_ percent: Int) -> Double {
    guard !isEmpty else { return 0 }
    return Double(self[Swift.max(0, (count * percent + 99) / 100 - 1)].rawValue)
  }
}
