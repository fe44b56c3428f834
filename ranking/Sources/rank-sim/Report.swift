import Foundation
import RankingSimulation

/// The tables.
struct Report {
  private let options: Options
  private let seeds: [UInt64]
  private var settings = World.Settings()

  init(_ options: Options) {
    self.options = options
    seeds = (0..<UInt64(options.seeds)).map { options.firstSeed + $0 }
    settings.days = options.days
  }

  func printPolicies() {
    let comparison = Comparison(seeds: seeds, settings: settings, progress: progress)
    let ours = Comparison.names.firstIndex(of: "ours") ?? 0
    let third = max(options.days / 4, 1)
    let parts = [0..<third, third..<options.days / 2, options.days / 2..<options.days]
    let days = parts.map { "days \($0.lowerBound + 1) to \($0.upperBound)" }
    print("\(worlds); mean and half of the 95 % interval over worlds\n")
    print(
      "| policy | watched s a visit | against ours | skipped % | regret s a visit, \(days[0]) | \(days[1]) | "
        + "\(days[2]) | new clips with 100 in a day % | Gini of creators | distance in a page |")
    print("| --- |" + String(repeating: " ---: |", count: 9))
    for policy in Comparison.names.indices {
      let isOurs = policy == ours
      var cells = [
        cell(comparison.interval(policy) { $0.watchPerVisit() }, 1),
        isOurs ? "" : cell(comparison.difference(policy, from: ours) { $0.watchPerVisit() }, 1, signed: true),
        cell(comparison.interval(policy) { $0.skipShare * 100 }, 1),
      ]
      for part in parts { cells.append(cell(comparison.regret(policy, days: part), 1)) }
      cells.append(cell(comparison.interval(policy) { $0.shareWithAudience * 100 }, 0))
      cells.append(cell(comparison.interval(policy) { $0.gini }, 3))
      cells.append(cell(comparison.interval(policy) { $0.pageDistance.value }, 3))
      print("| \(Comparison.names[policy]) | \(cells.joined(separator: " | ")) |")
    }
    let news = Double(settings.newClips * settings.days)
    let each = comparison.interval(ours) { Double($0.impressions) / news }
    print("\nImpressions for each new clip, under ours: \(cell(each, 0)), of which the hundred are a part.")
  }

  func printRing() {
    var settings = settings
    settings.days = min(settings.days, 7)
    let trial = RingTrial(seeds: seeds, settings: settings, progress: progress)
    print(
      "\nA ring of 500 accounts pushes the clip of the fourth day that people like least; impressions beyond the "
        + "ring until the end of day \(settings.days), mean and half of the 95 % interval, and the most in any world\n"
    )
    print("| | impressions beyond the ring | most |\n| --- | ---: | ---: |")
    for (name, values) in [
      ("no ring", trial.alone), ("ring, all count in full", trial.believed),
      ("ring, weighed by trust", trial.weighed),
    ] {
      print("| \(name) | \(cell(SeedInterval(values), 0)) | \(Int(values.max() ?? 0)) |")
    }
  }

  private var worlds: String {
    "\(options.seeds) worlds (seeds \(options.firstSeed) on) of \(settings.viewers) people and \(settings.newViewers) "
      + "more a day, \(settings.creators) creators, \(settings.clips) clips and \(settings.newClips) more a day, "
      + "\(options.days) days"
  }

  private func cell(_ interval: SeedInterval, _ digits: Int, signed: Bool = false) -> String {
    let mean = String(format: signed ? "%+.\(digits)f" : "%.\(digits)f", interval.mean)
    guard interval.halfWidth.isFinite else { return mean }
    return mean + String(format: " ± %.\(digits)f", interval.halfWidth)
  }

  private func progress(_ text: String) {
    guard !options.isQuiet else { return }
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
