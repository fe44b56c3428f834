import CoreTypes

/// What a failure means: the table of docs/design/upload.md.
extension Upload {
  mutating func fail(_ call: Call, _ failure: Failure, at now: Instant, _ emit: (Command) -> Void) {
    // Parts that fall together are one interruption.
    let isCounted = !(call.kind.carriesBytes && needsAsk)
    if call.kind.carriesBytes { needsAsk = true }
    switch failure.reason {
    case .signInNeeded:
      if !needsSignIn { emit(.askSignIn) }
      needsSignIn = true
    case .gone where stage == .cancelling: end(.cancelled, at: now, emit)
    case .gone where stage != .processing: beginAnew(at: now, emit)
    case .hashMismatch where stage != .processing && stage != .cancelling: startOver(at: now, emit)
    case .rejected: giveUp(.rejected, Int32(truncatingIfNeeded: failure.detail), at: now, emit)
    default:
      if failure.reason == .offsetMismatch { correct(Bytes(failure.detail), call) }
      retryPolicy.wait(failure.retryAfter, at: now)
      if failure.reason == .storageFull { retryPolicy.wait(RetryPolicy.storage, at: now) }
      guard isCounted else { return }
      if call.kind.carriesBytes, failure.reason == .network || failure.reason == .timeout {
        transferRate.halve()
      }
      retryPolicy.failed(at: now, cheap: failure.reason.isCheap, &generator)
      if retryPolicy.isExhausted { giveUp(failure.reason, at: now, emit) }
    }
  }

  /// The server said where it stands: there is no need to ask.
  private mutating func correct(_ offset: Bytes, _ call: Call) {
    needsAsk = true
    guard let facts, case .bytes = call.kind, case .sequential(let offer) = transport, offset >= .zero,
      offset <= facts.size
    else { return }
    transport = .sequential(Offer(offset: offset, smallest: offer.smallest, largest: offer.largest))
    needsAsk = false
    progress()
  }

  /// The upload is gone: the same file, as a new one.
  private mutating func beginAnew(at now: Instant, _ emit: (Command) -> Void) {
    guard let recreations = facts?.recreations, recreations < Self.recreationLimit,
      !(isComplete && wasLostComplete)
    else { return giveUp(.gone, at: now, emit) }
    if isComplete { wasLostComplete = true }
    facts?.recreations = recreations + 1
    renew(at: now, emit)
  }

  /// Other bytes arrived than were announced: broken on the way, or the file was changed. Once more.
  private mutating func startOver(at now: Instant, _ emit: (Command) -> Void) {
    guard facts?.mismatches == 0 else { return giveUp(.fileChanged, at: now, emit) }
    facts?.mismatches = 1
    rehash(at: now, emit)
  }

  private mutating func rehash(at now: Instant, _ emit: (Command) -> Void) {
    stopWork(emit)
    renew(at: now, emit)
    facts?.hash = nil
    if let file { hash(file, emit) } else { find(emit) }
  }

  private mutating func renew(at now: Instant, _ emit: (Command) -> Void) {
    abandonAll(at: now, emit)
    forgetServer()
    facts?.epoch = epoch
    facts?.wasCreated = false
    facts?.wasCommitted = false
  }

  /// What comes next is another upload, with a key of its own.
  mutating func forgetServer() {
    epoch += 1
    isKnown = false
    needsAsk = false
    transport = nil
    best = .zero
    storedMeanwhile = []
  }

  mutating func giveUp(_ reason: Reason, _ code: Int32 = 0, at now: Instant, _ emit: (Command) -> Void) {
    // Nothing can commit it any more, so that the server may let it expire.
    if stage == .cancelling, facts?.wasCommitted != true { return end(.cancelled, at: now, emit) }
    abandonAll(at: now, emit)
    failed = (reason, code)
  }

  // MARK: The person

  mutating func changeNetwork(_ isOnline: Bool, at now: Instant, _ emit: (Command) -> Void) {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    if isOnline { retryPolicy.skipWait() } else { abandonAll(at: now, emit) }
  }

  mutating func pause(at now: Instant, _ emit: (Command) -> Void) {
    guard canPause else { return }
    isPaused = true
    abandonAll(at: now, emit)
  }

  mutating func resume() {
    guard isPaused else { return }
    isPaused = false
    retryPolicy.restart()
  }

  mutating func retry(at now: Instant, _ emit: (Command) -> Void) {
    guard let reason = failed?.reason else { return }
    failed = nil
    retryPolicy.restart()
    needsAsk = isKnown
    switch (stage, reason) {
    case (.finding, _): find(emit)
    case (.uploading, .fileChanged):
      facts?.mismatches = 0
      rehash(at: now, emit)
    case (.uploading, .gone):
      facts?.recreations = 0
      wasLostComplete = false
      renew(at: now, emit)
    default: break
    }
  }

  mutating func cancel(at now: Instant, _ emit: (Command) -> Void) {
    switch stage {
    case .processing, .ended: return
    case .cancelling:
      // Who insists need not wait for the server, unless it might have been told to commit.
      if facts?.wasCommitted != true { end(.cancelled, at: now, emit) }
    case .empty, .trimming, .compressing: end(.cancelled, at: now, emit)
    case .hashing, .finding, .uploading:
      guard facts?.wasCreated == true else { return end(.cancelled, at: now, emit) }
      stopWork(emit)
      // An answer to `create` brings the address of what is to be terminated.
      abandonAll(at: now, emit, but: .create)
      stage = .cancelling
      facts?.isCancelling = true
      failed = nil
      isPaused = false
      retryPolicy.restart()
    }
  }
}

extension Upload.Reason {
  /// What the server said makes another try worth while at once.
  fileprivate var isCheap: Bool { self == .offsetMismatch || self == .addressExpired }
}
