public import CoreTypes
public import Observation
public import Transfer

/// The part of a video that somebody chooses: two ends that stay in order, within what a clip may be.
@MainActor @Observable public final class TrimModel {
  /// A handle moves by this much for people who do not drag.
  public static let step = Milliseconds(1_000)
  static let shortest = Milliseconds(500)

  public let offer: TrimOffer
  public private(set) var part: Range<Milliseconds>

  public init(_ offer: TrimOffer) {
    self.offer = offer
    part = offer.suggestion
  }

  public var fits: Bool { offer.fits(part) }
  public var expectedSize: Bytes { offer.expectedSize(of: part) }
  public var length: Milliseconds { part.upperBound - part.lowerBound }

  /// Of the whole, 0 to 1.
  public var shares: ClosedRange<Double> { share(part.lowerBound)...share(part.upperBound) }

  /// The beginning goes there; where the part would be too long, its end comes along.
  public func moveStart(to share: Double) {
    let start = min(time(share), max(.zero, offer.duration - Self.shortest))
    let end = min(max(part.upperBound, start + Self.shortest), start + offer.longest)
    part = start..<max(end, start + Milliseconds(1))
  }

  /// The end goes there; where the part would be too long, its beginning comes along.
  public func moveEnd(to share: Double) {
    let end = max(time(share), min(Self.shortest, offer.duration))
    let start = max(min(part.lowerBound, end - Self.shortest), end - offer.longest)
    part = max(.zero, start)..<max(end, Milliseconds(1))
  }

  /// The whole part goes there, as long as it is.
  public func move(startTo share: Double) {
    let start = max(.zero, min(time(share), offer.duration - length))
    part = start..<start + length
  }

  public func stepStart(_ steps: Int) { moveStart(to: share(part.lowerBound + Self.step * Int64(steps))) }
  public func stepEnd(_ steps: Int) { moveEnd(to: share(part.upperBound + Self.step * Int64(steps))) }

  private func share(_ time: Milliseconds) -> Double {
    guard offer.duration > .zero else { return 0 }
    return min(1, max(0, Double(time.rawValue) / Double(offer.duration.rawValue)))
  }

  private func time(_ share: Double) -> Milliseconds {
    guard share.isFinite else { return .zero }
    return Milliseconds(Int64((Double(offer.duration.rawValue) * min(max(share, 0), 1)).rounded()))
  }
}
