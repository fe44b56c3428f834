public import ArgumentParser
public import Composition
internal import Configured
internal import Platform

/// What nobody may write here, and what who is new may not do yet.
public struct SiteRuleOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.wordList)) var wordList: String?
  @Option(help: ArgumentHelp(.newAccountHours)) var newAccountHours: String?

  public init() {}

  public mutating func validate() throws {
    wordList = try settled(.wordList, wordList)
    newAccountHours = try settled(.newAccountHours, newAccountHours)
    guard let wordList else { return }
    do {
      try SiteRules().follow(wordList)
    } catch {
      throw ValidationError("\(Setting.wordList.places): \(error)")
    }
  }

  public func apply(to instance: Instance) throws {
    if let wordList { try instance.siteRules.follow(wordList) }
    instance.siteRules.newcomerHours = newAccountHours.flatMap { SafeInteger.read($0) } ?? 0
  }
}
