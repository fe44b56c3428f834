/// Which new clip is shown to a few first, and for how long.
///
/// Chapelle, Li: "An empirical evaluation of Thompson sampling", NIPS 2011: of what the viewer may think of
/// each clip a Beta distribution is believed, about the model's probability and the narrower the more
/// impressions there were; one rate is drawn from each, and the largest is shown. So a new clip comes first
/// to those who may like it.
/// Budgets rise in stages: a hundred impressions for everyone, a thousand, then ten thousand for clips that
/// may yet be better than half of all. The first stage has a time: a clip of the last day that lags behind
/// it goes before all that do not.
public struct Exploration: Sendable, Equatable {
  public struct Settings: Sendable, Equatable {
    /// Impressions that end each stage.
    public var budgets: [Float] = [100, 1_000, 10_000]
    /// After a stage a clip goes on while it is so likely that its rate is above that of half of all clips.
    public var chance = 0.2
    /// Impressions that the prior counts as.
    public var priorStrength = 4.0
    /// Rates that are drawn for one place. How often a clip wins among them is its probability.
    public var draws = 64
    /// Clips that stand for election at one place.
    public var pool = 40
    /// One of so many places is given to new clips; 0 gives none.
    public var every = 10
    /// Of one author, how many clips stand for election at one place: ten uploads are not ten times the
    /// chance.
    public var perAuthor = 2
    /// First impressions (those of the first stage) that new clips of an author may have had lately, where
    /// they halve in a day: about seven tenths of it each day. Above it their new clips wait.
    public var firstPerAuthor: Float = 500
    /// Milliseconds in which a new clip shall have the impressions of the first stage. One that lags behind
    /// goes before all that do not.
    public var firstStage: Int64 = 8 * 3_600_000

    public init() {}
  }

  /// What is believed of a clip's rate of positives.
  public struct Posterior: Sendable, Equatable {
    /// Since it was published; what counts against budgets.
    public internal(set) var impressions: Float = 0
    public internal(set) var positives: Float = 0
    public internal(set) var isOver = false

    public init() {}

    /// What is believed of the rate among viewers like one, of whom a model says `probability`.
    func shape(probability: Double, strength: Double) -> (alpha: Double, beta: Double) {
      let probability = probability.bounded(0.001...0.999)
      let weight = strength.bounded(0.1...1_000_000) + Double(max(impressions, 0))
      return (weight * probability, weight * (1 - probability))
    }

    /// - Parameters:
    ///   - prior: the rate of all clips, 0 to 1.
    ///   - strength: impressions that it counts as.
    public func shape(prior: Double, strength: Double) -> (alpha: Double, beta: Double) {
      let prior = prior.bounded(0.001...0.999)
      let strength = strength.bounded(0.1...1_000_000)
      let missed = Double(max(impressions - positives, 0))
      return (Double(positives) + strength * prior, missed + strength * (1 - prior))
    }
  }

  /// A clip of the pool, and how likely it is to be shown at this place.
  public struct Choice: Sendable, Equatable {
    public let clip: UInt32
    public let probability: Double
  }

  /// Counts an impression, and ends the exploration where a stage is over and there is no hope.
  ///
  /// - Parameter median: the rate that half of all clips exceed.
  static func observe(
    _ isPositive: Bool, weight: Float, _ posterior: inout Posterior, prior: Double, median: Double,
    _ settings: Settings
  ) {
    guard !posterior.isOver, weight > 0 else { return }
    let before = posterior.impressions
    posterior.impressions += weight
    posterior.positives += isPositive ? weight : 0
    guard let last = settings.budgets.last, posterior.impressions < last else {
      posterior.isOver = true
      return
    }
    guard settings.budgets.contains(where: { before < $0 && posterior.impressions >= $0 }) else { return }
    let (alpha, beta) = posterior.shape(prior: prior, strength: settings.priorStrength)
    posterior.isOver = 1 - incompleteBeta(median, alpha, beta) <= settings.chance
  }

  /// Whether a clip has had fewer impressions than it should have by now: they are spread evenly over the
  /// first stage's time, the first hour's at once. Only in the first day; what was missed then is over.
  static func isDue(
    _ posterior: Posterior, publishedAt: Int64, at now: Int64, _ settings: Settings
  ) -> Bool {
    guard let budget = settings.budgets.first, !posterior.isOver, posterior.impressions < budget else {
      return false
    }
    let (age, overflow) = now.subtractingReportingOverflow(publishedAt)
    guard !overflow, age >= 0, age < 86_400_000 else { return false }
    let share = Double(age + 3_600_000) / Double(max(settings.firstStage, 1))
    return Double(posterior.impressions) < Double(budget) * min(share, 1)
  }

  /// How likely each clip of the pool is to have the largest rate: the share of `draws` that it wins. The
  /// sum is 1; who never wins is not in the list. Empty for an empty pool.
  static func probabilities(
    _ pool: [(clip: UInt32, alpha: Double, beta: Double)], draws: Int, by generator: inout SeededGenerator
  ) -> [Choice] {
    guard !pool.isEmpty else { return [] }
    let draws = min(max(draws, 1), 10_000)
    let rates = pool.map { BetaDistribution($0.alpha, $0.beta) }
    var wins = [Int](repeating: 0, count: pool.count)
    for _ in 0..<draws {
      var best = 0
      var highest = -1.0
      for place in rates.indices {
        let rate = rates[place].draw(by: &generator)
        if rate > highest { (best, highest) = (place, rate) }
      }
      wins[best] += 1
    }
    return pool.indices.filter { wins[$0] > 0 }.map {
      Choice(clip: pool[$0].clip, probability: Double(wins[$0]) / Double(draws))
    }
  }

  /// One of the choices, by their probabilities; so what is logged with it is exact.
  static func draw(_ choices: [Choice], by generator: inout SeededGenerator) -> Choice? {
    var left = generator.uniform()
    for choice in choices {
      left -= choice.probability
      if left < 0 { return choice }
    }
    return choices.last
  }
}
