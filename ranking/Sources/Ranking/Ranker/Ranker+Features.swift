internal import Foundation

extension Ranker {
  /// Numbers that `makeFeatures` gives.
  static let denseFeatures = 28

  /// What the model believes before it has learned: rates of clip and viewer, half each.
  static let startWeights: [(Head, Int, Float)] = [
    (.positive, 1, 0.5), (.positive, 2, 0.5), (.watch, 1, 0.5), (.watch, 2, 0.5), (.action, 22, 0.5),
    (.action, 23, 0.5), (.skip, 24, 0.5), (.skip, 25, 0.5),
  ]

  /// What of a viewer goes into the features of every clip; computed once for a page.
  struct ViewerTerms {
    let id: EntityID
    /// Rates of positives of all impressions, and of this viewer's.
    let prior: Double
    let viewerPrior: Double
    let priorLogit: Double
    let rate: Double
    let actionPrior: Double
    let skipPrior: Double
    let actionRate: Double
    let skipRate: Double
    let impressions: Double
    let recent: Double
    let recentLogit: Double
  }

  func terms(of viewer: ViewerRecord, _ id: EntityID) -> ViewerTerms {
    let prior = priorRate
    let actionPrior = totals.actionRate(prior: 0.02, strength: 1)
    let skipPrior = totals.skipRate(prior: 0.3, strength: 1)
    let viewerPrior = viewer.rates.positiveRate(prior: prior, strength: 10)
    return ViewerTerms(
      id: id, prior: prior, viewerPrior: viewerPrior, priorLogit: logit(prior), rate: logit(viewerPrior),
      actionPrior: actionPrior, skipPrior: skipPrior,
      actionRate: logit(viewer.rates.actionRate(prior: actionPrior, strength: 20)) + 3,
      skipRate: logit(viewer.rates.skipRate(prior: skipPrior, strength: 10)),
      impressions: log(1 + Double(viewer.rates.impressions)) - 3, recent: Double(viewer.recent),
      recentLogit: logit(Double(viewer.recent)) / 4)
  }

  /// Describes a clip for a viewer. All of it was known before the impression.
  ///
  /// - Parameters:
  ///   - terms: of the viewer, as `terms(of:_:)` gives them.
  ///   - vector: of the viewer; empty if they like nothing yet.
  ///   - coWatch: what the clip has in common with the viewer's history.
  ///   - time: milliseconds since 1970.
  func makeFeatures(
    of number: UInt32, for viewer: ViewerRecord, _ terms: ViewerTerms, vector: [Float], coWatch: Float,
    surface: UInt8, at time: Int64, into features: inout Features
  ) {
    let rates = clips[Int(number)].rates
    let clip = clips[Int(number)].clip
    let bucket = WatchLabels.bucket(of: clip.duration)
    let clipRate = logit(rates.positiveRate(prior: terms.prior, strength: 20))
    let tag = Self.taste(viewer.tags.sum(clip.tags), terms.viewerPrior, 5, terms.rate)
    let author = Self.taste(
      viewer.authors.sum(CollectionOfOne(clip.author.hash)), terms.viewerPrior, 3, terms.rate)
    let length = Self.taste(
      viewer.durations.sum(CollectionOfOne(UInt64(bucket))), terms.viewerPrior, 5, terms.rate)
    let seconds = log(Double(clip.duration) / 1_000 + 1) - 3.5
    let place = surfaces[Int(surface) * WatchLabels.buckets + bucket]
      .positiveRate(prior: terms.prior, strength: 50)
    let product = Double(product(of: vector, with: number))
    let above = clipRate - terms.priorLogit

    features.clear()
    features.append(1)
    features.append(clipRate)
    features.append(terms.rate)
    features.append(product * 4)
    features.append(tag.taste)
    features.append(author.taste)
    features.append(length.taste)
    features.append(seconds)
    features.append(logit(place))
    features.append(log(1 + Double(rates.impressions)) - 4)
    features.append(terms.impressions)
    features.append(above * (terms.rate - terms.priorLogit))
    features.append(product * product * 4)
    features.append(tag.known)
    features.append(author.known)
    features.append(length.known)
    features.append(above * seconds)
    features.append(length.taste * length.known)
    features.append(log(1 + 20 * Double(max(coWatch, 0))))
    features.append(Double(popularity.logarithm(of: number)) - 3)
    features.append(
      log(1 + Double(max(time.subtractingReportingOverflow(clip.publishedAt).partialValue, 0)) / 86_400_000)
        - 2)
    features.append(terms.recentLogit)
    features.append(logit(rates.actionRate(prior: terms.actionPrior, strength: 50)) + 3)
    features.append(terms.actionRate)
    features.append(logit(rates.skipRate(prior: terms.skipPrior, strength: 20)))
    features.append(terms.skipRate)
    features.append(terms.recent * seconds)
    features.append(vector.isEmpty ? 0 : 1)
    Self.forEachViewerCross(terms.id, tags: clip.tags, author: clip.author) { features.append(cross: $0) }
    features.append(cross: StableHash.of(4, clip.id.hash))
    features.append(cross: StableHash.of(5, clip.author.hash))
    features.append(cross: StableHash.of(6, clip.tags.first ?? 0, UInt64(bucket)))
    features.append(cross: StableHash.of(7, clip.sound ?? 0))
    features.append(cross: StableHash.of(8, UInt64(surface), UInt64(bucket)))
  }

  /// Crosses that are of one viewer alone.
  static func viewerCrosses(_ viewer: EntityID, tags: [UInt64], author: EntityID?) -> [UInt64] {
    var hashes: [UInt64] = []
    forEachViewerCross(viewer, tags: tags, author: author) { hashes.append($0) }
    return hashes
  }

  @inline(__always)
  private static func forEachViewerCross(
    _ viewer: EntityID, tags: [UInt64], author: EntityID?, _ body: (UInt64) -> Void
  ) {
    let hash = viewer.hash
    body(StableHash.of(1, hash))
    for tag in tags.prefix(3) { body(StableHash.of(2, hash, tag)) }
    if let author { body(StableHash.of(3, hash, author.hash)) }
  }

  /// How much more a viewer likes something than what they are shown otherwise, and how well that is known.
  private static func taste(
    _ sum: (impressions: Double, positives: Double), _ prior: Double, _ strength: Double, _ base: Double
  ) -> (taste: Double, known: Double) {
    let rate = (sum.positives + strength * prior) / (sum.impressions + strength)
    return (logit(rate) - base, log(1 + sum.impressions))
  }

  func product(of vector: [Float], with number: UInt32) -> Float {
    let columns = factors.settings.dimensions
    guard vector.count == columns, Int(number) < factors.vectors.rows else { return 0 }
    return factors.vectors.values.withUnsafeBufferPointer { values in
      vector.withUnsafeBufferPointer {
        DotProduct.of($0.baseAddress!, values.baseAddress! + Int(number) * columns, columns)
      }
    }
  }
}
