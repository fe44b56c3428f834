/// What a watch says, with the clip's length taken out of it.
///
/// Zhan et al.: "Deconfounding duration bias in watch-time prediction for video recommendation", KDD 2022
/// (D2Q): ten seconds of a clip of twelve are much, of one of two minutes little. So the label is the place
/// of the watch time among those of clips about as long. The long view is that of Gao et al.: "KuaiRand",
/// CIKM 2022.
public struct WatchLabels: Sendable, Equatable {
  /// Upper bounds of the buckets of length, in milliseconds; one more bucket for what is longer.
  public static let bounds: [Int64] = [7_000, 12_000, 20_000, 40_000, 60_000, 120_000, 240_000]
  public static let buckets = bounds.count + 1
  /// A long view is the whole clip, or this much of a longer one, in milliseconds.
  public static let longView: Int64 = 18_000
  /// Gone before that, and before the end, is a skip, in milliseconds.
  public static let quickSkip: Int64 = 2_000

  public internal(set) var sketches = [QuantileSketch](repeating: QuantileSketch(), count: buckets)

  public init() {}

  /// Of a length in milliseconds.
  public static func bucket(of duration: Int64) -> Int { bounds.firstIndex { duration < $0 } ?? bounds.count }

  /// Whether so much (in milliseconds) of a clip of this length is a long view.
  public static func isLongView(_ watched: Int64, of duration: Int64) -> Bool {
    watched > 0 && watched >= min(max(duration, 0), longView)
  }

  public static func isQuickSkip(_ watched: Int64, of duration: Int64) -> Bool {
    watched < quickSkip && watched < max(duration, 0)
  }

  /// The place of a watch time among those of clips about as long, 0 to 1; then it is one of them.
  ///
  /// - Parameter weight: 0 to 1: how far the viewer is trusted.
  public mutating func observe(_ watched: Int64, of duration: Int64, weight: Float) -> Float {
    let bucket = Self.bucket(of: duration)
    let quantile = sketches[bucket].rank(of: Double(watched))
    sketches[bucket].observe(Double(watched), weight: weight)
    return quantile
  }
}
