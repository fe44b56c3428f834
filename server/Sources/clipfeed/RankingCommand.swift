internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Platform
internal import RankingJudgement
internal import Recommendations

struct RankingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ranking", abstract: "Says how the order of \"For you\" does, and what another would do.",
    subcommands: [RankingExperiments.self, RankingReplay.self, RankingCalibration.self])
}

struct RankingExperiments: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "experiments",
    abstract: "Compares what viewers of both arms of an experiment did, with 95 % intervals.",
    discussion: """
      What was shown in the last month counts, and what people did with it within a day. Of many figures one in twenty looks \
      clear by chance alone: choose the one that is to decide before you look.
      """)

  @Argument(help: "Its name; without it the one that is configured, else the last that ran.")
  var name: String?
  @OptionGroup var options: DataOptions
  @OptionGroup var running: ExperimentOptions

  func run() async throws {
    let configured = try running.make()
    let log = try await options.open().rankingLog
    let known = try await log.experiments()
    guard let name = name ?? configured?.name ?? known.first else {
      return Console.say("No experiment is configured, and none ran in the last month.")
    }
    guard let figures = try await log.figures(of: name) else {
      Console.say("Nobody was shown anything yet in the experiment \(Console.printable(name)).")
      if !known.isEmpty { Console.say("There are: \(known.joined(separator: ", ")).") }
      return
    }
    Console.say("experiment  \(figures.name), \(Self.day(figures.firstMs)) to \(Self.day(figures.lastMs))")
    if let configured, configured.name == name {
      Console.say(
        "treatment   \(PageSetting.words(configured.treatment)), for \(Figures.share(configured.share)) of viewers"
      )
    }
    Console.say(
      "viewers     \(figures.controlViewers) control, \(figures.treatmentViewers) treatment; so uneven or more by chance: p = \(Figures.number(figures.mismatch))"
    )
    if figures.crossedViewers > 0 {
      Console.say(
        "            \(figures.crossedViewers) more were in both, as guest and as account, and count for neither"
      )
    }
    for line in Self.table(figures) { Console.say(line) }
    for line in Self.verdict(figures) { Console.say(line) }
  }

  static func day(_ ms: Int64) -> String {
    Date(timeIntervalSince1970: Double(ms) / 1000).formatted(.iso8601.year().month().day())
  }

  private static func table(_ figures: ExperimentFigures) -> [String] {
    let rows = figures.measures.map { measure -> [String] in
      let isShare = measure.isShare
      return [
        measure.name, Figures.estimate(measure.control, isShare: isShare),
        Figures.estimate(measure.treatment, isShare: isShare),
        Figures.estimate(measure.difference, isShare: isShare, signed: true),
        figures.isEnough && !figures.isLopsided
          ? (measure.isClear ? "differs" : "no difference can be told") : "",
      ]
    }
    return [""] + Figures.columns([["", "control", "treatment", "difference", ""]] + rows)
  }

  private static func verdict(_ figures: ExperimentFigures) -> [String] {
    if !figures.isEnough {
      return [
        "", "Too little: intervals hold from \(ExperimentFigures.fewestViewers) viewers in each arm on.",
      ]
    }
    if figures.isLopsided {
      return [
        "",
        "The arms are of equal shares, and differ in viewers more than chance would have it: something loses viewers of one arm. No figure above means anything.",
      ]
    }
    return []
  }
}

/// Figures for a person to read.
enum Figures {
  static func number(_ value: Double) -> String {
    abs(value) >= 100
      ? String(format: "%.0f", value)
      : abs(value) >= 1 || value == 0 ? String(format: "%.2f", value) : String(format: "%.4f", value)
  }

  static func share(_ value: Double) -> String { String(format: "%.2f %%", value * 100) }

  static func estimate(_ estimate: Estimate, isShare: Bool, signed: Bool = false) -> String {
    func text(_ value: Double) -> String {
      (signed && value > 0 ? "+" : "") + (isShare ? String(format: "%.2f", value * 100) : number(value))
    }
    return "\(text(estimate.value))\(isShare ? " %" : "") (\(text(estimate.low)) to \(text(estimate.high)))"
  }

  /// Each column as wide as its widest.
  static func columns(_ rows: [[String]]) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].unicodeScalars.count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        line += text
        guard column < row.count - 1 else { break }
        line += String(repeating: " ", count: widths[column] - text.unicodeScalars.count + 2)
      }
      while line.utf8.last == UInt8(ascii: " ") { line = String(line.unicodeScalars.dropLast()) }
      return line
    }
  }
}
