import CoreTypes

/// A `<video>` fed from the store, as player.js and media-source.js of `web/app/playback` do it: it attaches,
/// shows its first frame, plays the segments that were buffered, the clip again behind itself, and stalls
/// where the buffer ends.
struct ModelPlayer {
  enum Stage: Equatable {
    case empty
    case attaching(until: Instant)
    /// Attached, without its first segment.
    case bare
    case decoding(until: Instant)
    /// Shows a frame, does not play.
    case still
    /// Told to play; the picture moves at that time.
    case starting(at: Instant)
    /// Since when, and from where on the timeline.
    case moving(since: Instant, from: Milliseconds)
    /// Wants to play, and nothing more is buffered.
    case starved
  }

  enum Report: Equatable {
    case firstFrame
    case advanced
    case stalled
    case position(Milliseconds)
    case looped
    /// So much of a segment was shown.
    case shown(rendition: Int, segment: Int, Milliseconds)
  }

  private struct Buffered {
    let start: Milliseconds
    let end: Milliseconds
    var rendition: Int
    let segment: Int
  }

  /// As in media-source.js: how far ahead is buffered, less over the seam.
  static let ahead = Milliseconds(8_000)
  static let seamAhead = Milliseconds(4_000)
  /// What is nearer is not replaced by better segments any more.
  static let replaceAhead = Milliseconds(1_000)
  /// As often as browsers send `timeupdate`.
  static let reportInterval = Milliseconds(250)

  let device: Device
  private(set) var item: Int?
  private(set) var stage = Stage.empty
  private var clip: PlaybackDescriptor?
  private var buffered: [Buffered] = []
  /// On the timeline: turns of the clip one after the other.
  private var head = Milliseconds.zero
  private var nextTurn: Int64 = 0
  private var nextSegment = 0
  private var turn: Int64 = 0
  private var reportAt = Instant(0)

  init(device: Device) { self.device = device }

  /// In the clip.
  var position: Milliseconds {
    guard let clip else { return .zero }
    return head - clip.duration * turn
  }

  var isMoving: Bool {
    if case .moving = stage { true } else { false }
  }

  var nextEvent: Instant? {
    switch stage {
    case .empty, .bare, .still, .starved: nil
    case .attaching(let time), .decoding(let time), .starting(let time): time
    case .moving(let since, let from):
      earlier(reportAt, buffered.first.map { since + ($0.end - from) })
    }
  }

  mutating func load(_ item: Int, _ clip: PlaybackDescriptor, at now: Instant) {
    self = ModelPlayer(device: device)
    self.item = item
    self.clip = clip
    stage = .attaching(until: now + device.attach)
  }

  mutating func release() { self = ModelPlayer(device: device) }

  mutating func play(at now: Instant) {
    if stage == .still { stage = .starting(at: now + device.start) }
  }

  mutating func pause() {
    switch stage {
    case .starting, .moving, .starved: stage = .still
    case .empty, .attaching, .bare, .decoding, .still: break
    }
  }

  /// Lays the timeline anew from there.
  mutating func seek(to position: Milliseconds, at now: Instant) {
    guard let clip, stage != .empty else { return }
    // As media-source.js: the last 50 ms are out of reach.
    let target = min(max(.zero, position), clip.duration - Milliseconds(50))
    buffered = []
    turn = 0
    nextTurn = 0
    nextSegment = clip.segment(at: target)
    head = target
    switch stage {
    case .starting, .moving, .starved: stage = .starting(at: now + device.start)
    case .empty, .attaching, .bare, .decoding, .still: break
    }
  }

  /// Lets time pass, at most until `nextEvent`, and takes what the store holds.
  mutating func advance(to now: Instant, from store: MediaStore) -> [Report] {
    var reports: [Report] = []
    if case .moving(let since, let from) = stage { move(to: from + (now - since), &reports) }
    if case .attaching(let time) = stage, time <= now { stage = .bare }
    fill(from: store)
    switch stage {
    case .bare where !buffered.isEmpty: stage = .decoding(until: now + device.firstFrame)
    case .decoding(let time) where time <= now:
      stage = .still
      reports.append(.firstFrame)
    case .starting(let time) where time <= now: begin(at: now, &reports)
    case .moving:
      if buffered.isEmpty {
        stage = .starved
        reports += [.position(position), .stalled]
      } else if reportAt <= now {
        reportAt = now + Self.reportInterval
        reports.append(.position(position))
      }
    case .starved where !buffered.isEmpty: stage = .starting(at: now + device.start)
    default: break
    }
    return reports
  }

  private mutating func begin(at now: Instant, _ reports: inout [Report]) {
    guard !buffered.isEmpty else {
      stage = .starved
      reports.append(.stalled)
      return
    }
    stage = .moving(since: now, from: head)
    reportAt = now + Self.reportInterval
    reports.append(.advanced)
  }

  private mutating func move(to target: Milliseconds, _ reports: inout [Report]) {
    while head < target, let segment = buffered.first {
      let end = min(target, segment.end)
      reports.append(.shown(rendition: segment.rendition, segment: segment.segment, end - head))
      head = end
      if head >= segment.end { buffered.removeFirst() }
    }
    guard let clip, head.rawValue / clip.duration.rawValue > turn else { return }
    turn = head.rawValue / clip.duration.rawValue
    reports += [.looped, .position(position)]
  }

  private mutating func fill(from store: MediaStore) {
    guard let item, let clip else { return }
    switch stage {
    case .empty, .attaching: return
    default: break
    }
    for index in buffered.indices where buffered[index].start - head >= Self.replaceAhead {
      let best = store.best(item, segment: buffered[index].segment) ?? 0
      buffered[index].rendition = max(buffered[index].rendition, best)
    }
    while true {
      let start = clip.duration * nextTurn + clip.start(ofSegment: nextSegment)
      let limit = nextTurn > turn && nextSegment == 0 ? Self.seamAhead : Self.ahead
      guard start - head < limit, let rendition = store.best(item, segment: nextSegment) else { return }
      let end = start + clip.length(ofSegment: nextSegment)
      buffered.append(Buffered(start: start, end: end, rendition: rendition, segment: nextSegment))
      nextSegment += 1
      if nextSegment == clip.segmentCount {
        nextSegment = 0
        nextTurn += 1
      }
    }
  }
}
