/// What is known of the candidates of a page, as numbers that a model elsewhere can score.
///
/// A row for each candidate, a column for each feature. Columns never change their meaning or their place: a
/// model is trained on them. Another list is another version.
public struct CandidateTable: Sendable, Equatable {
  public static let version = 1
  public static let columns: [Column] =
    Column.ofRanker + Column.ofClip + Column.ofSources + Column.ofViewerAndClip + Column.ofViewer

  public struct Column: Sendable, Equatable {
    public let name: String
    /// With its unit or range; the end of a sentence.
    public let meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }

  /// By row.
  public let clips: [EntityID]
  /// Row by row, all finite.
  public let values: [Float]
}

extension CandidateTable.Column {
  static let ofRanker = [
    Self("own_score", "what our own order goes by: the four probabilities below, times their worth"),
    Self("positive", "probability of a long view or an action"),
    Self("action", "probability of a like, bookmark, share, follow or comment"),
    Self("skip", "probability of being gone within two seconds"),
    Self("watch_share", "expected place of the watch time among clips about as long, 0 to 1"),
    Self("vector_product", "dot product of the vectors of viewer and clip; 0: the viewer likes nothing yet"),
    Self("co_watch", "similarity to what the viewer liked, by who liked both; 0 or more"),
    Self("popularity", "logarithm of 1 + likes that count still (half-life: three days)"),
  ]
  static let ofClip = [
    Self("age_hours", "since it became public"),
    Self("duration_seconds", "its length"),
    Self("impressions", "so many, by trust; halved at a million"),
    Self("positive_rate", "of its impressions, with 20 of the instance's added"),
    Self("action_rate", "of its impressions, with 50 of the instance's added"),
    Self("skip_rate", "of its impressions, with 20 of the instance's added"),
  ]
  static let ofSources = [
    Self("from_vectors", "1: found by vectors; else 0, as all that follow"),
    Self("from_co_watch", "1: found by what people liked together"),
    Self("from_followed", "1: of an author whom the viewer follows, and new"),
    Self("from_trending", "1: found among what rises"),
    Self("from_fresh", "1: new, and to be shown to a few first"),
    Self("from_latest", "1: found among the latest"),
  ]
  static let ofViewerAndClip = [
    Self("is_followed", "1: the viewer follows its author"),
    Self("tag_impressions", "of clips with its tags, to this viewer"),
    Self("tag_positives", "those of them that were positive"),
    Self("author_impressions", "of its author's clips, to this viewer"),
    Self("author_positives", "those of them that were positive"),
    Self("length_impressions", "of clips about as long, to this viewer"),
    Self("length_positives", "those of them that were positive"),
  ]
  /// The same in each row.
  static let ofViewer = [
    Self("viewer_impressions", "of all clips, to this viewer"),
    Self("viewer_positive_rate", "of those, with 10 of the instance's added"),
    Self("viewer_action_rate", "of those, with 20 of the instance's added"),
    Self("viewer_skip_rate", "of those, with 10 of the instance's added"),
    Self("viewer_recent", "share of positives lately; each impression weighs an eighth of all before"),
    Self("viewer_likes", "clips that were positive for the viewer, 100 at most"),
    Self("viewer_follows", "authors whom the viewer follows, 1,000 at most"),
  ]
}

extension Ranker {
  /// What is known of candidates of `candidates(for:)`, which must be of this request. Those that are gone
  /// since have no row.
  public func table(of candidates: [Candidate], for request: Request) -> CandidateTable {
    var viewer = viewers[request.viewer] ?? ViewerRecord()
    let vector = vector(of: &viewer)
    let terms = terms(of: viewer, request.viewer, surface: request.surface, at: request.now)
    let worths = (request.settings ?? settings.page).worths
    let followed = Set(request.followed)
    let known = candidates.filter(isThere)
    let ofViewer = columns(of: viewer, follows: followed.count)
    var values: [Float] = []
    values.reserveCapacity(known.count * CandidateTable.columns.count)
    for candidate in known {
      let probabilities = probabilities(
        of: candidate.number, coWatch: candidate.coWatch, for: viewer, terms, vector, request)
      values.append((worths * probabilities).sum())
      for head in [Head.positive, .action, .skip, .watch] { values.append(probabilities[head.rawValue]) }
      values.append(product(of: vector, with: candidate.number))
      values.append(candidate.coWatch)
      values.append(popularity.logarithm(of: candidate.number))
      appendClip(candidate.number, at: request.now, to: &values)
      for place in 0..<6 { values.append(Float(candidate.sources.rawValue >> UInt8(place) & 1)) }
      appendTastes(of: viewer, for: clips[Int(candidate.number)].clip, followed, to: &values)
      values += ofViewer
    }
    return CandidateTable(clips: known.map(\.clip), values: values.map { $0.bounded(-1e30...1e30) })
  }

  private func appendClip(_ number: UInt32, at now: Int64, to values: inout [Float]) {
    let (clip, rates) = (clips[Int(number)].clip, clips[Int(number)].rates)
    let age = max(now.subtractingReportingOverflow(clip.publishedAt).partialValue, 0)
    values.append(Float(Double(age) / 3_600_000))
    values.append(Float(Double(clip.duration) / 1_000))
    values.append(rates.impressions)
    appendRates(rates, strengths: (20, 50, 20), to: &values)
  }

  /// Of positives, actions and skips, where so many impressions of the instance are added to each.
  private func appendRates(
    _ rates: Rates, strengths: (Double, Double, Double), to values: inout [Float]
  ) {
    values.append(Float(rates.positiveRate(prior: priorRate, strength: strengths.0)))
    values.append(
      Float(rates.actionRate(prior: totals.actionRate(prior: 0.02, strength: 1), strength: strengths.1)))
    values.append(
      Float(rates.skipRate(prior: totals.skipRate(prior: 0.3, strength: 1), strength: strengths.2)))
  }

  private func appendTastes(
    of viewer: ViewerRecord, for clip: Clip, _ followed: Set<EntityID>, to values: inout [Float]
  ) {
    values.append(followed.contains(clip.author) ? 1 : 0)
    for (impressions, positives) in [
      viewer.tags.sum(clip.tags), viewer.authors.sum(CollectionOfOne(clip.author.hash)),
      viewer.durations.sum(CollectionOfOne(UInt64(WatchLabels.bucket(of: clip.duration)))),
    ] {
      values.append(Float(impressions))
      values.append(Float(positives))
    }
  }

  private func columns(of viewer: ViewerRecord, follows: Int) -> [Float] {
    var values = [viewer.rates.impressions]
    appendRates(viewer.rates, strengths: (10, 20, 10), to: &values)
    return values + [viewer.recent, Float(viewer.positives.count), Float(follows)]
  }
}
