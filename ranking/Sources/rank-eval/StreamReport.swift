import Foundation
import Ranking
import RankingEvaluation
import RankingJudgement

/// The tables of KuaiRand-Pure, test then train.
struct StreamReport {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func run(_ data: KuaiRand) {
    let run = Prequential(
      data, settings: Prequential.settings, measuringRetrieval: !options.isRankingOnly,
      from: options.isValidation ? KuaiRand.validationBegins : KuaiRand.testBegins,
      until: options.isValidation ? KuaiRand.testBegins : .max, every: options.every)
    progress("\(data.clips.count) clips, \(data.histories.count) histories, \(data.events.count) impressions")
    run.warmUp()
    run.run { place in
      if place % 20_000 == 0 { progress("impression \(place) of \(data.events.count)") }
    }
    if !options.isRankingOnly { printRetrieval(run) }
    printRanking(run)
  }

  private func progress(_ text: String) {
    guard !options.isQuiet else { return }
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  private func printRetrieval(_ run: Prequential) {
    let cases = Int(run.variants.first?.sums.cases ?? 0)
    print("Finding the next positive among all unseen clips: \(cases) cases, 95 % intervals over viewers\n")
    print("| state | HR@20 | NDCG@20 | HR@100 |\n| --- | --- | --- | --- |")
    for variant in run.variants {
      let viewers = variant.viewers
      let sums = variant.sums
      let columns = [
        cell(sums.hitRate20, Bootstrap.interval(viewers, of: \.hitRate20)),
        cell(sums.ndcg20, Bootstrap.interval(viewers, of: \.ndcg20)),
        cell(sums.hitRate100, Bootstrap.interval(viewers, of: \.hitRate100)),
      ]
      print("| \(variant.name) | \(columns.joined(separator: " | ")) |")
    }
  }

  private func printRanking(_ run: Prequential) {
    let area = ProbabilityMeasures.auc(run.predicted, run.came) ?? 0.5
    let grouped = ProbabilityMeasures.groupedAUC(run.predicted, run.came, groups: run.groups)
    let loss = ProbabilityMeasures.logLoss(run.predicted, run.came)
    let (slope, intercept) = ProbabilityMeasures.calibration(run.predicted, run.came)
    print("\nProbability of a positive, said before each of \(run.came.count) impressions\n")
    let viewers = run.pairsByViewer
    let pairs = viewers.reduce(into: PairOrder()) { $0.add($1) }.share
    let interval = Bootstrap.interval(viewers, of: \.share)
    print("| AUC | GAUC | order within a page | log loss | calibration slope | intercept |")
    print("| ---: | ---: | --- | ---: | ---: | ---: |")
    let numbers = [loss, slope, intercept].map { number($0) }.joined(separator: " | ")
    print("| \(number(area)) | \(number(grouped)) | \(cell(pairs, interval)) | \(numbers) |")
  }

  private func number(_ value: Double) -> String { String(format: "%.4f", value) }

  private func cell(_ value: Double, _ interval: (low: Double, high: Double)) -> String {
    "\(number(value)) (\(number(interval.low)) to \(number(interval.high)))"
  }
}
