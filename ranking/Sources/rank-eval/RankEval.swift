import Foundation
import Ranking
import RankingEvaluation

/// Reads public data sets and prints how well the ranker does on them.
@main
struct RankEval {
  private static let help = """
    Usage: rank-eval [--kuairand DIR] [--gowalla DIR] [--ml1m DIR] [--tiktok DIR]
                     [--every N] [--ranking-only] [--validation] [--quiet]

      --kuairand DIR  the stream of KuaiRand-Pure as Tools/kuairand.py writes it: test, then train
      --gowalla, --ml1m, --tiktok DIR
                      a static split in LightGCN's format (train.txt, test.txt): R@20 and NDCG@20
      --every N       look for one of N cases (all are learned of): quicker, with wider intervals
      --ranking-only  no table of retrieval: seconds instead of minutes
      --validation    measure the days on which settings are chosen (April 25 to 30), not those after them
      --quiet         no progress on standard error

    `make rank-eval` converts the data set first. docs/design/ranking.md says what is measured.
    """

  static func main() throws {
    var options = Options()
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("rank-eval: \(error)\n\(help)\n".utf8))
      exit(2)
    }
    if options.isHelp || options.isEmpty {
      print(help)
      exit(options.isHelp ? 0 : 2)
    }
    do {
      if let folder = options.kuairand {
        try StreamReport(options).run(KuaiRand(folder: URL(fileURLWithPath: folder)))
      }
      for split in options.splits { try SplitReport(options).run(split.name, folder: split.folder) }
    } catch {
      FileHandle.standardError.write(Data("rank-eval: \(error)\n".utf8))
      exit(1)
    }
  }
}
