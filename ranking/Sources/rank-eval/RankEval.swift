import Foundation
import Ranking
import RankingEvaluation

/// Reads public data sets and prints how well the ranker does on them.
@main
struct RankEval {
  private static let help = """
    Usage: rank-eval [--kuairand DIR] [--every N] [--quiet]

      --kuairand DIR  the stream of KuaiRand-Pure as Tools/kuairand.py writes it: test, then train
      --every N       look for one of N cases (all are learned of): quicker, with wider intervals
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
    } catch {
      FileHandle.standardError.write(Data("rank-eval: \(error)\n".utf8))
      exit(1)
    }
  }
}
