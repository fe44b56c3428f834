public import CoreTypes

extension ClipLibrary {
  /// Others who have started the clip before: few enough that a curve made of them is rough.
  static let starts = 100
  /// Of the clips that somebody hurries through, with the bursts of `Person`.
  private static let glances =
    Person.bursts * (Person.burstLength.lowerBound + Person.burstLength.upperBound) / 2

  /// What a server would have counted of these others, each with a haste of their own: shares after 0, 1, 2 …
  /// s.
  public func curve(_ index: Int) -> CoreTypes.Retention? {
    var chance = SeededGenerator(seed: seed, stream: 0x6375_7276_6500_0000 + UInt64(index))
    let stays = (0..<Self.starts).map { _ -> Milliseconds in
      let haste = Person.haste(&chance)
      return chance.happens(Self.glances)
        ? Person.glance(&chance) : retention(index, haste: haste).draw(&chance)
    }
    let last = Int(clip(index).duration.rawValue / 1000) * 2
    let shares = (0...last).map { second in
      let there = stays.filter { $0 >= Milliseconds(Int64(second) * 1000) }.count
      return Int32(there) * (CoreTypes.Retention.whole / Int32(Self.starts))
    }
    // Whoever is there at the last one watches on and on: the server never tells that there is nobody.
    return CoreTypes.Retention(shares: shares.map { max($0, 1000) })
  }
}
