import CoreTypes

/// What the server said.
extension Upload {
  mutating func take(_ offer: Offer, of id: CallID, at now: Instant, _ emit: (Command) -> Void) {
    guard let call = finish(id, at: now, { $0.asksForState }), let facts else { return }
    guard offer.offset >= .zero, offer.offset <= facts.size else {
      return fail(call, Failure(.serverBusy), at: now, emit)
    }
    know(.sequential(offer), at: now, emit)
  }

  mutating func take(_ offer: PartOffer, of id: CallID, at now: Instant, _ emit: (Command) -> Void) {
    guard let call = finish(id, at: now, { $0.asksForState }), let facts else { return }
    guard var parts = PartSet(partSize: offer.size, total: facts.size) else {
      return fail(call, Failure(.serverBusy), at: now, emit)
    }
    for part in offer.stored { parts.store(part) }
    if case .parts(let before, _) = transport, before.partSize == parts.partSize {
      for part in storedMeanwhile { parts.store(part) }
      abandonStored(parts, at: now, emit)
    }
    know(.parts(parts, addressesUntil: offer.validFor > .zero ? now + offer.validFor : nil), at: now, emit)
  }

  private mutating func know(_ transport: Transport, at now: Instant, _ emit: (Command) -> Void) {
    // Bytes on their way in another manner are on their way to nowhere.
    if !isSameManner(transport) { abandonAll(at: now, emit) }
    self.transport = transport
    isKnown = true
    needsAsk = false
    progress()
    switch stage {
    case .finding where isComplete: stage = .uploading
    case .processing:
      // A server that was set back to an earlier day has not seen the commit.
      stage = .uploading
      facts?.isProcessing = false
    default: break
    }
  }

  /// Of a part that is in the list only the answer is missing.
  private mutating func abandonStored(_ parts: PartSet, at now: Instant, _ emit: (Command) -> Void) {
    for call in calls {
      guard case .part(let part, _) = call.kind, parts.has(part),
        finish(call.id, at: now, { $0.isPart }) != nil
      else { continue }
      emit(.abandon(call.id))
    }
  }

  private func isSameManner(_ other: Transport) -> Bool {
    switch (transport, other) {
    case (.sequential, .sequential): true
    case (.parts(let left, _), .parts(let right, _)): left.partSize == right.partSize
    default: false
    }
  }

  mutating func progress() {
    guard received > best else { return }
    best = received
    retryPolicy.progressed()
  }

  mutating func takeBytes(upTo offset: Bytes, of id: CallID, at now: Instant, _ emit: (Command) -> Void) {
    note(offsetWithin(offset, of: id), of: id, at: now)
    guard let call = finish(id, at: now, { $0.carriesBytes }), case .bytes(let start, let size) = call.kind,
      case .sequential(let offer) = transport
    else { return }
    guard offset > start, offset <= start + size else {
      return fail(call, Failure(.serverBusy), at: now, emit)
    }
    transport = .sequential(Offer(offset: offset, smallest: offer.smallest, largest: offer.largest))
    if offset == start + size { transferRate.adapt() }
    progress()
  }

  /// How much of a request has arrived, when the server has everything up to an offset.
  private func offsetWithin(_ offset: Bytes, of id: CallID) -> Bytes {
    guard let call = calls.first(where: { $0.id == id }), case .bytes(let start, _) = call.kind
    else { return .zero }
    return offset - start
  }

  mutating func takePart(of id: CallID, at now: Instant, _ emit: (Command) -> Void) {
    if let call = calls.first(where: { $0.id == id }) { note(call.kind.size, of: id, at: now) }
    guard let call = finish(id, at: now, { $0.isPart }), case .part(let part, _) = call.kind,
      case .parts(var parts, let until) = transport
    else { return }
    parts.store(part)
    transport = .parts(parts, addressesUntil: until)
    storedMeanwhile.append(part)
    progress()
  }

  // MARK: After the commit

  /// Whether this is about our upload: an answer that was asked for, or a report after a commit was sent.
  mutating func isOurs(_ id: CallID?, at now: Instant) -> Bool {
    guard let id else { return facts?.wasCommitted == true }
    return finish(id, at: now, { !$0.carriesBytes }) != nil
  }

  mutating func follow(
    _ id: CallID?, permille: Int32, renditions: Int32, at now: Instant, _ emit: (Command) -> Void
  ) {
    guard isOurs(id, at: now) else { return }
    if stage != .processing {
      // Whatever was asked for meanwhile, a pause or a cancellation, comes too late.
      stopWork(emit)
      stage = .processing
      failed = nil
      isPaused = false
      needsAsk = false
      facts?.wasCommitted = true
      facts?.isCancelling = false
      facts?.isProcessing = true
      pollInterval = Self.firstPoll
      abandonAll(at: now, emit)
      dropProduct(emit)
    }
    isKnown = isKnown || id != nil
    retryPolicy.progressed()
    self.permille = min(max(permille, 0), 1_000)
    self.renditions = max(renditions, 0)
    // Who is told need not ask.
    pollAt = now + (id == nil ? Self.longestPoll : pollInterval)
    if id != nil { pollInterval = min(pollInterval * 2, Self.longestPoll) }
  }
}

extension Upload.CallKind {
  fileprivate var asksForState: Bool { self == .create || self == .ask }

  fileprivate var isPart: Bool {
    if case .part = self { true } else { false }
  }
}
