internal import CoreTypes

/// What becomes of one clip while it is on the screen, and for how long it was watched.
struct Watch: Sendable {
  typealias Recorder = (_ kind: Record.Kind, _ took: Milliseconds?, _ watched: Milliseconds?) -> Void

  /// From then on watching is a view.
  static let view = Milliseconds(2_000)
  /// How often it is recorded after that.
  static let progress = Milliseconds(10_000)
  /// A step of the picture that is longer was a jump.
  static let longestStep = Milliseconds(1_000)
  /// A wait that is longer was a sleep of the device.
  static let longestWait = Milliseconds(120_000)

  let item: ItemID
  private let duration: Milliseconds
  private let began: Instant
  private var hasStarted: Bool
  private var watched: Milliseconds
  private var recorded = Milliseconds.zero
  private var loops: Int64 = 0
  private var position: Milliseconds?
  private var stalledAt: Instant?

  /// `nil` for a clip without a length.
  init?(_ item: ItemID, duration: Milliseconds, watched: Milliseconds?, at now: Instant) {
    guard duration > .zero else { return nil }
    self.item = item
    self.duration = duration
    began = now
    hasStarted = watched != nil
    self.watched = min(max(.zero, watched ?? .zero), PlaybackDescriptor.maxDuration)
  }

  mutating func played(at now: Instant, _ record: Recorder) {
    let took = now - (hasStarted ? stalledAt ?? now : began)
    let kind: Record.Kind = hasStarted ? .stall : .firstFrame
    hasStarted = true
    stalledAt = nil
    if kind == .firstFrame || took > .zero, took <= Self.longestWait { record(kind, took, nil) }
  }

  mutating func waited(at now: Instant) {
    if hasStarted, stalledAt == nil { stalledAt = now }
  }

  mutating func paused() {
    stalledAt = nil
    position = nil
  }

  mutating func advanced(to place: Milliseconds, at now: Instant, _ record: Recorder) {
    let step = position.map { place - $0 } ?? .zero
    position = place
    guard step > .zero, step <= Self.longestStep else { return }
    played(at: now, record)
    watched += step
    let turns = watched.rawValue / duration.rawValue
    if turns > loops {
      if loops == 0 { record(.completion, nil, watched) }
      record(.loop, nil, watched)
      loops = turns
      recorded = watched
    } else if watched >= (recorded < Self.view ? Self.view : recorded + Self.progress) {
      record(.progress, nil, watched)
      recorded = watched
    }
  }

  /// The person went on.
  func ended(_ record: Recorder) {
    if loops == 0 { record(.skip, nil, watched) }
  }
}
