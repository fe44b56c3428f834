/// How much may be made from words. What a credit is worth is the operator's to say.
public struct GenerationRules: Sendable, Equatable {
  public var creditsPerSecond = 1
  /// Of one person; what is left of a day is not added to the next.
  public var creditsPerDay = 60
  /// Of all people together.
  public var creditsPerDayOfAll = 1000
  /// Of one person, at the same time.
  public var mostUnderWay = 3

  public init() {}
}
