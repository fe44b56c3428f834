/// Named colour looks: pure functions from colour to colour, in whole numbers only, so that a phone, a
/// browser and a test give the same picture. Texts for people are the host's.
///
/// Invariants, for every look at every strength:
/// - Channels stay within 0…`Colour.white`.
/// - A brighter grey never becomes darker in any channel.
/// - Between neighbours in the table no channel differs by more than `LookTable.largestStep`.
/// - `plain`, and any look at strength 0, changes nothing at all.
/// - Skin stays skin: of the ten Monk tones none leaves the hues of skin (the looks without colour aside).
public enum Look: Int32, CaseIterable, Sendable {
  // NB: hosts store these numbers with a clip; they never change their meaning.
  case plain = 0
  case clear = 1
  case vivid = 2
  case golden = 3
  case dawn = 4
  case dusk = 5
  case frost = 6
  case forest = 7
  case harbour = 8
  case desert = 9
  case faded = 10
  case film = 11
  case berry = 12
  case mint = 13
  case silver = 14
  case noir = 15
  case sepia = 16
  case moon = 17

  /// Per cent.
  public static let strengths: ClosedRange<Int32> = 0...100

  public var isMonochrome: Bool { recipe.mono != nil }

  /// `strength` blends with the colour as it was.
  public func apply(to colour: Colour, strength: Int32 = 100) -> Colour {
    recipe.apply(to: colour.clamped, strength: Self.clamped(strength))
  }

  static func clamped(_ strength: Int32) -> Int32 {
    min(max(strength, strengths.lowerBound), strengths.upperBound)
  }

  var recipe: Recipe {
    switch self {
    case .plain: Recipe()
    case .clear: Recipe(saturation: 1_080, brightness: 160, contrast: 280)
    case .vivid: Recipe(saturation: 1_140, vibrance: 260, contrast: 340)
    case .golden: Recipe(warmth: 260, brightness: 60, contrast: 140, highlights: .init(20, 10, -40))
    case .dawn:
      Recipe(
        saturation: 900, brightness: 160, contrast: -160, shadows: .init(36, 4, 34),
        highlights: .init(22, 2, -8), lift: 30, drop: 15)
    case .dusk: Recipe(contrast: 300, shadows: .init(-34, 8, 52), highlights: .init(40, 10, -44))
    case .frost: Recipe(saturation: 860, warmth: -140, brightness: 130, contrast: 120)
    case .forest:
      Recipe(saturation: 920, warmth: 40, tint: 70, contrast: 240, shadows: .init(-16, 12, -14))
    case .harbour: Recipe(saturation: 720, contrast: 260, shadows: .init(-30, 6, 52), lift: 20)
    case .desert:
      Recipe(saturation: 740, warmth: 220, contrast: 180, highlights: .init(14, 2, -26), lift: 30)
    case .faded: Recipe(saturation: 720, contrast: -120, shadows: .init(10, 8, 26), lift: 90, drop: 60)
    case .film:
      Recipe(
        saturation: 900, contrast: 420, shadows: .init(-10, 14, 30), highlights: .init(24, 14, -22), lift: 40,
        drop: 20)
    case .berry: Recipe(saturation: 1_080, warmth: 30, tint: -90, contrast: 160, shadows: .init(28, -2, 26))
    case .mint:
      Recipe(saturation: 860, tint: 70, brightness: 140, shadows: .init(-14, 18, 14), lift: 30)
    case .silver: Recipe(mono: .init(299, 587, 114), contrast: 200)
    case .noir: Recipe(mono: .init(420, 500, 80), brightness: -200, contrast: 600)
    case .sepia:
      Recipe(
        mono: .init(330, 570, 100), warmth: 200, contrast: 120, shadows: .init(40, 16, -20),
        highlights: .init(10, 2, -56), lift: 25)
    case .moon:
      Recipe(
        mono: .init(260, 560, 180), warmth: -180, brightness: -120, contrast: 260, shadows: .init(-12, 6, 60),
        highlights: .init(-24, 0, 0))
    }
  }
}
