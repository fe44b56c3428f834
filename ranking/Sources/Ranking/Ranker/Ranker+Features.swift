internal import Foundation

extension Ranker {
  /// Numbers that `makeFeatures` gives.
  static let denseFeatures = 28

  /// What the model believes before it has learned: rates of clip and viewer, half each.
  static let startWeights: [(Head, Int, Float)] = [
    (.positive, 1, 0.5), (.positive, 2, 0.5), (.watch, 1, 0.5), (.watch, 2, 0.5), (.action, 22, 0.5),
    (.action, 23, 0.5), (.skip, 24, 0.5), (.skip, 25, 0.5),
  ]

  /// Describes a clip for a viewer. All of it was known before the impression.
  ///
  /// - Parameters:
  ///   - vector: of the viewer; empty if they like nothing yet.
  ///   - coWatch: what the clip has in common with the viewer's history.
  ///   - time: milliseconds since 1970.
  func makeFeatures(
    of number: UInt32, for viewer: ViewerRecord, viewerID: EntityID, vector: [Float], coWatch: Float,
    surface: UInt8, at time: Int64, into features: inout Features
  ) {
    let record = clips[Int(number)]
    let clip = record.clip
    let bucket = WatchLabels.bucket(of: clip.duration)
    let prior = priorRate
    let clipRate = logit(record.rates.positiveRate(prior: prior, strength: 20))
    let viewerPrior = viewer.rates.positiveRate(prior: prior, strength: 10)
    let viewerRate = logit(viewerPrior)
    let tag = Self.taste(viewer.tags.sum(clip.tags), viewerPrior, 5, viewerRate)
    let author = Self.taste(viewer.authors.sum([clip.author.hash]), viewerPrior, 3, viewerRate)
    let length = Self.taste(viewer.durations.sum([UInt64(bucket)]), viewerPrior, 5, viewerRate)
    let seconds = log(Double(clip.duration) / 1_000 + 1) - 3.5
    let place = surfaces[Int(surface) * WatchLabels.buckets + bucket].positiveRate(prior: prior, strength: 50)
    let product = Double(product(of: vector, with: number))
    let above = clipRate - logit(prior)

    features.clear()
    features.append(1)
    features.append(clipRate)
    features.append(viewerRate)
    features.append(product * 4)
    features.append(tag.taste)
    features.append(author.taste)
    features.append(length.taste)
    features.append(seconds)
    features.append(logit(place))
    features.append(log(1 + Double(record.rates.impressions)) - 4)
    features.append(log(1 + Double(viewer.rates.impressions)) - 3)
    features.append(above * (viewerRate - logit(prior)))
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
    features.append(logit(Double(viewer.recent)) / 4)
    features.append(logit(record.rates.actionRate(prior: actionPrior, strength: 50)) + 3)
    features.append(logit(viewer.rates.actionRate(prior: actionPrior, strength: 20)) + 3)
    features.append(logit(record.rates.skipRate(prior: skipPrior, strength: 20)))
    features.append(logit(viewer.rates.skipRate(prior: skipPrior, strength: 10)))
    features.append(Double(viewer.recent) * seconds)
    features.append(vector.isEmpty ? 0 : 1)
    for hash in Self.viewerCrosses(viewerID, tags: clip.tags, author: clip.author) {
      features.append(cross: hash)
    }
    features.append(cross: StableHash.of(4, clip.id.hash))
    features.append(cross: StableHash.of(5, clip.author.hash))
    features.append(cross: StableHash.of(6, clip.tags.first ?? 0, UInt64(bucket)))
    features.append(cross: StableHash.of(7, clip.sound ?? 0))
    features.append(cross: StableHash.of(8, UInt64(surface), UInt64(bucket)))
  }

  /// Crosses that are of one viewer alone.
  static func viewerCrosses(_ viewer: EntityID, tags: [UInt64], author: EntityID?) -> [UInt64] {
    var hashes = [StableHash.of(1, viewer.hash)]
    for tag in tags.prefix(3) { hashes.append(StableHash.of(2, viewer.hash, tag)) }
    if let author { hashes.append(StableHash.of(3, viewer.hash, author.hash)) }
    return hashes
  }

  private var actionPrior: Double { totals.actionRate(prior: 0.02, strength: 1) }
  private var skipPrior: Double { totals.skipRate(prior: 0.3, strength: 1) }

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
