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
    /// Of the viewer's id.
    let hash: UInt64
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
    /// Since anything was last learned of them: the logarithm of minutes, about 0 after two hours.
    let pause: Double
    /// By bucket of length, of all viewers on this surface.
    let places: SIMD8<Double>
    /// What they liked last, as unit vectors, summed: its product with another is how alike it is to those.
    let lately: [Float]
  }

  /// So many of the last likes are in `lately`.
  private static let latelyCount = 10

  /// - Parameter time: milliseconds since 1970.
  func terms(of viewer: ViewerRecord, _ id: EntityID, surface: UInt8, at time: Int64) -> ViewerTerms {
    let prior = priorRate
    let actionPrior = totals.actionRate(prior: 0.02, strength: 1)
    let skipPrior = totals.skipRate(prior: 0.3, strength: 1)
    let viewerPrior = viewer.rates.positiveRate(prior: prior, strength: 10)
    let pause = Double(max(time.subtractingReportingOverflow(viewer.lastAt).partialValue, 0)) / 60_000
    var places = SIMD8<Double>()
    for bucket in 0..<WatchLabels.buckets {
      places[bucket] = logit(
        surfaces[Int(surface) * WatchLabels.buckets + bucket].positiveRate(prior: prior, strength: 50))
    }
    return ViewerTerms(
      hash: id.hash, prior: prior, viewerPrior: viewerPrior, priorLogit: logit(prior),
      rate: logit(viewerPrior), actionPrior: actionPrior, skipPrior: skipPrior,
      actionRate: logit(viewer.rates.actionRate(prior: actionPrior, strength: 20)) + 3,
      skipRate: logit(viewer.rates.skipRate(prior: skipPrior, strength: 10)),
      impressions: log(1 + Double(viewer.rates.impressions)) - 3,
      pause: viewer.lastAt == 0 ? 0 : log(1 + pause) - 5, places: places, lately: lately(of: viewer))
  }

  private func lately(of viewer: ViewerRecord) -> [Float] {
    let columns = factors.settings.dimensions
    let likes = viewer.positives.suffix(Self.latelyCount)
    var sum = [Float](repeating: 0, count: columns)
    factors.vectors.values.withUnsafeBufferPointer { values in
      sum.withUnsafeMutableBufferPointer { sum in
        for number in likes where Int(number) < factors.vectors.rows {
          let vector = values.baseAddress! + Int(number) * columns
          let squares = DotProduct.of(vector, vector, columns)
          guard squares > 0 else { continue }
          let share = 2 / (squares.squareRoot() * Float(likes.count))
          DotProduct.add(vector, times: share, columns, to: sum.baseAddress!)
        }
      }
    }
    return sum
  }

  /// Describes a clip for a viewer. All of it was known before the impression.
  ///
  /// - Parameters:
  ///   - terms: of the viewer, as `terms(of:_:surface:at:)` gives them.
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
    features.clear()
    Self.forEachViewerCross(terms.hash, tags: clip.tags, author: clip.author) { features.append(cross: $0) }
    features.append(cross: StableHash.of(4, clip.id.hash))
    features.append(cross: StableHash.of(5, clip.author.hash))
    features.append(cross: StableHash.of(6, clip.tags.first ?? 0, UInt64(bucket)))
    features.append(cross: StableHash.of(7, clip.sound ?? 0))
    features.append(cross: StableHash.of(8, UInt64(surface), UInt64(bucket)))
    features.append(cross: StableHash.of(9, UInt64(surface), clip.tags.first ?? 0))
    // While the numbers are computed.
    model.prefetch(features)

    let clipRate = logit(rates.positiveRate(prior: terms.prior, strength: 20))
    let tag = Self.taste(viewer.tags.sum(clip.tags), terms.viewerPrior, 5, terms.rate)
    let author = Self.taste(
      viewer.authors.sum(CollectionOfOne(clip.author.hash)), terms.viewerPrior, 3, terms.rate)
    let length = Self.taste(
      viewer.durations.sum(CollectionOfOne(UInt64(bucket))), terms.viewerPrior, 5, terms.rate)
    let seconds = log(Double(clip.duration) / 1_000 + 1) - 3.5
    let product = Double(product(of: vector, with: number))
    let above = clipRate - terms.priorLogit

    features.append(1)
    features.append(clipRate)
    features.append(terms.rate)
    features.append(product * 4)
    features.append(tag.taste)
    features.append(author.taste)
    features.append(length.taste)
    features.append(seconds)
    features.append(terms.places[bucket])
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
    features.append(terms.pause)
    features.append(logit(rates.actionRate(prior: terms.actionPrior, strength: 50)) + 3)
    features.append(terms.actionRate)
    features.append(logit(rates.skipRate(prior: terms.skipPrior, strength: 20)))
    features.append(terms.skipRate)
    features.append(likeness(of: number, to: terms.lately))
    features.append(vector.isEmpty ? 0 : 1)
  }

  /// Crosses that are of one viewer alone.
  static func viewerCrosses(_ viewer: EntityID, tags: some Collection<UInt64>, author: EntityID?) -> [UInt64]
  {
    var hashes: [UInt64] = []
    forEachViewerCross(viewer.hash, tags: tags, author: author) { hashes.append($0) }
    return hashes
  }

  @inline(__always)
  private static func forEachViewerCross(
    _ hash: UInt64, tags: some Collection<UInt64>, author: EntityID?, _ body: (UInt64) -> Void
  ) {
    body(StableHash.of(1, hash))
    for tag in tags.prefix(3) { body(StableHash.of(2, hash, tag)) }
    if let author { body(StableHash.of(3, hash, author.hash)) }
  }

  /// How much more a viewer likes something than what they are shown otherwise, and how well that is known.
  private static func taste(
    _ sum: (impressions: Double, positives: Double), _ prior: Double, _ strength: Double, _ base: Double
  ) -> (taste: Double, known: Double) {
    // The same, without a logarithm: of most nothing is known.
    guard sum.impressions > 0 else { return (0, 0) }
    let rate = (sum.positives + strength * prior) / (sum.impressions + strength)
    return (logit(rate) - base, log(1 + sum.impressions))
  }

  /// Of the clip's direction with a sum of unit vectors.
  private func likeness(of number: UInt32, to sum: [Float]) -> Double {
    let columns = factors.settings.dimensions
    guard sum.count == columns, Int(number) < factors.vectors.rows else { return 0 }
    return factors.vectors.values.withUnsafeBufferPointer { values in
      let vector = values.baseAddress! + Int(number) * columns
      let squares = DotProduct.of(vector, vector, columns)
      return squares > 0 ? Double(DotProduct.of(sum, vector, columns) / squares.squareRoot()) : 0
    }
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
