internal import CoreMetrics
internal import Foundation
internal import Logging
internal import Platform
internal import Ranking
internal import Synchronization

/// The ranker of a process, on a queue of its own, with what it needs to know of viewers.
///
/// It is empty until `load`; until then, and when it takes longer than `patience`, pages come from elsewhere.
actor RankingEngine {
  private let queue = RankingQueue()
  nonisolated let patience: Duration
  nonisolated private let measured = Mutex(RankingMetrics(NOOPMetricsHandler.instance))
  private var settings: Ranker.Settings
  private var ranker: Ranker?
  private var trust = TrustModel(at: 0)
  private var recent = RecentActions()
  private var judgement = SelfJudgement()
  private var viewers = RecentViewers()
  /// Languages whose readers have an order of their own while nothing is known of them.
  nonisolated private let fronts = Mutex<Set<UInt64>>([])
  /// Learned since vectors were last made anew, and when that was.
  private var events = 0
  private var refitMs: Int64 = 0
  private var wasRefitted = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// `seed`: of all that is drawn by lot; nil: another each time.
  init(patience: Duration, seed: UInt64?) {
    self.patience = patience
    settings = Ranker.Settings()
    settings.seed = seed ?? UInt64.random(in: 0...UInt64.max)
  }

  nonisolated var metrics: RankingMetrics { measured.withLock { $0 } }

  nonisolated func measure(by factory: any MetricsFactory) {
    let metrics = RankingMetrics(factory)
    measured.withLock { $0 = metrics }
  }

  // MARK: State

  /// Begins with what a snapshot holds; with nothing, and says false, where there is none, or it is damaged
  /// or of another version.
  func load(_ saved: SavedRanking?, nowMs: Int64) -> Bool {
    recent = RecentActions()
    if let saved {
      do {
        trust = try TrustModel(restoring: saved.trust, now: nowMs)
        ranker = try Ranker(restoring: saved.model, settings: settings, now: nowMs)
        judgement = SelfJudgement(saved.judgement)
        return true
      } catch {
        Logger(label: "clipfeed.ranking").warning(
          "a snapshot cannot be used; learning begins with the events that are kept",
          metadata: ["error": "\(error)"])
      }
    }
    trust = TrustModel(at: nowMs)
    ranker = Ranker(settings: settings, now: nowMs)
    judgement = SelfJudgement()
    return false
  }

  /// As it is now; nil: nothing is loaded.
  func state() -> (ranker: RankerState, trust: TrustModel, judgement: SelfJudgement)? {
    ranker.map { ($0.state, trust, judgement) }
  }

  /// Whether vectors are worth making anew.
  func isRefitDue(nowMs: Int64) -> Bool {
    guard ranker != nil, events > 0 || !wasRefitted else { return false }
    return !wasRefitted || events >= RecommendationStore.eventsOfARefit
      || abs(nowMs - refitMs) >= RecommendationStore.refitEveryMs
  }

  /// A step of learning anew. True: there is more to do.
  func refit(nowMs: Int64) -> Bool {
    guard let ranker else { return false }
    (events, refitMs, wasRefitted) = (0, nowMs, true)
    return ranker.refit() != .done
  }

  // MARK: Clips

  func add(_ clips: [Ranking.Clip]) {
    for clip in clips { ranker?.add(clip) }
  }

  func remove(_ clips: [EntityID]) {
    for id in clips { ranker?.remove(id) }
  }

  var clipIDs: [EntityID] { ranker?.clipIDs ?? [] }

  var clipCount: Int { ranker?.clipCount ?? 0 }

  // MARK: Learning

  func learn(_ events: [EventLog.Event]) {
    guard let ranker else { return }
    for event in events { learn(event, by: ranker) }
    self.events += events.count
    metrics.learned(events.count)
  }

  func forget(_ viewers: [String]) {
    for viewer in viewers {
      ranker?.forget(EntityID(of: viewer))
      recent.forget(EntityID(of: viewer))
      self.viewers.forget(viewer)
    }
  }

  private func learn(_ event: EventLog.Event, by ranker: Ranker) {
    // What a guest had seen is the account's now, and may lie before where the account's was read up to. Of a
    // sign-in to an account that wants nothing learned it is said only that both are forgotten.
    if event.kind == .merge || event.kind == .forget { viewers.forget(event.viewer) }
    endNight(before: EventLog.ms(of: event.id), of: ranker)
    if let impression = ranker.learn(event, trusting: &trust, behind: &recent) {
      judgement.observe(impression)
    }
  }

  /// Where an event is of another day, what the last one taught is kept or dropped (`NightlyCheck`).
  private func endNight(before atMs: Int64, of ranker: Ranker) {
    let night = judgement.night.begin(atMs: atMs)
    if let night {
      metrics.ended(night)
      if night.outcome == .old {
        ranker.returnToKeptModel()
        Logger(label: "clipfeed.ranking").warning(
          "the model got worse within a day, and is what it was before",
          metadata: ["day": "\(night.day)", "difference": "\(night.difference)", "low": "\(night.low)"])
      }
    }
    if night != nil || !ranker.hasKeptModel { ranker.keepModel() }
  }

  /// Says to the operator's metrics how the model does.
  func measureModel() { metrics.judged(judgement.calibration) }

  // MARK: Reading

  func viewer<Value>(_ id: String, _ body: (inout RecentViewer) -> Value) -> Value {
    viewers.change(id, body)
  }

  /// Nil: nothing is loaded.
  func page(_ question: PageQuestion, count: Int) -> [RankedClip]? {
    ranker.map { $0.page(request(question, $0), count: count) }
  }

  /// What may be on the page, and what is known of it. Nil: nothing is loaded.
  func candidates(_ question: PageQuestion) -> ([Candidate], CandidateFeatures)? {
    guard let ranker else { return nil }
    let request = request(question, ranker)
    let candidates = ranker.candidates(for: request)
    let table = ranker.table(of: candidates, for: request)
    return (candidates, CandidateFeatures(table, for: question.viewer))
  }

  /// The page of these candidates. `scores`: of a model elsewhere; nil: by our own.
  func page(
    _ question: PageQuestion, count: Int, of candidates: [Candidate], _ scores: [Float]?
  ) -> [RankedClip]? {
    ranker.map { $0.rank(candidates, for: request(question, $0), count: count, scores: scores) }
  }

  private func request(_ question: PageQuestion, _ ranker: Ranker) -> Request {
    if question.viewer == nil { renewFronts(ranker) }
    let seen = question.viewer.map { viewers.seen(of: $0) } ?? []
    // A like may come without the clip having been on the screen, such as from another client.
    let liked = question.viewer.map { Set(ranker.likes(of: EntityID(of: $0))) } ?? []
    var request = Request(
      viewer: question.viewer.map { EntityID(of: $0) } ?? EntityID(0), now: question.nowMs,
      followed: question.followed
    ) { id in
      if [seen, liked, question.handedOut, question.dismissed].contains(where: { $0.contains(id) }) {
        return true
      }
      let isEmpty = question.authors.isEmpty && question.tags.isEmpty && question.sounds.isEmpty
      guard !isEmpty, let clip = ranker.clip(id) else { return false }
      return question.authors.contains(clip.author) || !question.tags.isDisjoint(with: clip.tags)
        || clip.sound.map { question.sounds.contains($0) } ?? false
    }
    request.settings = question.settings
    request.language = question.language
    return request
  }

  nonisolated func hasFront(in language: String) -> Bool {
    fronts.withLock { $0.contains(StableHash.of(language)) }
  }

  /// With each page for somebody of whom nothing is known: these are few, being kept for a while.
  private func renewFronts(_ ranker: Ranker) {
    let languages = ranker.languages(
      RecommendationStore.mostFronts, atLeast: RecommendationStore.clipsOfAFront)
    fronts.withLock { $0 = Set(languages) }
  }

  func likes(of viewer: String) -> [String] {
    ranker?.likes(of: EntityID(of: viewer)).map(\.uuid) ?? []
  }

  /// `language`: whose clips come first; nil: no one's.
  func rising(_ count: Int, nowMs: Int64, language: UInt64?) -> [String] {
    ranker?.rising(count, now: nowMs, language: language).map(\.uuid) ?? []
  }

  func similar(to clip: String, _ count: Int) -> [String] {
    guard let id = EntityID(uuid: clip) else { return [] }
    return ranker?.similar(to: id, count).map(\.uuid) ?? []
  }
}

/// What a page is asked by.
struct PageQuestion: Sendable {
  /// Nil: somebody of whom nothing is known.
  var viewer: String?
  var nowMs: Int64
  /// The hash of what the viewer reads; nil: it is not known.
  var language: UInt64?
  var followed: [EntityID] = []
  var handedOut: Set<EntityID> = []
  var dismissed: Set<EntityID> = []
  /// Of whom nothing is to be shown.
  var authors: Set<EntityID> = []
  var tags: Set<UInt64> = []
  var sounds: Set<UInt64> = []
  /// What the page goes by; nil: what everybody's does.
  var settings: Ranker.PageSettings?
}

extension EntityID {
  /// Ids of people are UUIDs; whatever else names somebody is as good as one by its hash.
  init(of text: String) {
    self = EntityID(uuid: text) ?? EntityID(high: StableHash.of(text), low: StableHash.of("\(text)/"))
  }
}
