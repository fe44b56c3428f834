public import ArgumentParser
public import Composition
internal import Configured
internal import Foundation
internal import Generation
internal import Platform

/// How much may be made from words, and who is asked first.
public struct GenerationOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.generationProviders)) var generationProviders: String?
  @Option(help: ArgumentHelp(.generationCredits)) var generationCredits: String?
  @Option(help: ArgumentHelp(.generationCreditsOfAll)) var generationCreditsOfAll: String?
  @Option(help: ArgumentHelp(.generationPrice)) var generationPrice: String?
  @Option(help: ArgumentHelp(.generationAtOnce)) var generationAtOnce: String?

  public init() {}

  public mutating func validate() throws {
    generationProviders = try settled(.generationProviders, generationProviders)
    _ = try VideoProviderSetting.all(of: generationProviders)
    generationCredits = try settled(.generationCredits, generationCredits)
    generationCreditsOfAll = try settled(.generationCreditsOfAll, generationCreditsOfAll)
    generationPrice = try settled(.generationPrice, generationPrice)
    generationAtOnce = try settled(.generationAtOnce, generationAtOnce)
  }

  private var rules: GenerationRules {
    var rules = GenerationRules()
    if let credits = generationCredits.flatMap({ SafeInteger.read($0) }) { rules.creditsPerDay = credits }
    if let credits = generationCreditsOfAll.flatMap({ SafeInteger.read($0) }) {
      rules.creditsPerDayOfAll = credits
    }
    if let price = generationPrice.flatMap({ SafeInteger.read($0) }) { rules.creditsPerSecond = price }
    if let most = generationAtOnce.flatMap({ SafeInteger.read($0) }) { rules.mostUnderWay = most }
    return rules
  }

  /// Those that are listed, in that order. Throws `invalid_parameter` where a program is not there.
  public func apply(to instance: Instance) throws {
    let folder = instance.folder.appendingPathComponent("generation", isDirectory: true)
    let providers = try VideoProviderSetting.all(of: generationProviders).compactMap {
      try $0.make(folder: folder)
    }
    instance.makers.take(providers, rules)
  }
}
