/// How much two prints are alike where they overlap.
///
/// Measured: the same sound in other encodings, cuts and loudness differs in 0.2 to 10 % of the bits, under a
/// hard equaliser in 7 to 17 %; other music, speech and takes in 28 to 50 %, two pink noises in 23 % at their
/// best.
struct SoundMatch: Sendable, Equatable {
  /// Subfingerprints that lie side by side.
  let overlap: Int
  /// Of these, those in which at least one of the two is another than before: where both stand still, as in
  /// silence, they say nothing, and would hide how much the rest differs.
  let changing: Int
  /// The share of bits that differ in the changing ones: 0…1.
  let error: Double
  /// Whether people hear the same sound.
  let isSame: Bool

  /// `offset`: at which place of the first print the second one begins, below 0 if it begins before. Nil:
  /// they do not overlap.
  init?(_ first: SoundPrint, _ second: SoundPrint, offset: Int) {
    let (one, other) = (first.subfingerprints, second.subfingerprints)
    guard -other.count < offset, offset < one.count else { return nil }
    let places = max(0, offset)..<min(one.count, other.count + offset)
    guard !places.isEmpty else { return nil }
    var (bits, changing) = (0, 0)
    for place in places {
      let theirs = place - offset
      let isStill =
        place > places.lowerBound && one[place] == one[place - 1] && other[theirs] == other[theirs - 1]
      if isStill { continue }
      changing += 1
      bits += (one[place] ^ other[theirs]).nonzeroBitCount
    }
    let share = Double(bits) / Double(32 * changing)
    let isLong = 5 * places.count >= 2 * min(one.count, other.count)
    overlap = places.count
    self.changing = changing
    error = share
    isSame =
      isLong && changing >= SoundPrint.fewest
      && share <= (changing < Self.many ? Self.mostOfFew : Self.mostOfMany)
  }

  private static let many = 32
  private static let mostOfMany = 0.18
  /// Chance makes few alike sooner than many. A cut that begins between two subfingerprints comes to 0.10.
  private static let mostOfFew = 0.13

  /// The best match at these offsets and their neighbours, since a cut begins between two; nil: none is the
  /// same sound.
  static func best(_ first: SoundPrint, _ second: SoundPrint, near offsets: [Int]) -> SoundMatch? {
    // NB: an offset is the difference of two places of prints, both small.
    Set(offsets.flatMap { [$0 - 1, $0, $0 + 1] }).sorted()
      .compactMap { SoundMatch(first, second, offset: $0) }.filter(\.isSame)
      .min { ($0.error, -$0.overlap) < ($1.error, -$1.overlap) }
  }
}
