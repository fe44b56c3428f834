import CoreTypes
import Upload

/// Follows the commands as a host would and holds them against the machine's invariants.
struct UploadWatch {
  private struct Request {
    let part: Int32?
    let isBytes: Bool
  }

  private(set) var broken: String?
  private(set) var screen = Upload.Screen()
  private(set) var snapshot: Snapshot?
  private(set) var key: ModelServer.Key?
  private(set) var hasEnded = false
  private(set) var isPaused = false
  private(set) var isCancelled = false
  private var isGivenUp = false
  private(set) var cuts = 0
  var isOnline = true
  private var open: [Int32: Request] = [:]
  private var lastCall: Int32 = 0
  private var lastSent: (key: ModelServer.Key, offset: Int64, size: Int64)?
  private var isInterrupted = false
  private var acknowledged: [ModelServer.Key: Set<Int32>] = [:]

  /// The flags of a stored upload, by their bits.
  private func isStored(_ bit: Int64) -> Bool { snapshot.map { $0.words[4] & (1 << bit) != 0 } ?? false }

  mutating func note(_ event: Upload.Event) {
    switch event {
    case .networkChanged(let isOnline): self.isOnline = isOnline
    case .pauseTapped: if screen.canPause { isPaused = true }
    case .resumeTapped: isPaused = false
    case .retryTapped: isGivenUp = false
    case .cancelTapped:
      if screen.canCancel {
        isGivenUp = false
        isCancelled = true
        isPaused = false
      }
    case .partTaken(let call):
      if let key, let part = open[call.rawValue]?.part { acknowledged[key, default: []].insert(part) }
      open[call.rawValue] = nil
    case .bytesTaken(let call, _), .terminated(let call), .receiving(let call, _),
      .receivingParts(let call, _):
      open[call.rawValue] = nil
    case .failed(let call, _):
      if open[call.rawValue]?.isBytes == true { interrupt() }
      open[call.rawValue] = nil
    case .processing(let call, _, _):
      // Too late for a pause or a cancellation.
      if call == nil ? isStored(3) : open[call!.rawValue] != nil {
        isPaused = false
        isCancelled = false
        isGivenUp = false
      }
      if let call { open[call.rawValue] = nil }
    case .published(let call), .refused(let call, _): if let call { open[call.rawValue] = nil }
    default: break
    }
  }

  private mutating func interrupt() {
    isInterrupted = true
    cuts += 1
  }

  /// What was not stored is forgotten, and nobody answers any more.
  mutating func noteKill() {
    open = [:]
    lastCall = 0
    screen = Upload.Screen()
    isOnline = true
    isGivenUp = false
    isPaused = isStored(6)
    isCancelled = isStored(5)
    interrupt()
  }

  mutating func follow(_ command: Upload.Command) {
    require(!hasEnded, "a command after the end: \(command)")
    switch command {
    case .store(let snapshot):
      require(snapshot != self.snapshot, "the same is stored again")
      require(Snapshot(words: snapshot.words) == snapshot, "what is stored cannot be restored")
      self.snapshot = snapshot
    case .forget:
      snapshot = nil
      hasEnded = true
    case .create(let call, let key, _):
      require(isStored(2), "created before it was stored")
      self.key = ModelServer.Key(high: key.high, low: key.low)
      begin(call, Request(part: nil, isBytes: false))
    case .ask(let call), .poll(let call): begin(call, Request(part: nil, isBytes: false))
    case .terminate(let call):
      require(isCancelled, "terminated without being cancelled")
      begin(call, Request(part: nil, isBytes: false))
    case .commit(let call):
      require(!isCancelled, "a cancelled upload is committed")
      require(isStored(3), "committed before it was stored")
      require(isStored(7), "committed without being asked")
      begin(call, Request(part: nil, isBytes: false))
    case .sendBytes(let call, _, let offset, let size): send(call, offset.rawValue, size.rawValue)
    case .sendPart(let call, _, let part, _, _):
      if let key { require(acknowledged[key]?.contains(part) != true, "an acknowledged part is sent again") }
      require(!open.values.contains { $0.part == part }, "a part twice at once")
      begin(call, Request(part: part, isBytes: true))
      require(open.values.filter(\.isBytes).count <= Upload.inFlightLimit, "too many in flight")
    case .abandon(let call):
      if open[call.rawValue]?.isBytes == true { interrupt() }
      open[call.rawValue] = nil
    case .show(let screen): check(screen)
    case .findFile, .noticeOtherFile, .compress, .offerTrim, .hash, .stopWork, .dropFile, .askSignIn: break
    }
  }

  private mutating func begin(_ call: CallID, _ request: Request) {
    require(call.rawValue > lastCall, "a number is used twice")
    require(isOnline, "sent while offline")
    require(!isPaused, "sent while paused")
    require(!isGivenUp, "sent after it was given up")
    lastCall = call.rawValue
    open[call.rawValue] = request
  }

  private mutating func send(_ call: CallID, _ offset: Int64, _ size: Int64) {
    require(!open.values.contains(where: \.isBytes), "two requests at once")
    begin(call, Request(part: nil, isBytes: true))
    require(size > 0, "nothing is sent")
    guard let key else { return require(false, "sent before it was created") }
    if let lastSent, lastSent.key == key {
      require(offset >= lastSent.offset, "more than one request is sent again")
      require(offset >= lastSent.offset + lastSent.size || isInterrupted, "sent again for no reason")
    }
    lastSent = (key, offset, size)
    isInterrupted = false
  }

  private mutating func check(_ screen: Upload.Screen) {
    require(screen != self.screen, "the same screen again")
    require(screen.acknowledged + screen.inFlight <= screen.total, "more than there is: \(screen)")
    require((screen.remaining ?? .zero) >= .zero && screen.speed >= .zero, "time runs backwards")
    require(screen.canRetry == (screen.phase == .failed), "retry where nothing failed")
    self.screen = screen
    isGivenUp = screen.phase == .failed
  }

  /// After each event, when all its commands were carried out.
  mutating func settle(_ wake: Instant?, _ now: Instant) {
    switch screen.phase {
    case .published, .refused, .cancelled:
      hasEnded = true
      require(wake == nil, "a deadline after the end")
    default: break
    }
    require(wake.map { $0 > now } ?? true, "a deadline in the past")
  }

  mutating func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds, broken == nil { broken = rule() }
  }
}
