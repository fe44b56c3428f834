import Foundation
import Ranking
import RankingEvaluation

/// The table of a static split.
struct SplitReport {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run(_ name: String, folder: String) throws {
    guard let settings = SplitSettings.byName[name] else { return }
    let split = try Split(name: name, folder: URL(fileURLWithPath: folder))
    let rows = StaticEvaluation.rows(split, settings) { text in
      guard !options.isQuiet else { return }
      FileHandle.standardError.write(Data((text + "\n").utf8))
    }
    print("\n\(name): \(split.train.rowCount) viewers, \(split.train.columnCount) clips\n")
    print("| state | R@20 | NDCG@20 |\n| --- | ---: | ---: |")
    for row in rows { print("| \(row.name) | \(String(format: "%.4f | %.4f", row.recall20, row.ndcg20)) |") }
  }
}
