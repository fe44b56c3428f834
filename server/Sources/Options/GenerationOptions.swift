public import ArgumentParser
public import Composition
internal import Configured
public import Generation
internal import Platform

/// How much may be made from words, and who is asked first.
public struct GenerationOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.generationOrder)) var generationOrder: String?
  @Option(help: ArgumentHelp(.generationCredits)) var generationCredits: String?
  @Option(help: ArgumentHelp(.generationCreditsOfAll)) var generationCreditsOfAll: String?
  @Option(help: ArgumentHelp(.generationPrice)) var generationPrice: String?
  @Option(help: ArgumentHelp(.generationAtOnce)) var generationAtOnce: String?

  public init() {}

  public mutating func validate() throws {
    generationOrder = try settled(.generationOrder, generationOrder)
    generationCredits = try settled(.generationCredits, generationCredits)
    generationCreditsOfAll = try settled(.generationCreditsOfAll, generationCreditsOfAll)
    generationPrice = try settled(.generationPrice, generationPrice)
    generationAtOnce = try settled(.generationAtOnce, generationAtOnce)
  }

  public var rules: GenerationRules {
    var rules = GenerationRules()
    if let credits = generationCredits.flatMap({ SafeInteger.read($0) }) { rules.creditsPerDay = credits }
    if let credits = generationCreditsOfAll.flatMap({ SafeInteger.read($0) }) {
      rules.creditsPerDayOfAll = credits
    }
    if let price = generationPrice.flatMap({ SafeInteger.read($0) }) { rules.creditsPerSecond = price }
    if let most = generationAtOnce.flatMap({ SafeInteger.read($0) }) { rules.mostUnderWay = most }
    return rules
  }

  public var order: [String] { (generationOrder ?? "").split(separator: " ").map(String.init) }

  public func apply(_ providers: [any VideoProvider], to instance: Instance) {
    instance.makers.take(providers, order: order, rules)
  }
}
