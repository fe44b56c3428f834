internal import Contract
internal import Ranking
internal import RankingJudgement

/// Goes through the log as it happened: a ranker that knows nothing learns one event after the other, and at
/// each place that the lot gave it is asked, before it learns what came of it, which pages the settings would
/// have made there.
///
/// What is estimated is a place of such a page, each as likely: the settings agree with the lot in one of
/// (clips by page) places, and where they do, what came is theirs.
struct ReplayRun {
  /// Clips of a page.
  static let pageLength = 10
  /// As the server does.
  static let eventsOfARefit = RecommendationStore.eventsOfARefit
  static let heads: [Head] = [.positive, .skip]

  private let ranker: Ranker
  private var trust: TrustModel
  private var recent = RecentActions()
  private let settings: [Ranker.PageSettings]
  private var clips: ArraySlice<Ranking.Clip>
  private(set) var learned = 0
  private var sinceRefit = 0
  private var refitDay: Int64 = -1
  private var waiting: [Asked: Place] = [:]
  private var done: [Place] = []

  private struct Asked: Hashable {
    let viewer: EntityID
    let clip: EntityID
  }

  private struct Place {
    let atMs: Int64
    /// By head and setting, without what came.
    var choices: [[LoggedChoice]]
  }

  /// - Parameter clips: all of the catalogue; each is known from when it was made.
  init(_ settings: [Ranker.PageSettings], clips: [Ranking.Clip], fromMs: Int64) {
    var ranking = Ranker.Settings()
    // What a setting chooses is judged, and not another lot.
    ranking.uniformShare = 0
    ranker = Ranker(settings: ranking, now: fromMs)
    trust = TrustModel(at: fromMs)
    self.settings = settings
    self.clips = clips.sorted { ($0.publishedAt, $0.id) < ($1.publishedAt, $1.id) }[...]
  }

  mutating func learn(_ event: EventLog.Event) {
    let atMs = EventLog.ms(of: event.id)
    addClips(until: atMs)
    learned += 1
    sinceRefit += 1
    guard let impression = ranker.learn(event, trusting: &trust, behind: &recent) else { return }
    let asked = Asked(viewer: impression.viewer, clip: impression.clip)
    guard var place = waiting[asked], atMs >= place.atMs else { return }
    waiting[asked] = nil
    guard atMs - place.atMs <= RankingLog.effectMs else { return }
    for (row, head) in Self.heads.enumerated() {
      let reward = Double(impression.lesson.outcome[head] ?? 0)
      for column in place.choices[row].indices { place.choices[row][column].reward = reward }
    }
    done.append(place)
  }

  /// What the settings would do at a place. All events of before it have to be learned.
  mutating func ask(_ place: DrawnPlace, _ context: PlaceContext) {
    addClips(until: place.atMs)
    refitIfDue(place.atMs)
    guard let clip = EntityID(uuid: place.clip), ranker.contains(clip) else { return }
    let viewer = EntityID(of: place.viewer)
    let ranker = ranker
    // As on the server: a like may come without the clip having been on the screen.
    let liked = Set(ranker.likes(of: viewer))
    var request = Request(viewer: viewer, now: place.atMs, followed: context.followed) { id in
      // It was not excluded then, whatever is said of it today.
      guard id != clip else { return false }
      if context.gone.contains(id) || liked.contains(id) { return true }
      guard let known = ranker.clip(id) else { return false }
      return known.author == viewer || context.authors.contains(known.author)
        || !context.tags.isDisjoint(with: known.tags)
        || known.sound.map { context.sounds.contains($0) } ?? false
    }
    let expected = ranker.probabilities(of: clip, for: request) ?? [:]
    var choices = [[LoggedChoice]](repeating: [], count: Self.heads.count)
    for settings in settings {
      request.settings = settings
      let page = ranker.page(request, count: Self.pageLength)
      let agrees = page.contains { $0.clip == clip }
      for (row, head) in Self.heads.enumerated() {
        let value = page.reduce(0) { $0 + Double($1.probabilities[head] ?? 0) } / Double(max(page.count, 1))
        choices[row].append(
          LoggedChoice(
            viewer: viewer, propensity: place.propensity,
            targetProbability: agrees ? 1 / Double(page.count) : 0, reward: 0,
            predictedReward: Double(expected[head] ?? 0), predictedValue: value))
      }
    }
    waiting[Asked(viewer: viewer, clip: clip)] = Place(atMs: place.atMs, choices: choices)
  }

  private mutating func addClips(until atMs: Int64) {
    while let next = clips.first, next.publishedAt <= atMs {
      ranker.add(next)
      clips.removeFirst()
    }
  }

  private mutating func refitIfDue(_ atMs: Int64) {
    let day = CalibrationTable.day(of: atMs)
    guard sinceRefit >= Self.eventsOfARefit || day != refitDay else { return }
    (sinceRefit, refitDay) = (0, day)
    ranker.refitWhole()
  }

  // MARK: Figures

  /// - Parameters:
  ///   - names: of the settings.
  ///   - places: that were asked about.
  func figures(_ names: [String], places: Int) -> ReplayFigures {
    let outcomes = Self.heads.enumerated().map { row, head in
      let columns = settings.indices.map { column in done.map { $0.choices[row][column] } }
      return ReplayFigures.Outcome(
        name: head == .skip ? "gone within two seconds" : "watched for long or liked",
        settings: settings.indices.map { column in
          ReplayFigures.Brought(
            name: names[column], settings: settings[column], estimates: OffPolicyEstimates(columns[column]),
            difference: column == 0
              ? nil : OffPolicyEstimates.difference(of: columns[column], from: columns[0]))
        })
    }
    return ReplayFigures(
      places: places, unseen: places - done.count, learned: learned, outcomes: outcomes)
  }
}
