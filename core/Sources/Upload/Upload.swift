public import CoreTypes

/// Decides how one file becomes one published clip: whether it may go as it is, which bytes go when,
/// what a cut, a kill or a full disk means, when it is committed, and what a screen says meanwhile.
///
/// It refuses to know files, addresses and requests: it names a file and a range, the host moves the
/// bytes and reports what the server said. It never counts on what it remembers of the server: how far
/// an upload got is asked.
///
/// Invariants (for a server that keeps to docs/design/upload.md):
/// - At most one upload is committed, its bytes are those of the file, and once `cancelTapped` was heard
///   no commit is sent. A new upload is begun only where the server said that the one before is not
///   committed and never will be.
/// - On a fair network everything ends. What makes no progress is given up after `RetryPolicy.limit` failures
///   one behind the other, and then waits for the person.
/// - One behind the other: a cut costs at most the bytes of one request. By parts: a part that was
///   acknowledged is not sent again. At most `inFlightLimit` parts are under way, or one request.
/// - No request is begun while paused, offline, signed out, failed, or before a wait is over; those under
///   way are abandoned at once. After the end there is no command at all.
/// - `store` says what a restart must know before the request that makes it necessary.
/// - A deadline is never in the past.
public struct Upload: Sendable {
  public static let inFlightLimit = 3
  /// A request that moves nothing and says nothing for so long is given up.
  public static let callPatience = Milliseconds(30_000)
  /// How often an upload that is gone is begun anew; once only if all its bytes had been there.
  public static let recreationLimit: Int32 = 3
  /// A host whose results never fit must not be asked for ever.
  public static let trimLimit = 3
  public static let firstPoll = Milliseconds(1_000)
  public static let longestPoll = Milliseconds(10_000)

  enum Stage: Equatable, Sendable {
    case empty
    case trimming(CallID, Reason)
    case compressing(CallID)
    case hashing(CallID)
    case finding
    /// From creating to committing: what comes next follows from what the server has.
    case uploading
    case processing
    case cancelling
    case ended(Phase)
  }

  enum CallKind: Equatable, Sendable {
    case create
    case ask
    case bytes(offset: Bytes, size: Bytes)
    case part(Int32, size: Bytes)
    case commit
    case poll
    case terminate
  }

  /// A request under way.
  struct Call: Sendable {
    let id: CallID
    let kind: CallKind
    var sent = Bytes.zero
    /// When it was last heard of.
    var moved: Instant
  }

  enum Transport: Sendable {
    case sequential(Offer)
    case parts(PartSet, addressesUntil: Instant?)
  }

  // What this device knows
  var stage = Stage.empty
  var seed: UploadKey?
  var canCompress = false
  var canTrim = false
  /// The file on its way through the gate, and whether it was made here.
  var candidate: (source: SourceFile, isProduct: Bool)?
  var wasCompressed = false
  var trims = 0
  /// The file that is uploaded, while it can be read.
  var file: FileID?
  var facts: Snapshot?
  var stored: Snapshot?
  /// Of the upload that is begun next, or under way.
  var epoch: Int32 = 0
  var work = Work()
  /// `nil`: the host does not say, and work is worth whatever it takes.
  var uplink: BitsPerSecond?

  // What keeps it
  var isOnline = true
  var isPaused = false
  var isPublishRequested = false
  var needsSignIn = false
  var failed: (reason: Reason, code: Int32)?
  var retryPolicy = RetryPolicy()
  var generator = SeededGenerator(seed: 0)

  // What the server knows
  var calls: [Call] = []
  var lastCall: Int32 = 0
  /// It has answered in this run, so that there is an address to ask.
  var isKnown = false
  /// Bytes may have arrived that nobody told us of.
  var needsAsk = false
  var transport: Transport?
  /// The most that the server had of this upload.
  var best = Bytes.zero
  /// Parts that were acknowledged while the server was being asked for all.
  var storedMeanwhile: [Int32] = []
  /// An upload of which all bytes were there was gone.
  var wasLostComplete = false
  var transferRate = TransferRate()

  // What becomes of it
  var permille: Int32 = 0
  var renditions: Int32 = 0
  var pollAt = Instant(0)
  var pollInterval = firstPoll
  var ending: (reason: Reason, code: Int32) = (.none, 0)
  var shown = Screen()

  public init() {}

  public var nextWake: Instant? {
    if case .ended = stage { return nil }
    var wake: Instant?
    for call in calls { wake = earlier(wake, call.moved + Self.callPatience) }
    guard isFree else { return wake }
    if let until = retryPolicy.until { return earlier(wake, until) }
    return stage == .processing && calls.isEmpty ? earlier(wake, pollAt) : wake
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    if case .ended = stage { return }
    take(event, at: now, emit)
    expire(at: now, emit)
    advance(at: now, emit)
    let screen = screen()
    if screen != shown {
      shown = screen
      emit(.show(screen))
    }
    // Last of all: a kill in between only makes it end once more.
    if case .ended = stage, stored != nil { emit(.forget) }
  }

  private mutating func take(_ event: Event, at now: Instant, _ emit: (Command) -> Void) {
    switch event {
    case .opened(let seed, let canCompress, let canTrim): open(seed, canCompress, canTrim)
    case .restored(let snapshot): restore(snapshot, emit)
    case .fileChosen(let source): choose(source, at: now, emit)
    case .networkChanged(let isOnline): changeNetwork(isOnline, at: now, emit)
    case .signedIn: needsSignIn = false
    case .uplinkMeasured(let rate): uplink = rate > .zero ? rate : Self.typicalUplink
    case .publishRequested: isPublishRequested = true
    case .pauseTapped: pause(at: now, emit)
    case .resumeTapped: resume()
    case .retryTapped: retry(at: now, emit)
    case .cancelTapped: cancel(at: now, emit)
    case .workProgressed(let call, let permille):
      noteWork(call, permille, at: now, emit)
    case .prepared(let call, let result): takeResult(result, of: call, at: now, emit)
    case .prepareFailed(let call): takeNoResult(of: call, at: now, emit)
    case .hashed(let call, let hash): takeHash(hash, of: call, emit)
    case .fileUnreadable(let call): loseFile(call, at: now, emit)
    case .receiving(let call, let offer): take(offer, of: call, at: now, emit)
    case .receivingParts(let call, let offer): take(offer, of: call, at: now, emit)
    case .bytesSent(let call, let bytes): note(bytes, of: call, at: now)
    case .bytesTaken(let call, let offset): takeBytes(upTo: offset, of: call, at: now, emit)
    case .partTaken(let call): takePart(of: call, at: now, emit)
    case .processing(let call, let permille, let renditions):
      follow(call, permille: permille, renditions: renditions, at: now, emit)
    case .published(let call): if isOurs(call, at: now) { end(.published, at: now, emit) }
    case .refused(let call, let code): if isOurs(call, at: now) { end(.refused, .none, code, at: now, emit) }
    case .terminated(let call):
      if finish(call, at: now, { $0 == .terminate }) != nil { end(.cancelled, at: now, emit) }
    case .failed(let call, let failure):
      if let call = finish(call, at: now, { _ in true }) { fail(call, failure, at: now, emit) }
    case .woke: break
    }
  }

  /// Says what has to outlive the app, if it changed.
  mutating func store(_ emit: (Command) -> Void) {
    facts?.isPaused = isPaused
    facts?.isPublishRequested = isPublishRequested
    guard let facts, facts != stored else { return }
    stored = facts
    emit(.store(facts))
  }

  mutating func end(
    _ phase: Phase, _ reason: Reason = .none, _ code: Int32 = 0, at now: Instant, _ emit: (Command) -> Void
  ) {
    stopWork(emit)
    abandonAll(at: now, emit)
    dropProduct(emit)
    ending = (reason, code)
    failed = nil
    isPaused = false
    stage = .ended(phase)
  }

  mutating func newCall() -> CallID {
    lastCall &+= 1
    return CallID(lastCall)
  }
}
