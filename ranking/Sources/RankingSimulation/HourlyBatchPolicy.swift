public import Ranking

/// The open recommender in the field, as its source and manual have it (gorse-io/gorse, 5404aef, 2026-08):
/// matrix factorisation with 16 factors and a factorisation machine, both fitted every 60 minutes, and for
/// each viewer a cached list of candidates in the machine's order, without what they have had. Candidates
/// are a hundred each of the latest, collaborative filtering, the most liked of the week, clips with the
/// same tags, and clips of viewers with the same likes. Who liked nothing yet gets the most liked of the
/// week, then the latest, as does whose list is used up. It explores nothing and does not diversify.
///
/// Kinder than the original where it had to be simplified: both models start each fit from the last one
/// (a fit from the beginning would be the same for each hour's few new events), a list is made anew with
/// each visit, and its matrix factorisation is our iALS, which was as good as or better than its own in
/// the measurements before.
public final class HourlyBatchPolicy: Policy {
  public let name = "hourly batch"
  private static let cacheSize = 100
  private static let hour: Int64 = 3_600_000
  /// Last events that a fit of the machine takes in: some three days.
  private static let events = 24_000

  private struct Event {
    let viewer: Int
    let clip: Int
    let isPositive: Bool
  }

  private var clips: [Clip] = []
  private var likes: [[Int]] = []
  private var events: [Event] = []
  private var fitAt = World.start + hour

  // As of the last fit.
  private var known = 0
  private var knownLikes: [[Int]] = []
  private var likers: [[Int]] = []
  private var factors: ClipFactors
  private var machine = FactorisationMachine(dimensions: 16, seed: 3)
  private var features: [UInt64: Int] = [:]
  private var popular: [Int] = []

  // Of the visit that is going on.
  private var list: [Int] = []
  private var listOf: Int?
  private var generator = SeededGenerator(seed: 5)

  public init() {
    factors = ClipFactors(
      clips: 0, settings: .init(dimensions: 16, unobservedWeight: 0.1, regularisation: 0.01), by: &generator)
  }

  public func publish(_ clip: Clip, number: Int) { clips.append(clip) }

  public func observe(_ impression: Impression, clip: Int, viewer: Int) {
    let isPositive = Outcome.isPositive(impression, duration: clips[clip].duration)
    events.append(Event(viewer: viewer, clip: clip, isPositive: isPositive))
    guard isPositive else { return }
    while likes.count <= viewer { likes.append([]) }
    likes[viewer].append(clip)
  }

  public func pass(to time: Int64) {
    guard time >= fitAt else { return }
    fit(at: time)
    listOf = nil
    while fitAt <= time { fitAt += Self.hour }
  }

  public func page(for viewer: Viewing, count: Int) -> [Int] {
    // Not while a visit goes on: what is swiped now counts from the next one on.
    if listOf != viewer.viewer {
      list = ranked(viewer)
      listOf = viewer.viewer
    }
    var page = Array(list.lazy.filter { !viewer.isSeen($0) }.prefix(count))
    let rest = popular + clips.indices.reversed()
    for clip in rest where page.count < count && !viewer.isSeen(clip) && !page.contains(clip) {
      page.append(clip)
    }
    return page
  }

  // MARK: Fits

  private func fit(at time: Int64) {
    known = clips.count
    knownLikes = likes
    var interactions = Interactions(columnCount: known)
    likers = [[Int]](repeating: [], count: known)
    for (viewer, liked) in likes.enumerated() where !liked.isEmpty {
      interactions.append(liked.map { UInt32($0) })
      for clip in liked { likers[clip].append(viewer) }
    }
    while factors.vectors.rows < known { factors.appendRow(by: &generator) }
    var sweep = FactorSweep(interactions, from: factors)
    while true {
      guard let done = sweep.step() else { continue }
      factors = done
      break
    }
    for event in events.suffix(Self.events) { learn(event) }
    let week = time - 7 * World.day
    popular = (0..<known).filter { clips[$0].publishedAt >= week }.best(Self.cacheSize) {
      Double(likers[$0].count)
    }
  }

  private func learn(_ event: Event) {
    machine.learn(names(event.viewer, event.clip, isNew: true), event.isPositive)
  }

  /// Viewer, clip, author and tags as numbers of features; those of the last fit alone where nothing is
  /// learned.
  private func names(_ viewer: Int, _ clip: Int, isNew: Bool) -> [Int] {
    let clip = clips[clip]
    var names = [UInt64(viewer) << 8 | 1, clip.id.low << 8 | 2, clip.author.low << 8 | 3]
    for tag in clip.tags { names.append(tag << 8 | 4) }
    return names.compactMap { name in
      if let known = features[name] { return known }
      guard isNew else { return nil }
      features[name] = features.count
      machine.grow(to: features.count)
      return features.count - 1
    }
  }

  // MARK: Lists

  private func ranked(_ viewer: Viewing) -> [Int] {
    let number = viewer.viewer
    guard number < knownLikes.count, !knownLikes[number].isEmpty else { return [] }
    let open = (0..<known).filter { !viewer.isSeen($0) }
    var candidates = Set(open.suffix(Self.cacheSize))
    candidates.formUnion(popular.filter { !viewer.isSeen($0) })
    let vector = factors.foldIn(knownLikes[number].map { UInt32($0) })
    let products = factors.scores(of: vector)
    candidates.formUnion(open.best(Self.cacheSize) { Double(products[$0]) })
    let byTag = sharedTags(knownLikes[number])
    candidates.formUnion(open.best(Self.cacheSize) { byTag[$0] }.filter { byTag[$0] > 0 })
    let byViewer = likesOfAlike(number)
    candidates.formUnion(open.best(Self.cacheSize) { byViewer[$0] }.filter { byViewer[$0] > 0 })
    return candidates.sorted().best(candidates.count) { clip in
      Double(machine.score(names(number, clip, isNew: false)))
    }
  }

  private func sharedTags(_ liked: [Int]) -> [Double] {
    var counts: [UInt64: Double] = [:]
    for clip in liked.suffix(100) { for tag in clips[clip].tags { counts[tag, default: 0] += 1 } }
    return (0..<known).map { clip in clips[clip].tags.reduce(0) { $0 + (counts[$1] ?? 0) } }
  }

  /// What the hundred viewers like who have most likes in common.
  private func likesOfAlike(_ viewer: Int) -> [Double] {
    var common = [Double](repeating: 0, count: knownLikes.count)
    for clip in knownLikes[viewer] { for liker in likers[clip] { common[liker] += 1 } }
    common[viewer] = 0
    var sums = [Double](repeating: 0, count: known)
    let alike = knownLikes.indices.best(Self.cacheSize) {
      common[$0] / Double(max(knownLikes[$0].count, 1)).squareRoot()
    }
    for other in alike where common[other] > 0 {
      for clip in knownLikes[other] { sums[clip] += common[other] }
    }
    return sums
  }
}
