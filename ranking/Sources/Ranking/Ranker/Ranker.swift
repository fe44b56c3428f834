/// What to watch next: learns from impressions as they arrive, finds candidates, orders them, and says why.
///
/// It decides; it does not know databases, clocks, threads, files, or who may see what. The host says what
/// time it is and which clips are not to be shown (`Request.isExcluded`), calls `refit()` when there is
/// time, and keeps what `snapshot()` gives.
///
/// One thread at a time: all methods belong into one actor or lock of the host. The same calls in the same
/// order give the same pages on every machine. Numbers and texts of strangers are cut to bounds where they
/// enter; there is no input that traps.
public final class Ranker {
  public let settings: Settings
  var generator: SeededGenerator

  // By number of the clip. Numbers of clips that are gone are given again once nothing mentions them.
  var clips: [ClipRecord] = []
  var numbers: [EntityID: UInt32] = [:]
  var freeNumbers: [UInt32] = []
  /// By author, the newest last.
  var clipsByAuthor: [EntityID: [UInt32]] = [:]
  /// How many clips there are in each language.
  var clipsByLanguage: [UInt64: Int] = [:]
  /// New clips whose budget is not used up, in the order in which they came.
  var exploring: [UInt32] = []
  var grants: CreatorGrants

  var viewers: [EntityID: ViewerRecord] = [:]

  var factors: ClipFactors
  var index: InvertedFile?
  var coWatch: CoWatch
  var popularity: DecayedPopularity
  var labels = WatchLabels()
  /// What comes next; nil: by the settings there is none.
  var sequence: SequenceModel?
  /// It looks at all clips, so what a page gains of it ends where they are too many for that.
  var usesSequence: Bool { sequence != nil && clips.count <= settings.index.exactBelow }
  var model: LogisticModel
  /// The model as it was when it was kept; of it the weights count alone.
  var keptModel: LogisticModel?
  /// Of all impressions, and by surface and bucket of length.
  var totals = Rates(impressions: 20, positives: 6, actions: 0.4, skips: 6)
  var surfaces: [Rates]
  /// The rate of positives that half of the clips exceed; made anew with every refit.
  var medianRate = 0.3
  var refitWork: RefitWork?

  // To work in.
  var scores = SparseScores()
  var places = CandidatePlaces()
  var scratch: [Int32] = []
  var features = Features()

  /// Knows nothing.
  ///
  /// - Parameter now: milliseconds since 1970.
  public init(settings: Settings = Settings(), now: Int64) {
    self.settings = settings
    generator = SeededGenerator(seed: settings.seed)
    factors = ClipFactors(clips: 0, settings: settings.factors, by: &generator)
    coWatch = CoWatch(settings: settings.coWatch, at: now)
    grants = CreatorGrants(at: now)
    popularity = DecayedPopularity(halfLife: settings.popularityHalfLife, at: now)
    model = LogisticModel(
      denseCount: Self.denseFeatures, settings: settings.model, start: Self.startWeights)
    sequence = settings.sequence.map { SequenceModel(settings: $0, seed: settings.seed) }
    surfaces = [Rates](repeating: Rates(), count: 256 * WatchLabels.buckets)
  }

  public var clipCount: Int { numbers.count }
  public var viewerCount: Int { viewers.count }

  // MARK: Clips

  /// Takes a clip in, or what is new about it, which costs nothing of what was learned. Does nothing, and
  /// says so, if there is no room.
  @discardableResult
  public func add(_ clip: Clip) -> Bool {
    if let number = numbers[clip.id] {
      let old = clips[Int(number)].clip
      clips[Int(number)].clip = clip
      if old.author != clip.author {
        clipsByAuthor[old.author]?.removeAll { $0 == number }
        clipsByAuthor[clip.author, default: []].append(number)
      }
      if old.language != clip.language {
        tally(old.language, -1)
        tally(clip.language, 1)
      }
      return true
    }
    guard numbers.count < min(settings.clips, 1 << 30) else { return false }
    let number: UInt32
    if let free = freeNumbers.popLast() {
      number = free
      clips[Int(free)] = ClipRecord(clip: clip)
    } else {
      number = UInt32(clips.count)
      clips.append(ClipRecord(clip: clip))
      // A vector that is near nothing: the first sweep needs something to begin with.
      factors.appendRow(by: &generator)
      coWatch.grow(to: clips.count)
      popularity.grow(to: clips.count)
    }
    sequence?.begin(Int(number))
    numbers[clip.id] = number
    clipsByAuthor[clip.author, default: []].append(number)
    tally(clip.language, 1)
    exploring.append(number)
    return true
  }

  /// A clip that nobody may see any more: no answer names it from here on.
  public func remove(_ id: EntityID) {
    guard let number = numbers.removeValue(forKey: id) else { return }
    let author = clips[Int(number)].clip.author
    clips[Int(number)].isGone = true
    tally(clips[Int(number)].clip.language, -1)
    exploring.removeAll { $0 == number }
    clipsByAuthor[author]?.removeAll { $0 == number }
    if clipsByAuthor[author]?.isEmpty == true { clipsByAuthor[author] = nil }
    popularity.remove(number)
    factors.clearRow(Int(number))
  }

  /// So many clips more in a language, or fewer.
  func tally(_ language: UInt64?, _ change: Int) {
    guard let language else { return }
    let count = clipsByLanguage[language, default: 0] + change
    clipsByLanguage[language] = count > 0 ? count : nil
  }

  public func contains(_ clip: EntityID) -> Bool { numbers[clip] != nil }

  /// How a new clip does.
  public func exploration(of clip: EntityID) -> Exploration.Posterior? {
    numbers[clip].map { clips[Int($0)].exploration }
  }
}
