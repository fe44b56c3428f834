import Foundation
import RankingSimulation

/// Lets policies choose for people with hidden tastes, and prints what came of it.
@main
struct RankSim {
  private static let help = """
    Usage: rank-sim [--seed N] [--seeds N] [--days N] [--ring | --no-ring] [--quiet]

      --seed N    the first world's seed (101)
      --seeds N   how many worlds (5)
      --days N    how long, from 5 (14)
      --ring      only the ring of accounts that pushes a clip
      --no-ring   without it
      --quiet     no progress on standard error

    The same options print the same. docs/design/ranking.md says what the people are like.
    """

  static func main() {
    var options = Options()
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("rank-sim: \(error)\n\(help)\n".utf8))
      exit(2)
    }
    if options.isHelp {
      print(help)
      return
    }
    let report = Report(options)
    if options.comparesPolicies { report.printPolicies() }
    if options.triesRing { report.printRing() }
  }
}
