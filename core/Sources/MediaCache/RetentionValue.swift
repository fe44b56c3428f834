internal import CoreTypes

/// What a byte is worth: the probability that it is needed again × what fetching it again would cost.
///
/// The probabilities are assumptions about people in a feed; only their order and rough distance matter: most
/// swipes go on, few go back, hardly any goes back by more than two.
enum RetentionValue {
  /// Without its head a clip cannot start and the person waits; a tail comes while the head plays. The head
  /// counts as much as eight tail segments of the lowest rendition.
  static let head: Int64 = 64
  /// A tail segment counts this and one more for each rendition above the lowest: quality is worth
  /// something, but much less than the bytes it costs.
  static let segment: Int64 = 8

  /// Per mille, for a clip of the window that many swipes ahead (negative: behind), or for one that left the
  /// window `age` moves ago.
  static func likelihood(distance: Int32?, age: Int64) -> Int64 {
    guard let distance else { return max(1, 40 >> min(max(age, 0) / 8, 5)) }
    if distance >= 0 { return max(500, 1_000 - 100 * Int64(distance)) }
    return max(40, 150 >> (min(-Int64(distance), 3) - 1))
  }

  /// For a clip on disk, last used `age` moves ago.
  static func likelihood(of kind: DiskEntry.Kind, age: Int64) -> Int64 {
    let fresh: Int64 =
      switch kind {
      case .ahead: 500
      case .watched: 200
      case .seen: 20
      }
    return max(1, fresh >> min(max(age, 0) / 64, 8))
  }

  /// Comparable between parts of any clips.
  static func density(_ likelihood: Int64, _ worth: Int64, _ bytes: Bytes) -> Int64 {
    saturatingProduct(saturatingProduct(likelihood, worth), 1 << 20) / max(1, bytes.rawValue)
  }
}
