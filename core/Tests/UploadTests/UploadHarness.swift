import CoreTypes
import Upload

/// An upload with a clock that a test moves by hand. Answers go to the newest request of a kind.
struct UploadHarness {
  static let hash = FileHash(1, 2, 3, 4)
  static let megabyte: Int64 = 1 << 20

  var upload = Upload()
  var now = Instant(0)
  var commands: [Upload.Command] = []
  private(set) var screen = Upload.Screen()
  private(set) var snapshot: Snapshot?
  /// The newest request or piece of work.
  private(set) var call = CallID(0)

  init(canCompress: Bool = false, canTrim: Bool = false) {
    send(.opened(seed: UploadKey(high: 7, low: 9), canCompress: canCompress, canTrim: canTrim))
  }

  /// With a hashed file whose upload is being created.
  static func creating(size: Int64 = 3 * megabyte) -> Self {
    var harness = Self()
    harness.choose(size: size)
    harness.send(.hashed(harness.call, hash))
    return harness
  }

  /// The server takes bytes one behind the other, and the first part is under way.
  static func sending(size: Int64 = 3 * megabyte) -> Self {
    var harness = creating(size: size)
    harness.receive(0)
    harness.commands = []
    return harness
  }

  /// The server takes parts of 1 MiB, and the first three are under way.
  static func sendingParts(_ count: Int64, validFor: Int64 = 0) -> Self {
    var harness = creating(size: count * megabyte)
    harness.commands = []
    harness.receiveParts([], validFor: validFor)
    return harness
  }

  mutating func send(_ events: Upload.Event...) {
    for event in events {
      var emitted: [Upload.Command] = []
      upload.handle(event, at: now) { emitted.append($0) }
      emitted.forEach { follow($0) }
      commands += emitted
    }
  }

  mutating func choose(size: Int64, duration: Int64 = 15_000, kind: SourceFile.Kind = .mp4, file: Int32 = 1) {
    send(.fileChosen(Self.source(size: size, duration: duration, kind: kind, file: file)))
  }

  static func source(size: Int64, duration: Int64 = 15_000, kind: SourceFile.Kind = .mp4, file: Int32 = 1)
    -> SourceFile
  {
    SourceFile(file: FileID(file), size: Bytes(size), duration: Milliseconds(duration), kind: kind)
  }

  mutating func receive(_ offset: Int64) {
    send(.receiving(call, Upload.Offer(offset: Bytes(offset), smallest: .zero, largest: .zero)))
  }

  mutating func receiveParts(_ stored: [Int32], validFor: Int64 = 0) {
    send(
      .receivingParts(
        call, Upload.PartOffer(size: Bytes(Self.megabyte), validFor: Milliseconds(validFor), stored: stored)))
  }

  mutating func take(_ offset: Int64) { send(.bytesTaken(call, offset: Bytes(offset))) }

  mutating func fail(_ reason: Upload.Reason, detail: Int64 = 0, retryAfter: Int64 = 0) {
    send(.failed(call, Upload.Failure(reason, detail: detail, retryAfter: Milliseconds(retryAfter))))
  }

  /// Moves the clock, waking whoever asked for it, each at its time.
  mutating func wait(_ time: Int64) {
    let end = now + Milliseconds(time)
    while let due = upload.nextWake, due <= end {
      now = max(now, due)
      send(.woke)
    }
    now = end
  }

  /// The app is killed and started again.
  mutating func restart() {
    let kept = snapshot
    self = Self()
    if let kept { send(.restored(kept)) }
  }

  /// What was emitted since, but for the screen and what is written down.
  mutating func takeDeeds() -> [Upload.Command] {
    defer { commands = [] }
    return commands.filter {
      switch $0 {
      case .show, .store: false
      default: true
      }
    }
  }

  /// `nil` if there was none, or more than one.
  mutating func takeOnlyDeed() -> Upload.Command? {
    let deeds = takeDeeds()
    return deeds.count == 1 ? deeds[0] : nil
  }

  private mutating func follow(_ command: Upload.Command) {
    switch command {
    case .store(let snapshot): self.snapshot = snapshot
    case .forget: snapshot = nil
    case .show(let screen): self.screen = screen
    case .compress(let call, _, _), .offerTrim(let call, _, _, _), .hash(let call, _),
      .create(let call, _, _),
      .ask(let call), .sendBytes(let call, _, _, _), .sendPart(let call, _, _, _, _), .commit(let call),
      .poll(let call), .terminate(let call):
      self.call = call
    default: break
    }
  }
}
