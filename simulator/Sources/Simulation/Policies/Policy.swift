public import CoreTypes

/// Decides downloads in place of the core: the pager and the players are the session's all the same.
///
/// Asked again whenever something has happened: bytes arrived, the clip plays on, another page counts.
public protocol Policy: Sendable {
  mutating func decide(_ view: PolicyView) -> [PolicyCommand]
}

/// What a policy sees.
public struct PolicyView: Sendable {
  public struct Flight: Sendable {
    public let request: Int32
    public let item: Int
    public let rendition: Int
    public let segments: Range<Int>
    public let withInitialization: Bool
    /// What a request without media is for, as its policy named it.
    public let tag: Int?
    public let bytes: Int64
    public let received: Int64
    public let started: Instant
  }

  public struct Finished: Sendable {
    public let item: Int
    public let rendition: Int
    /// Empty for playlists and initialisation sections alone.
    public let segments: Range<Int>
    public let tag: Int?
    public let bytes: Int64
    public let elapsed: Milliseconds
    public let firstByte: Milliseconds
  }

  public let now: Instant
  public let family: TraceFamily?
  /// Of the sharpest picture that is of use: that of the screen, or what the person's wishes leave of it.
  public let shortEdge: Int64
  /// The clip that is on the screen or being swiped to. Pages and clips are counted alike.
  public let page: Int
  /// Where it plays.
  public let position: Milliseconds
  public let store: MediaStore
  public let flights: [Flight]
  /// What has ended since the last decision.
  public let finished: [Finished]
  /// The visit of the plan that is on; for the one who knows the plan.
  public let visit: Int
  /// How much of this visit was watched.
  public let watched: Milliseconds

  public func exists(_ item: Int) -> Bool { (0..<store.count).contains(item) }

  /// Whether a segment is stored in any rendition, or on its way.
  public func has(_ item: Int, segment: Int) -> Bool {
    if store.best(item, segment: segment) != nil { return true }
    return flights.contains { $0.item == item && $0.segments.contains(segment) }
  }

  /// The first segment that is neither stored nor on its way, from a place until so much lies ahead of
  /// it, without going round.
  public func missing(_ item: Int, from position: Milliseconds, ahead: Milliseconds) -> Int? {
    let clip = store.clip(item)
    for segment in clip.segment(at: position)..<clip.segmentCount {
      guard clip.start(ofSegment: segment) < position + ahead else { return nil }
      if !has(item, segment: segment) { return segment }
    }
    return nil
  }

  /// A rendition by its short edge, or the next lower one.
  public func rendition(_ item: Int, atMost edge: Int32) -> Int {
    store.clip(item).renditions.lastIndex { $0.shortEdge <= edge } ?? 0
  }

  /// The best that this screen can show.
  public func largest(_ item: Int) -> Int {
    let renditions = store.clip(item).renditions
    return renditions.firstIndex { Int64($0.shortEdge) >= shortEdge } ?? renditions.count - 1
  }

  /// Whether the initialisation section has to come along.
  public func needsInitialization(_ item: Int, _ rendition: Int) -> Bool {
    !store.holds(item, rendition: rendition, segment: -1)
      && !flights.contains { $0.item == item && $0.rendition == rendition && $0.withInitialization }
  }

  /// The request for one segment, with the initialisation section where it is missing.
  public func fetch(_ item: Int, _ rendition: Int, segment: Int) -> PolicyCommand {
    fetch(item, rendition, segments: segment..<(segment + 1))
  }

  public func fetch(_ item: Int, _ rendition: Int, segments: Range<Int>) -> PolicyCommand {
    .fetch(
      item: item, rendition: rendition, segments: segments,
      withInitialization: needsInitialization(item, rendition))
  }

  /// Cancels what runs for other clips than these.
  public func cancel(allBut kept: (Flight) -> Bool) -> [PolicyCommand] {
    flights.filter { !kept($0) }.map { .cancel($0.request) }
  }
}

public enum PolicyCommand: Sendable {
  case fetch(item: Int, rendition: Int, segments: Range<Int>, withInitialization: Bool)
  /// Something that is no media, such as a playlist.
  case fetchOther(item: Int, tag: Int, bytes: Int64)
  case cancel(Int32)
  case discard(item: Int)
}
