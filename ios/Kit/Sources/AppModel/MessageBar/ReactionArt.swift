public import Contract

/// The pictures of the quick reactions, in a square of 32: the same as the web client's
/// (web/app/messages/reactions.js), and ours, since a heart among them would be the like
/// (docs/decisions/0023-no-heart-among-reactions.md).
public struct ReactionArt: Equatable, Sendable {
  public struct Shape: Equatable, Sendable {
    public let path: VectorPath
    /// 0xRRGGBB; `nil`: not filled.
    public var fill: Int?
    public var fillAlpha = 1.0
    public var stroke: Int?
    public var lineWidth = 0.0
    /// The shape is turned about a place, moved and made smaller.
    public var placing: Placing?
  }

  public struct Placing: Equatable, Sendable {
    public let degrees: Double
    public let about: VectorPath.Point
    public let move: VectorPath.Point
    public let scale: Double

    /// Turned by `degrees` about `about`, what was made smaller by `scale` and moved.
    public func place(_ point: VectorPath.Point, sine: Double, cosine: Double) -> VectorPath.Point {
      let moved = VectorPath.Point(point.x * scale + move.x - about.x, point.y * scale + move.y - about.y)
      return VectorPath.Point(
        cosine * moved.x - sine * moved.y + about.x, sine * moved.x + cosine * moved.y + about.y)
    }
  }

  public static let side = 32.0
  public let shapes: [Shape]

  /// `nil`: the reaction is not offered.
  public init?(_ reaction: Reaction) {
    switch reaction {
    case .laugh: shapes = Self.laugh
    case .wow: shapes = Self.wow
    case .cry: shapes = Self.cry
    case .clap: shapes = Self.clap
    case .fire: shapes = Self.fire
    case .heart: return nil
    }
  }

  /// The paper plane, a line in a square of 24.
  public static let planeSide = 24.0
  public static let plane = VectorPath(
    path:
      "M3.4 11.2 20.3 3.600c.5-.2 1 .3.8.8l-6.6 16.300c-.2.6-1.1.6-1.3 0l-2.5-6.4-6.8-2.200c-.6-.2-.7-.7-.5-.9zM10.7 14.300l4.7-4.9"
  )

  private static let dark = 0x5A3312
  private static let tear = 0x46B9FF

  static func filled(path: String, _ color: Int, alpha: Double = 1) -> Shape {
    Shape(path: VectorPath(path: path), fill: color, fillAlpha: alpha)
  }

  private static func line(path: String, _ width: Double = 2, _ color: Int = dark) -> Shape {
    Shape(path: VectorPath(path: path), stroke: color, lineWidth: width)
  }

  private static func oval(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double, _ color: Int) -> Shape {
    Shape(path: VectorPath(ellipseAt: .init(x, y), radiusX: rx, radiusY: ry), fill: color)
  }

  private static let face = [
    oval(16, 16, 14, 14, 0xFFCF45),
    filled(path: "M2 16a14 14 0 0 0 28 0 14 12.6 0 0 1-28 0z", 0xF2A32B, alpha: 0.45),
  ]

  private static let laugh =
    face + [
      line(path: "M7.4 13.400q2.7-3.8 5.4 0M19.2 13.400q2.7-3.8 5.4 0"),
      filled(path: "M8 17.300h16a8 8 0 0 1-16 0z", dark),
      filled(
        path: "M9.3 17.300h13.400v1.500a1.1 1.1 0 0 1-1.1 1.100H10.400a1.1 1.1 0 0 1-1.1-1.100z", 0xFFFFFF),
      filled(path: "M12 23.900a4.5 3 0 0 1 8 0 8 8 0 0 1-8 0z", 0xFF5D73),
      filled(
        path:
          "M5.6 14.800c-2.5 1.5-4 3-3.6 4.7.4 1.6 2.7 1.9 3.4.3.5-1.2.5-2.9.2-5zM26.4 14.800c2.5 1.5 4 3 3.6 4.7-.4 1.6-2.7 1.9-3.4.3-.5-1.2-.5-2.9-.2-5z",
        tear),
    ]

  private static let wow =
    face + [
      line(path: "M8 8.600q2.4-2 4.6-.8M24 8.600q-2.4-2-4.6-.8", 1.6), oval(11, 13.4, 2, 2.7, dark),
      oval(21, 13.4, 2, 2.7, dark), oval(16, 22.4, 3.7, 4.6, dark), oval(16, 25, 2.2, 1.6, 0xFF5D73),
    ]

  private static let cry =
    face + [
      line(path: "M7.2 11.300q2.4-.4 4.2-2.300M24.8 11.300q-2.4-.4-4.2-2.3", 1.6),
      oval(11, 14.6, 2.1, 2.1, dark),
      oval(21, 14.6, 2.1, 2.1, dark), line(path: "M11.5 23.400q4.5-4.2 9 0"),
      filled(path: "M22.6 17.400c1.9 2.9 3 4.7 3 6.300a3 3 0 0 1-6 0c0-1.6 1.1-3.4 3-6.300z", tear),
    ]

  private static let hand = VectorPath(
    path:
      "M10 13.500V7.600a1.7 1.7 0 0 1 3.4 0V5.800a1.7 1.7 0 0 1 3.4 0v1a1.7 1.7 0 0 1 3.4 0v2.600a1.6 1.6 0 0 1 3.2 0V20a7.6 7.6 0 0 1-7.6 7.600c-3.3 0-5.5-1.5-7.1-4.400l-3.1-5.700c-.5-1 .1-1.9 1-2.1.8-.2 1.5.1 2 .9l1.4 2z"
  )

  private static func hand(_ color: Int, _ degrees: Double, _ x: Double, _ y: Double, _ scale: Double)
    -> Shape
  {
    Shape(
      path: hand, fill: color, stroke: 0xB8741A, lineWidth: 0.8,
      placing: Placing(degrees: degrees, about: .init(16, 18), move: .init(x, y), scale: scale))
  }

  private static let clap = [
    hand(0xF3AE35, -36, -3.5, 2, 0.9), hand(0xFFCF45, -14, 1.5, 2.5, 0.92),
    line(path: "M22.5 2.200l-.6 2.800M27.4 4.600l-1.9 2.200M30 9.500l-2.8.9", 1.7, 0xFFFFFF),
  ]

  private static let fire = [
    filled(
      path:
        "M16.5 1.500c.6 5.2 9 8.2 9 17.300a9.5 10.6 0 0 1-9.5 11.700A9.5 9.9 0 0 1 6.5 20.600c0-4.4 2.3-6.5 3.4-9.4.7 2.2 1.4 3.3 2.7 3.9-.2-5 1.1-9.8 3.9-13.600z",
      0xFF6A2B),
    filled(
      path:
        "M16.6 15.200c.5 3 4.6 4.6 4.6 9.100a5 5 0 0 1-10 .2c0-2.5 1.5-3.8 2.1-5.5.5 1.1 1.1 1.7 1.7 1.9-.1-2 .4-4 1.6-5.700z",
      0xFFD23F),
  ]

  /// What a person hears instead.
  public static func name(of reaction: Reaction) -> Sentence {
    switch reaction {
    case .laugh: "React with laughter"
    case .wow: "React with surprise"
    case .cry: "React with a tear"
    case .clap: "React with applause"
    case .fire: "React with fire"
    case .heart: "React with a heart"
    }
  }
}
