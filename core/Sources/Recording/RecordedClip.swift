public import CoreTypes

public enum CaptureOwner {}
/// A file of the camera, given by the core before it is recorded; never used twice.
public typealias ClipID = Handle<CaptureOwner>

public enum Camera: Int32, Sendable {
  case back = 0
  case front = 1
}

/// One recorded file and what of it is used.
public struct RecordedClip: Equatable, Sendable {
  public let clip: ClipID
  /// How much of the file is used, from its start; 0 while it is being recorded.
  public let captured: Milliseconds
  /// How long that lasts when played at `speed`.
  public let played: Milliseconds
  /// Per cent: at 200 the world moves twice as fast, and half as much is left of the time.
  public let speed: Int32
  public let camera: Camera
  /// The first clip of the press that this one belongs to: a flip within a press makes a new file,
  /// but for the person it is one take.
  public let take: ClipID

  public init(
    clip: ClipID, captured: Milliseconds, played: Milliseconds, speed: Int32, camera: Camera, take: ClipID
  ) {
    self.clip = clip
    self.captured = captured
    self.played = played
    self.speed = speed
    self.camera = camera
    self.take = take
  }

  /// A file of this length, cut to the room that is left.
  init(_ plan: RecordedClip, captured length: Milliseconds, room: Milliseconds) {
    let captured = min(length, Self.capturedTime(for: room, speed: plan.speed))
    self.init(
      clip: plan.clip, captured: captured,
      played: min(room, Self.playedTime(of: captured, speed: plan.speed)), speed: plan.speed,
      camera: plan.camera, take: plan.take)
  }

  // Both round up, so that a clip which fills the room fills it to the last millisecond.

  static func playedTime(of captured: Milliseconds, speed: Int32) -> Milliseconds {
    Milliseconds((captured * 100 + Milliseconds(Int64(speed) - 1)).rawValue / Int64(speed))
  }

  static func capturedTime(for played: Milliseconds, speed: Int32) -> Milliseconds {
    Milliseconds((played * Int64(speed) + Milliseconds(99)).rawValue / 100)
  }
}

/// What has been recorded so far, in order, and how much still fits.
struct ClipList: Sendable {
  private(set) var clips: [RecordedClip] = []
  private(set) var played = Milliseconds.zero
  private(set) var limit: Milliseconds

  init(limit: Milliseconds) { self.limit = limit }

  var room: Milliseconds { limit - played }

  /// `false` if more than this has been recorded already.
  mutating func setLimit(_ limit: Milliseconds) -> Bool {
    guard limit >= played else { return false }
    self.limit = limit
    return true
  }

  /// In the order in which the clips were begun, which is not always the one in which they end.
  mutating func insert(_ recorded: RecordedClip) {
    let place = clips.firstIndex { $0.clip.rawValue > recorded.clip.rawValue } ?? clips.count
    clips.insert(recorded, at: place)
    played += recorded.played
  }

  mutating func removeLastTake() -> [RecordedClip] {
    guard let take = clips.last?.take else { return [] }
    let removed = clips.filter { $0.take == take }
    clips.removeAll { $0.take == take }
    for recorded in removed { played -= recorded.played }
    return removed
  }
}
