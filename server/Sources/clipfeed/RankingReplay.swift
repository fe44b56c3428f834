internal import ArgumentParser
internal import Composition
internal import Options
internal import RankingJudgement
internal import Recommendations

struct RankingReplay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract:
      "Estimates what other settings of a page would have brought, from the places that the lot gave.",
    discussion: """
      A model that knows nothing learns the log of the last month from its beginning. At each place that the lot gave in these \
      days it is asked, before it learns what came of it, which pages the settings would have made there; where a page has the \
      clip that was drawn, what came of it is the page's. Settings of a page:

      \(PageSetting.all.map { "\($0.name), \($0.demand): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Option(
    name: .customLong("with"),
    help: "Settings to try, such as \"worth-skip=-1 per-author=1\"; more than once for several.")
  var candidates: [String] = []
  @Option(help: "How many days, up to now.")
  var days = 7
  @OptionGroup var options: DataOptions

  func validate() throws {
    guard (1...30).contains(days) else { throw ValidationError("--days must be 1 to 30.") }
    guard !candidates.isEmpty else { throw ValidationError("Say what to try: --with \"worth-skip=-1\".") }
    for words in candidates {
      do { _ = try PageSetting.settings(words) } catch { throw ValidationError("--with: \(error).") }
    }
  }

  func run() async throws {
    let settings =
      try [(name: "as it is", settings: PageSetting.settings(""))]
      + candidates.map { (name: $0, settings: try PageSetting.settings($0)) }
    let figures = try await options.open().rankingLog.replay(settings, days: days)
    Console.say(
      "\(figures.places) places of the last \(days) days were given by the lot, and \(figures.unseen) of them not reached or gone since."
    )
    guard figures.places > figures.unseen else {
      return Console.say("Nothing can be said: it takes places that the lot gave and people saw.")
    }
    Console.say("The model learned \(figures.learned) events, and at each place those of before it alone.")
    for outcome in figures.outcomes { for line in Self.table(outcome) { Console.say(line) } }
    guard figures.isEnough else {
      return Console.say(
        "\nToo little: below \(Figures.number(ReplayFigures.fewestCases)) equal weights believe no estimate. More places come with time, and a smaller catalogue needs fewer."
      )
    }
  }

  private static func table(_ outcome: ReplayFigures.Outcome) -> [String] {
    let rows = outcome.settings.map { one -> [String] in
      [
        one.name, Figures.estimate(one.estimates.inversePropensity, isShare: true),
        Figures.estimate(one.estimates.selfNormalised, isShare: true),
        Figures.estimate(one.estimates.doublyRobust, isShare: true),
        one.difference.map { Figures.estimate($0, isShare: true, signed: true) } ?? "",
        Figures.number(one.estimates.effectiveCases),
      ]
    }
    let logged = outcome.settings.first.map { Figures.estimate($0.estimates.logged, isShare: true) } ?? ""
    return ["", "\(outcome.name), of clips seen; drawn by lot: \(logged)"]
      + Figures.columns(
        [
          [
            "", "inverse propensity", "self-normalised", "doubly robust", "more than as it is",
            "equal weights",
          ]
        ]
          + rows)
  }
}
