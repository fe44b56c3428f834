public import ArgumentParser
public import Composition
internal import Configured
internal import Foundation
internal import Generation
internal import Platform
internal import VideoProviders
internal import Webhooks

/// How much may be made from words, who is asked first, and who looks at prompts before.
public struct GenerationOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.generationProviders)) var generationProviders: String?
  @Option(help: ArgumentHelp(.generationCredits)) var generationCredits: String?
  @Option(help: ArgumentHelp(.generationCreditsOfAll)) var generationCreditsOfAll: String?
  @Option(help: ArgumentHelp(.generationPrice)) var generationPrice: String?
  @Option(help: ArgumentHelp(.generationAtOnce)) var generationAtOnce: String?
  @Option(help: ArgumentHelp(.generationModeration)) var generationModeration: String?
  @Option(help: ArgumentHelp(.generationModerationModel)) var generationModerationModel: String?
  @Option(help: ArgumentHelp(.generationModerationPictures)) var generationModerationPictures: String?
  @Option(help: ArgumentHelp(.generationModerationSeconds)) var generationModerationSeconds: String?
  @Option(help: ArgumentHelp(.generationModerationDown)) var generationModerationDown: String?

  public init() {}

  public mutating func validate() throws {
    generationProviders = try settled(.generationProviders, generationProviders)
    _ = try VideoProviderSetting.all(of: generationProviders)
    _ = try VideoProviderSetting.webhookKeys(of: generationProviders)
    generationCredits = try settled(.generationCredits, generationCredits)
    generationCreditsOfAll = try settled(.generationCreditsOfAll, generationCreditsOfAll)
    generationPrice = try settled(.generationPrice, generationPrice)
    generationAtOnce = try settled(.generationAtOnce, generationAtOnce)
    generationModeration = try settled(.generationModeration, generationModeration)
    generationModerationModel = try settled(.generationModerationModel, generationModerationModel)
    generationModerationPictures = try settled(
      .generationModerationPictures, generationModerationPictures)
    generationModerationSeconds = try settled(.generationModerationSeconds, generationModerationSeconds)
    generationModerationDown = try settled(.generationModerationDown, generationModerationDown)
    _ = try moderation()
  }

  /// Nil: nobody looks at prompts. Throws `ValidationError`.
  func moderation() throws -> OpenAIModerationSettings? {
    let key = try settled(.generationModerationKey, nil)
    guard let generationModeration else {
      for (setting, value) in [
        (Setting.generationModerationKey, key), (.generationModerationModel, generationModerationModel),
      ] where value != nil {
        throw ValidationError("\(setting.places) needs \(Setting.generationModeration.places).")
      }
      return nil
    }
    let providerKey = try key.map { text in
      guard let key = ProviderKey(text) else {
        throw ValidationError(
          "\(Setting.generationModerationKey.places) has signs that no key has, or none.")
      }
      return key
    }
    guard
      var settings = OpenAIModerationSettings(
        address: generationModeration, key: providerKey, model: generationModerationModel)
    else {
      throw ValidationError(
        "\(Setting.generationModeration.places) must be an address that begins with https:// or http://, "
          + "without a question mark.")
    }
    settings.takesPictures = generationModerationPictures == "on"
    if let seconds = generationModerationSeconds.flatMap({ SafeInteger.read($0) }) {
      settings.patience = .seconds(seconds)
    }
    return settings
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
    if let moderation = try moderation() {
      instance.promptReview.take(
        OpenAIModeration(moderation), lettingThrough: generationModerationDown == "allow")
    }
    instance.webhookSetup.hear(try VideoProviderSetting.webhookKeys(of: generationProviders))
  }
}
