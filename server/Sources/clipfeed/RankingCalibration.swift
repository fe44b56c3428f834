internal import ArgumentParser
internal import Composition
internal import Foundation
internal import Options
internal import RankingJudgement
internal import Recommendations

struct RankingCalibration: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibration",
    abstract: "Says whether the model's probabilities mean what they say, by what it said before it learned.",
    discussion: """
      From the last snapshot, which a server makes every ten minutes. Where probabilities are right the slope is 1 and the \
      intercept 0; a slope below 1 means that they are too sure of themselves. An entropy below 1 means that the model knows more \
      than how often it happens.
      """)

  @OptionGroup var options: DataOptions

  func run() async throws {
    guard let figures = try await options.open().rankingLog.calibration() else {
      return Console.say("There is no snapshot yet: a server makes one within ten minutes of what people do.")
    }
    for line in Self.summary(figures) { Console.say(line) }
    if let positive = figures.all[.positive], positive.weight > 0 {
      Console.say("\nwatched for long or liked, of all days")
      for line in Figures.columns(Self.buckets(positive)) { Console.say(line) }
    }
    Console.say("")
    Console.say(Self.night(figures.night))
  }

  private static func name(_ head: CalibratedHead) -> String {
    switch head {
    case .positive: "watched for long or liked"
    case .action: "liked, shared and so on"
    case .skip: "gone within two seconds"
    case .watch: "place of the watch time"
    }
  }

  private static func summary(_ figures: CalibrationFigures) -> [String] {
    var rows = [["", "days", "impressions", "came", "log loss", "entropy", "error", "slope", "intercept"]]
    for head in CalibratedHead.allCases {
      for (days, table) in [("last 2", figures.lately[head]), ("all", figures.all[head])] {
        guard let table, table.weight > 0 else {
          rows.append([name(head), days, "0"])
          continue
        }
        rows.append(
          [name(head), days, String(format: "%.0f", table.weight), Figures.share(table.baseRate)]
            + [table.logLoss, table.normalisedEntropy, table.expectedError].map(Figures.number)
            + (table.line.map { [Figures.number($0.slope), Figures.number($0.intercept)] } ?? ["-", "-"]))
      }
    }
    return Figures.columns(rows)
  }

  private static func buckets(_ table: ProgressiveCalibration) -> [[String]] {
    [["expected", "came", "", "impressions"]]
      + table.buckets.filter { $0.weight > 0 }.map { bucket in
        [
          Figures.share(bucket.predicted), Figures.share(bucket.observed),
          "(\(Figures.share(bucket.interval.low)) to \(Figures.share(bucket.interval.high)))",
          String(format: "%.0f", bucket.weight),
        ]
      }
  }

  private static func night(_ night: CalibrationFigures.Night?) -> String {
    guard let night else { return "No night has been judged yet: it takes a day, and the one before it." }
    let difference = Figures.estimate(night.difference, isShare: false, signed: true)
    let outcome =
      switch night.isOldBack {
      case nil: "too little happened to say whether the model got worse"
      case true?: "the model got worse and is what it was before"
      case false?: "the model did not get worse"
      }
    return
      "\(RankingExperiments.day(night.dayMs)): \(outcome); log loss \(difference) against the day before's."
  }
}
