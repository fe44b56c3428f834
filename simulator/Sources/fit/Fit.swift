public import ArgumentParser
import CoreTypes
import Foundation
import Lookahead
public import Simulation

@main
struct Fit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Tries numbers of the product's objective out on people in the simulator, and looks for better ones.",
    discussion: """
      Each line has the gain over today's numbers: all in one, then for each kind of link comfort and the \
      challenge's score with their standard errors, person by person. Judge what was found on people of other \
      seeds. docs/design/simulator.md says what the figures mean.

      EXAMPLES
        fit --candidate "variation=0.2 outage=6" --candidate variation=0.3
        fit --vary variation --vary outage --vary switchPrice --generations 20
      """)

  @Option(help: "NAME=VALUE, or several of them: numbers to try. Can be given again.")
  var candidate: [String] = []

  @Option(help: "NAME of a number to look for, from today's value on. Can be given again.")
  var vary: [String] = []

  @Option(help: "Seed of the first person.")
  var seed: UInt64 = 5_001

  @Option(help: "How many people.")
  var people = 40

  @Option(help: "How many minutes of clips each of them watches.")
  var minutes = 3.0

  @Option(help: "A kind of link. Can be given again. (default: all)")
  var family: [TraceFamily] = []

  @Option(help: "How many generations of candidates the search makes.")
  var generations = 20

  @Option(help: "How many candidates a generation has.")
  var population = 8

  @Option(help: "Standard deviation of the first candidates' logarithms.")
  var step = 0.25

  @Option(help: "How many sessions run at a time.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func validate() throws {
    guard people > 1, minutes > 0, generations > 0, population > 3, step > 0 else {
      throw ValidationError(
        "Two people, some minutes, a generation, four candidates and a step are the least.")
    }
    for name in vary where Self.numbers[name] == nil { throw ValidationError("\(name): no such number.") }
    for text in candidate { _ = try Self.objective(text) }
  }

  func run() async throws {
    let trial = Trial(
      families: family.isEmpty ? TraceFamily.allCases : family,
      seeds: (0..<people).map { seed &+ UInt64($0) },
      length: .watching(Milliseconds(Int64(minutes * 60_000))))
    let base = await trial.run(.clipfeed, jobs: jobs)
    for text in candidate {
      report(text, await trial.run(try Self.objective(text), jobs: jobs), base)
    }
    if !vary.isEmpty { await search(trial, base) }
  }

  /// Numbers are prices, lengths and shares: what is looked for is by how much each is to be multiplied.
  private func search(_ trial: Trial, _ base: [Trial.Outcome]) async {
    let paths = vary.compactMap { Self.numbers[$0] }
    func objective(_ logarithms: [Double]) -> Objective {
      var objective = Objective.clipfeed
      for (path, logarithm) in zip(paths, logarithms) { objective[keyPath: path] *= exp(logarithm) }
      return objective
    }
    func text(_ logarithms: [Double]) -> String {
      let objective = objective(logarithms)
      return zip(vary, paths).map { "\($0)=\(String(format: "%.3g", objective[keyPath: $1]))" }
        .joined(separator: " ")
    }
    var strategy = EvolutionStrategy(
      start: paths.map { _ in 0 }, step: step, population: population, seed: seed)
    for generation in 1...generations {
      var values: [Double] = []
      for candidate in strategy.ask() {
        values.append(Trial.value(of: await trial.run(objective(candidate), jobs: jobs), against: base))
      }
      strategy.tell(values)
      let mean = values.reduce(0, +) / Double(values.count)
      print(generation, String(format: "%+.2f", mean), text(strategy.mean))
    }
    report(text(strategy.mean), await trial.run(objective(strategy.mean), jobs: jobs), base)
  }

  private func report(_ text: String, _ outcomes: [Trial.Outcome], _ base: [Trial.Outcome]) {
    var line = text + String(format: ": %+.2f", Trial.value(of: outcomes, against: base))
    for (outcome, base) in zip(outcomes, base) {
      let comfort = Trial.difference(outcome, base, \.comfortScore)
      let score = Trial.difference(outcome, base, \.score)
      line += " | \(outcome.name)"
      line += String(
        format: " %+.1f ± %.1f, %+.1f ± %.1f", comfort.mean, comfort.error, score.mean, score.error)
    }
    print(line)
  }

  private static func objective(_ text: String) throws -> Objective {
    var objective = Objective.clipfeed
    for part in text.split(separator: " ") {
      let pair = part.split(separator: "=").map(String.init)
      guard pair.count == 2, let path = numbers[pair[0]], let value = Double(pair[1]) else {
        throw ValidationError("\(part): it should be NAME=VALUE.")
      }
      objective[keyPath: path] = value
    }
    return objective
  }

  private static var numbers: [String: WritableKeyPath<Objective, Double>] {
    [
      "stallPrice": \.stallPrice, "bytePrice": \.bytePrice, "wastePrice": \.wastePrice,
      "switchPrice": \.switchPrice, "fallFactor": \.fallFactor, "stockShare": \.stockShare,
      "variation": \.variation, "drift": \.drift, "outageShare": \.outageShare, "outage": \.outage,
      "reserveWorth": \.reserveWorth,
      "shortPause": \.shortPause, "longPause": \.longPause,
    ]
  }
}

extension TraceFamily: ExpressibleByArgument {}
