extension Ranker {
  /// Numbers that an operator may judge differently; docs/design/ranking.md has their reasons.
  public struct Settings: Sendable, Equatable {
    public var seed: UInt64 = 1
    public var factors = ClipFactors.Settings()
    public var coWatch = CoWatch.Settings()
    public var model = LogisticModel.Settings()
    public var exploration = Exploration.Settings()
    public var diversity = Diversity.Settings()
    public var index = InvertedFile.Settings()
    /// Nil: there is no model of what comes next, and no watches are kept.
    public var sequence: SequenceModel.Settings? = SequenceModel.Settings()
    /// How much less a like weighs than the one after it, in a viewer's vector and in what goes with it.
    public var vectorFading: Float = 0.97
    public var coWatchFading: Float = 0.95
    /// Of the terms by which candidates are ordered.
    public var blend = Blend()
    /// Half-life of popularity, in milliseconds.
    public var popularityHalfLife: Int64 = 72 * 3_600_000
    /// What the probabilities count in the order of a page.
    public var worth: [Head: Float] = [.positive: 1, .action: 1, .skip: -0.5, .watch: 1]
    /// Viewers that are kept; of more, those go who were away longest.
    public var viewers = 1_000_000
    public var clips = 4_000_000
    /// The share of places that are drawn uniformly, so that changes can be judged honestly.
    public var uniformShare = 0.004

    public init() {}

    /// What pages go by, unless a request says otherwise.
    public var page: PageSettings {
      PageSettings(blend: blend, worth: worth, diversity: diversity, newClipEvery: exploration.every)
    }
  }

  /// The settings that a page goes by and learning does not: one ranker makes pages of any.
  public struct PageSettings: Sendable, Equatable {
    /// As those of `Settings`.
    public var blend: Blend
    public var worth: [Head: Float]
    public var diversity: Diversity.Settings
    /// As `Exploration.Settings.every`.
    public var newClipEvery: Int

    /// By the number of the head.
    var worths: SIMD4<Float> {
      var worths = SIMD4<Float>()
      for head in Head.allCases { worths[head.rawValue] = (worth[head] ?? 0).bounded(-100...100) }
      return worths
    }
  }

  /// Weights of the terms of retrieval. The first three are brought to mean 0 and variance 1; the fourth is a
  /// logarithm of how likely a clip is, which says little where little was learned.
  public struct Blend: Sendable, Equatable {
    public var factors: Float
    public var coWatch: Float
    public var popularity: Float
    /// Of the model of what comes next.
    public var sequence: Float

    public init(
      factors: Float = 1, coWatch: Float = 0.4, popularity: Float = 0.15, sequence: Float = 4
    ) {
      self.factors = factors
      self.coWatch = coWatch
      self.popularity = popularity
      self.sequence = sequence
    }
  }
}
