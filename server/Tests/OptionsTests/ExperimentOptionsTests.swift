import ArgumentParser
import Ranking
import Recommendations
import Testing

@testable import Options

/// What is tried on people.
@Suite struct ExperimentOptionsTests {
  @Test func anExperimentIsItsNameItsShareAndItsTreatment() throws {
    #expect(try ExperimentOptions.parse([]).make() == nil)
    let experiment = try #require(
      try ExperimentOptions.parse([
        "--experiment", "less-alike", "--experiment-share", "25", "--experiment-treatment",
        "likeness=0.6 per-author=1",
      ]).make())
    #expect(experiment.name == "less-alike" && experiment.share == 0.25)
    #expect(experiment.treatment.diversity.likeness == 0.6 && experiment.treatment.diversity.perAuthor == 1)
    let another = try ExperimentOptions.parse(["--experiment", "x", "--experiment-treatment", "new-every=5"])
    #expect(try another.make()?.share == 0.1)
  }

  @Test(arguments: [
    ["--experiment", "x"], ["--experiment-treatment", "new-every=5"],
    ["--experiment", "two words", "--experiment-treatment", "new-every=5"],
    ["--experiment", "x", "--experiment-treatment", "colour=5"],
    ["--experiment", "x", "--experiment-treatment", "new-every=5", "--experiment-share", "51"],
    ["--experiment", "x", "--experiment-treatment", "new-every=5", "--experiment-share", "0"],
  ])
  func whatMeansNothingIsRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try ExperimentOptions.parse(arguments) }
  }
}
