public import Foundation
public import Ranking

/// A static split in the format of LightGCN's repository: `train.txt` and `test.txt`, a line for each
/// viewer, which is a number, and behind it the numbers of what they liked.
public struct Split: Sendable {
  public let name: String
  public let train: Interactions
  public let test: Interactions

  /// - Parameter folder: with `train.txt` and `test.txt`; a `valid.txt` beside them is neither learned nor
  ///   asked for.
  public init(name: String, folder: URL) throws {
    self.name = name
    let train = try Self.lines(folder.appendingPathComponent("train.txt"))
    let test = try Self.lines(folder.appendingPathComponent("test.txt"))
    let rows = max(train.keys.max() ?? -1, test.keys.max() ?? -1) + 1
    let columns = [train, test].flatMap { $0.values.map { Int($0.max() ?? 0) } }.max().map { $0 + 1 } ?? 0
    self.train = Self.interactions(train, rows: rows, columns: columns)
    self.test = Self.interactions(test, rows: rows, columns: columns)
  }

  private static func lines(_ file: URL) throws -> [Int: [UInt32]] {
    let text = try String(contentsOf: file, encoding: .utf8)
    var rows: [Int: [UInt32]] = [:]
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first else { continue }
      let numbers = words.dropFirst().compactMap { UInt32($0) }.filter { $0 < 100_000_000 }
      guard let row = Int(first), (0..<100_000_000).contains(row), numbers.count == words.count - 1 else {
        throw EvaluationError.notASplit(file.path, line: number + 1)
      }
      rows[row] = Set(rows[row, default: []] + numbers).sorted()
    }
    return rows
  }

  private static func interactions(_ rows: [Int: [UInt32]], rows count: Int, columns: Int) -> Interactions {
    var interactions = Interactions(columnCount: columns)
    for row in 0..<count { interactions.append(rows[row] ?? []) }
    return interactions
  }
}

/// The settings that the notes of this project chose on a validation part of each split, before the test
/// part was looked at.
public struct SplitSettings: Sendable {
  public var factors: ClipFactors.Settings
  public var sweeps: Int
  /// Rank and weight of the graph filter's low-pass part.
  public var rank: Int
  public var lowPass: Float

  public static let byName: [String: SplitSettings] = [
    "tiktok": SplitSettings(
      factors: .init(dimensions: 64, unobservedWeight: 0.1, regularisation: 0.01), sweeps: 12, rank: 256,
      lowPass: 1),
    "ml1m": SplitSettings(
      factors: .init(dimensions: 128, unobservedWeight: 0.3, regularisation: 0.01), sweeps: 16, rank: 64,
      lowPass: 1),
    "gowalla": SplitSettings(
      factors: .init(dimensions: 64, unobservedWeight: 0.01, regularisation: 0.01), sweeps: 8, rank: 256,
      lowPass: 0.3),
  ]
}
