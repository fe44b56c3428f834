import CoreTypes
import Recording

/// An open recorder whose back camera is ready, with a clock that a test moves by hand.
struct RecordingHarness {
  var recording = Recording()
  var now = Instant(0)
  var commands: [Recording.Command] = []

  init() {
    send(.opened, .cameraReady(.back, hasTorch: true))
    commands = []
  }

  mutating func send(_ events: Recording.Event...) {
    for event in events {
      var emitted: [Recording.Command] = []
      recording.handle(event, at: now) { emitted.append($0) }
      commands += emitted
    }
  }

  /// Moves the clock, waking whoever asked for it, each at its time.
  mutating func wait(_ time: Int64) {
    let end = now + Milliseconds(time)
    while let due = recording.nextWake, due <= end {
      now = max(now, due)
      send(.woke)
    }
    now = end
  }

  /// Taps the button and lets the camera answer at once.
  mutating func begin(_ clip: Int32) {
    send(.pressed, .released(held: Milliseconds(80)), .captureStarted(ClipID(clip)))
  }

  mutating func record(_ clip: Int32, _ length: Int64) {
    begin(clip)
    wait(length)
    send(.pressed, .released(held: Milliseconds(80)), .captureFinished(ClipID(clip), Milliseconds(length)))
  }

  mutating func take() -> [Recording.Command] {
    defer { commands = [] }
    return commands
  }

  /// What was emitted, but for controls and list.
  mutating func takeDeeds() -> [Recording.Command] {
    take().filter {
      switch $0 {
      case .showControls, .storeList: false
      default: true
      }
    }
  }

  mutating func takeControls() -> Recording.Controls? {
    take().reversed().lazy.compactMap { if case .showControls(let shown) = $0 { shown } else { nil } }
      .first
  }

  /// The list as it was last stored.
  mutating func takeList() -> [RecordedClip]? {
    take().reversed().lazy.compactMap { if case .storeList(_, let list) = $0 { list } else { nil } }.first
  }
}
