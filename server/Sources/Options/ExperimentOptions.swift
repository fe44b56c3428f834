public import ArgumentParser
internal import Configured
internal import Platform
public import Recommendations

/// What is tried on people, if anything.
public struct ExperimentOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.experiment)) var experiment: String?
  @Option(help: ArgumentHelp(.experimentShare)) var experimentShare: String?
  @Option(help: ArgumentHelp(.experimentTreatment)) var experimentTreatment: String?

  public init() {}

  public mutating func validate() throws {
    experiment = try settled(.experiment, experiment)
    experimentShare = try settled(.experimentShare, experimentShare)
    experimentTreatment = try settled(.experimentTreatment, experimentTreatment)
    _ = try make()
  }

  /// Nil: none. Throws what an operator has to be told.
  public func make() throws -> RankingExperiment? {
    guard let experiment else {
      guard experimentTreatment == nil else {
        throw ValidationError("\(Setting.experimentTreatment.places) needs \(Setting.experiment.places).")
      }
      return nil
    }
    guard RankingExperiment.isName(experiment) else {
      throw ValidationError(
        "\(Setting.experiment.places) must be 1 to 64 of a to z, A to Z, digits, full stop, - and _.")
    }
    guard let experimentTreatment else {
      throw ValidationError("\(Setting.experiment.places) needs \(Setting.experimentTreatment.places).")
    }
    let percent = experimentShare.flatMap { SafeInteger.read($0) } ?? 10
    do {
      return RankingExperiment(
        name: experiment, share: Double(percent) / 100,
        treatment: try PageSetting.settings(experimentTreatment))
    } catch {
      throw ValidationError("\(Setting.experimentTreatment.places): \(error).")
    }
  }
}
