public import CoreTypes

/// Where things lie, in points: pages in a container as tall as the feed, and how the container is shifted.
/// Whoever draws applies these and no others.
public struct FeedLayout: Equatable, Sendable {
  public let width: Double
  public let height: Double
  /// Of the container's one transform.
  public let shift: Double

  public struct Page: Equatable, Sendable {
    public let item: Int32
    /// From the container's top.
    public let top: Double
    /// Whether any of it is to be seen; what is not need not be drawn.
    public let isVisible: Bool
  }

  /// In the order of their places.
  public let pages: [Page]

  public init(_ state: FeedState, width: Double, height: Double, at now: Instant) {
    self.width = Self.side(width)
    self.height = Self.side(height)
    let position = Double(state.motion.position(at: now)) / Double(FeedMotion.page)
    let tall = self.height
    shift = position == 0 ? 0 : -position * tall
    pages = state.places.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { item, place in
      Page(item: item, top: Double(place) * tall, isVisible: abs(Double(place) - position) < 1)
    }
  }

  private static func side(_ value: Double) -> Double { value.isFinite ? max(value, 1) : 1 }

  /// Clips about as narrow as a phone fill the screen; wider ones are shown whole.
  public static func fills(width: Int, height: Int) -> Bool {
    guard width > 0, height > 0 else { return false }
    return Double(width) / Double(height) <= 0.8
  }

  /// The short edge of the area that a clip takes, in pixels of the screen, for the core's choice of a
  /// rendition; both in one event with the page's height.
  public static func viewport(
    width: Double, height: Double, scale: Double, fills: Bool
  ) -> (height: Int64, shortEdge: Int64) {
    let (width, height) = (side(width), side(height))
    let (edge, other) = fills ? (width, height) : (height, width)
    return (number(height), number(min(edge, other * 9 / 16) * side(scale)))
  }

  /// A number of a view as the core takes it: what is none is 0, and none is out of this world.
  public static func number(_ value: Double) -> Int64 {
    value.isFinite ? Int64(min(max(value, -1_000_000), 1_000_000).rounded()) : 0
  }
}
