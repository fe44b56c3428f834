import CoreTypes

/// Requests: which goes next, and which are given up.
extension Upload {
  /// Nothing but a wait may keep it from asking the server.
  var isFree: Bool { isOnline && !isPaused && !needsSignIn && failed == nil }

  var received: Bytes {
    switch transport {
    case .sequential(let offer): offer.offset
    case .parts(let parts, _): parts.stored
    case nil: .zero
    }
  }

  var isComplete: Bool { transport != nil && received == facts?.size }

  /// Does what can be done now.
  mutating func advance(at now: Instant, _ emit: (Command) -> Void) {
    retryPolicy.passed(now)
    if isFree, retryPolicy.until == nil {
      switch stage {
      case .uploading: upload(at: now, emit)
      case .processing: if calls.isEmpty, !isKnown || now >= pollAt { ask(.poll, at: now, emit) }
      case .cancelling: terminate(at: now, emit)
      case .empty, .trimming, .compressing, .hashing, .finding, .ended: break
      }
    }
    if case .ended = stage { return }
    store(emit)
  }

  private mutating func upload(at now: Instant, _ emit: (Command) -> Void) {
    let isAsking = calls.contains { $0.kind == .create || $0.kind == .ask }
    if isAsking { return }
    if !isKnown { return ask(.create, at: now, emit) }
    if needsAsk { return ask(.ask, at: now, emit) }
    if isComplete {
      guard isPublishRequested, calls.isEmpty else { return }
      facts?.wasCommitted = true
      return ask(.commit, at: now, emit)
    }
    guard let file else { return find(emit) }
    switch transport {
    case .sequential(let offer): send(offer, of: file, at: now, emit)
    case .parts(let parts, let until): send(parts, until, of: file, at: now, emit)
    case nil: break
    }
  }

  private mutating func send(_ offer: Offer, of file: FileID, at now: Instant, _ emit: (Command) -> Void) {
    guard calls.isEmpty, let facts else { return }
    var size = max(transferRate.part, offer.smallest)
    if offer.largest > .zero { size = min(size, offer.largest) }
    size = min(size, facts.size - offer.offset)
    let call = begin(.bytes(offset: offer.offset, size: size), at: now)
    emit(.sendBytes(call, file, offset: offer.offset, size: size))
  }

  private mutating func send(
    _ parts: PartSet, _ addressesUntil: Instant?, of file: FileID, at now: Instant, _ emit: (Command) -> Void
  ) {
    var part: Int32 = 1
    while part <= parts.count, calls.count < Self.inFlightLimit {
      let size = parts.size(of: part)
      if !parts.has(part), !calls.contains(where: { $0.kind == .part(part, size: size) }) {
        // The answer brings new addresses.
        if let addressesUntil, now >= addressesUntil { return ask(.ask, at: now, emit) }
        let call = begin(.part(part, size: size), at: now)
        emit(.sendPart(call, file, part: part, offset: parts.offset(of: part), size: size))
      }
      part += 1
    }
  }

  private mutating func terminate(at now: Instant, _ emit: (Command) -> Void) {
    guard calls.isEmpty else { return }
    if facts?.wasCreated == true { return ask(.terminate, at: now, emit) }
    end(.cancelled, at: now, emit)
  }

  /// A request without bytes. One that needs the upload's address is preceded by `create`, which brings
  /// it: with the same key that is a question, not a second upload.
  private mutating func ask(_ kind: CallKind, at now: Instant, _ emit: (Command) -> Void) {
    guard isKnown || kind == .create else { return ask(.create, at: now, emit) }
    guard let facts, let hash = facts.hash else { return }
    if kind == .create { self.facts?.wasCreated = true }
    store(emit)
    storedMeanwhile = []
    let call = begin(kind, at: now)
    switch kind {
    case .create:
      let key = UploadKey(seed: facts.seed, epoch: facts.epoch)
      let announced = SourceFacts(size: facts.size, duration: facts.duration, kind: facts.kind, hash: hash)
      emit(.create(call, key, announced))
    case .ask: emit(.ask(call))
    case .commit: emit(.commit(call))
    case .poll: emit(.poll(call))
    case .terminate: emit(.terminate(call))
    case .bytes, .part: break
    }
  }

  private mutating func begin(_ kind: CallKind, at now: Instant) -> CallID {
    let id = newCall()
    calls.append(Call(id: id, kind: kind, moved: now))
    if kind.carriesBytes { transferRate.begin(at: now) }
    return id
  }

  // MARK: Ends of requests

  /// Takes a request off the list, if it is on it and its answer can be one.
  mutating func finish(_ id: CallID, at now: Instant, _ fits: (CallKind) -> Bool) -> Call? {
    guard let index = calls.firstIndex(where: { $0.id == id }), fits(calls[index].kind) else { return nil }
    let call = calls.remove(at: index)
    rest(at: now)
    return call
  }

  /// What this device does not hear of any more may still arrive: the server must be asked.
  mutating func abandonAll(at now: Instant, _ emit: (Command) -> Void, but spared: CallKind? = nil) {
    for call in calls where call.kind != spared {
      if call.kind.carriesBytes { needsAsk = true }
      emit(.abandon(call.id))
    }
    calls.removeAll { $0.kind != spared }
    rest(at: now)
  }

  mutating func expire(at now: Instant, _ emit: (Command) -> Void) {
    while let late = calls.first(where: { $0.moved + Self.callPatience <= now }) {
      emit(.abandon(late.id))
      guard let call = finish(late.id, at: now, { _ in true }) else { return }
      fail(call, Failure(.timeout), at: now, emit)
    }
  }

  mutating func note(_ bytes: Bytes, of id: CallID, at now: Instant) {
    guard let index = calls.firstIndex(where: { $0.id == id }) else { return }
    let sent = min(bytes, calls[index].kind.size)
    guard sent > calls[index].sent else { return }
    transferRate.move(sent - calls[index].sent, at: now)
    calls[index].sent = sent
    calls[index].moved = now
  }

  /// The clock of the rate stands still while nothing is sent.
  private mutating func rest(at now: Instant) {
    if !calls.contains(where: { $0.kind.carriesBytes }) { transferRate.end(at: now) }
  }
}

extension Upload.CallKind {
  var carriesBytes: Bool {
    switch self {
    case .bytes, .part: true
    case .create, .ask, .commit, .poll, .terminate: false
    }
  }

  var size: Bytes {
    switch self {
    case .bytes(_, let size), .part(_, let size): size
    case .create, .ask, .commit, .poll, .terminate: .zero
    }
  }
}
