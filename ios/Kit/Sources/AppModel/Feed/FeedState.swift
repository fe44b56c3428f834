public import Composer
public import CoreTypes
public import Session

/// What people see of the feed, as the core's commands leave it: state in, layout values out.
///
/// It refuses to know views, players and what clips are made of.
public struct FeedState: Equatable, Sendable {
  /// Without restraint; less, and what only decorates rests.
  public static let freeRate: Int32 = 120

  /// By item: the place of each page that is there.
  public private(set) var places: [Int32: Int32] = [:]
  public private(set) var motion = FeedMotion(at: 0)
  public private(set) var current: ItemID?
  public private(set) var isMuted = true
  public private(set) var isBuffering = false
  public private(set) var isPaused = false
  public private(set) var isWaiting = false
  public private(set) var isAtEnd = false
  public private(set) var hasNetworkTrouble = false
  /// Frames a second of our own animations at most.
  public private(set) var refreshRate = FeedState.freeRate

  public init() {}

  /// What happens once, and is no state.
  public enum Effect: Equatable, Sendable {
    /// What is on the screen now fades over what comes.
    case fade(Milliseconds)
    /// A double tap at this place, in points of the feed.
    case like(x: Int64, y: Int64)
    case skipped(ItemID)
    /// For the message bar.
    case composer(Composer.Command)
    /// These pages stand where the core wants them, without a way there.
    case settled(page: Int32)
  }

  public mutating func handle(_ command: FeedSession.Command, at now: Instant) -> Effect? {
    switch command {
    case .mount(let item, let page): places[item.rawValue] = page
    case .unmount(let item):
      places[item.rawValue] = nil
      // What comes instead is there before the old one goes: with the last page the feed is empty.
      if places.isEmpty { current = nil }
    case .scroll(let position): motion = FeedMotion(at: position, since: now)
    case .settle(let page, let duration):
      let from = motion.position(at: now)
      motion = FeedMotion(
        from: from, to: Int64(page) * FeedMotion.page, began: now, duration: duration, settlesOn: page)
      return duration > .zero ? nil : .settled(page: page)
    case .hold(let position, let duration):
      motion = FeedMotion(
        from: motion.position(at: now), to: position, began: now, duration: duration)
    case .fade(let duration): return .fade(duration)
    case .setCurrent(let item, _): current = item
    case .setMuted(let isMuted): self.isMuted = isMuted
    case .showBuffering(let isOn): isBuffering = isOn
    case .showPaused(let isOn): isPaused = isOn
    case .showWaiting(let isOn): isWaiting = isOn
    case .showEnd(let isOn): isAtEnd = isOn
    case .showNetworkTrouble(let isOn): hasNetworkTrouble = isOn
    case .setRefreshRate(let rate): refreshRate = min(max(rate, 1), Self.freeRate)
    case .like(let x, let y): return .like(x: x, y: y)
    case .noticeSkipped(let item): return .skipped(item)
    case .composer(let command): return .composer(command)
    default: break
    }
    return nil
  }

  /// The clip beside the current one, on the side of a position (millionths of a page); `nil`: there is none.
  public func neighbour(towards position: Int64) -> ItemID? {
    guard let current, let place = places[current.rawValue] else { return nil }
    let rest = Int64(place) * FeedMotion.page
    guard position != rest else { return nil }
    let next = Int64(place) + (position > rest ? 1 : -1)
    return places.first { Int64($0.value) == next }.map { ItemID($0.key) }
  }

  /// The one sign that lies over the clip; trouble and the end of an empty feed come before the others.
  public enum Sign: String, Equatable, Sendable { case none, opening, empty, trouble, paused, buffering }

  /// `isEmpty`: the server has no clips at all.
  public func sign(isEmpty: Bool) -> Sign {
    if hasNetworkTrouble { return .trouble }
    if isEmpty { return .empty }
    if current == nil { return .opening }
    if isBuffering { return .buffering }
    return isPaused ? .paused : .none
  }

  /// Animations that only decorate rest: the device has to save.
  public var isCalm: Bool { refreshRate < Self.freeRate }
}
