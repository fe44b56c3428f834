public import Foundation
public import Ranking

/// KuaiRand-Pure as numbers: real impressions of a short-video app, written by `Tools/kuairand.py`.
///
/// Gao et al.: "KuaiRand: An Unbiased Sequential Recommendation Dataset with Randomly Exposed Videos", CIKM
/// 2022; CC BY-SA 4.0.
public struct KuaiRand: Sendable {
  /// What a viewer had done when the stream begins.
  public struct History: Sendable {
    public var viewer: EntityID
    /// Of its end, in milliseconds since 1970.
    public var lastAt: Int64
    public var watched: [EntityID] = []
    public var liked: [EntityID] = []
    public var longWatched: [EntityID] = []
  }

  /// An impression, and whether the data set calls it positive.
  public struct Event: Sendable {
    public let impression: Impression
    public let isPositive: Bool
  }

  /// When the part of the stream begins on which figures are taken: May 1, 2022 in Beijing.
  public static let testBegins: Int64 = 1_651_334_400_000
  /// The days before it on which settings are chosen: from April 25 on.
  public static let validationBegins: Int64 = 1_650_816_000_000

  public var clips: [Clip]
  /// By the time of their end.
  public var histories: [History]
  /// By time.
  public var events: [Event]

  public init(folder: URL) throws {
    clips = try Self.rows(folder.appendingPathComponent("clips"), columns: 8).map { row in
      Clip(
        id: Self.id(row[0]), author: Self.id(row[1]),
        tags: row[5...7].filter { $0 >= 0 }.map { Self.id($0).low },
        sound: row[2] >= 0 ? Self.id(row[2]).low : nil, duration: row[3], publishedAt: row[4])
    }
    histories = Self.histories(try Self.rows(folder.appendingPathComponent("histories"), columns: 4))
    let rows = try Self.rows(folder.appendingPathComponent("events"), columns: 12)
    // Rows of one moment stay as they came.
    events = rows.enumerated().sorted { ($0.element[2], $0.offset) < ($1.element[2], $1.offset) }
      .map { Self.event($0.element) }
  }

  private static func event(_ row: [Int64]) -> Event {
    var actions: Actions = []
    if row[5] == 1 { actions.insert(.like) }
    if row[6] == 1 { actions.insert(.follow) }
    if row[7] == 1 { actions.insert(.comment) }
    if row[8] == 1 { actions.insert(.share) }
    if row[9] == 1, row[3] == 0 { actions.insert(.notInterested) }
    let impression = Impression(
      viewer: id(row[0]), clip: id(row[1]), at: row[2], watched: row[10], actions: actions,
      surface: UInt8(clamping: row[11]), longView: row[4] == 1)
    return Event(impression: impression, isPositive: row[3] == 1)
  }

  private static func histories(_ rows: [[Int64]]) -> [History] {
    var byViewer: [EntityID: History] = [:]
    for row in rows {
      let viewer = id(row[0])
      var history = byViewer.removeValue(forKey: viewer) ?? History(viewer: viewer, lastAt: row[1])
      switch row[2] {
      case 0: history.watched.append(id(row[3]))
      case 1: history.liked.append(id(row[3]))
      default: history.longWatched.append(id(row[3]))
      }
      byViewer[viewer] = history
    }
    return byViewer.values.sorted { ($0.lastAt, $0.viewer) < ($1.lastAt, $1.viewer) }
  }

  static func id(_ number: Int64) -> EntityID { EntityID(UInt64(bitPattern: number)) }

  private static func rows(_ file: URL, columns: Int) throws -> [[Int64]] {
    let data = try Data(contentsOf: file)
    guard data.count % (columns * 8) == 0 else { throw EvaluationError.notRows(file.path) }
    let numbers: [Int64] = data.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self))
      }
    }
    return stride(from: 0, to: numbers.count, by: columns).map { Array(numbers[$0..<$0 + columns]) }
  }
}

/// Why there is nothing to measure.
public enum EvaluationError: Error, CustomStringConvertible {
  case notRows(String)
  case notASplit(String, line: Int)

  public var description: String {
    switch self {
    case .notRows(let path):
      "\(path) does not hold whole rows of numbers; it was cut, or is of another version"
    case .notASplit(let path, let line):
      "\(path), line \(line): a line is a viewer and their clips, whole numbers from 0"
    }
  }
}
