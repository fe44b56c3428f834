import CoreTypes

/// The file: chosen, made smaller, hashed, found again.
extension Upload {
  mutating func open(_ seed: UploadKey, _ canCompress: Bool, _ canTrim: Bool) {
    guard self.seed == nil else { return }
    self.seed = seed
    self.canCompress = canCompress
    self.canTrim = canTrim
    generator = SeededGenerator(seed: UInt64(bitPattern: seed.high ^ seed.low))
  }

  mutating func restore(_ snapshot: Snapshot, _ emit: (Command) -> Void) {
    guard seed != nil, stage == .empty, facts == nil else { return }
    facts = snapshot
    stored = snapshot
    seed = snapshot.seed
    epoch = snapshot.epoch
    isPaused = snapshot.isPaused
    isPublishRequested = isPublishRequested || snapshot.isPublishRequested
    if snapshot.isProcessing {
      stage = .processing
    } else if snapshot.isCancelling {
      stage = .cancelling
    } else if snapshot.wasCreated {
      // Perhaps all bytes are there, and the file is not needed any more.
      stage = .uploading
    } else {
      find(emit)
    }
  }

  mutating func choose(_ source: SourceFile, at now: Instant, _ emit: (Command) -> Void) {
    if stage == .empty, seed != nil { return consider(source, isProduct: false, at: now, emit) }
    guard let facts, file == nil, stage == .finding || stage == .uploading else { return }
    if source.size == facts.size {
      if stage == .finding { failed = nil }
      file = source.file
      return hash(source.file, emit)
    }
    // Until the server has said what it has, another file could become a second clip.
    guard stage == .finding else { return }
    guard facts.isProduct else { return emit(.noticeOtherFile(source.file)) }
    // What was made of the chosen file is lost, and would not come out the same again.
    abandonAll(at: now, emit)
    failed = nil
    self.facts = nil
    forgetServer()
    wasCompressed = false
    trims = 0
    consider(source, isProduct: false, at: now, emit)
  }

  // MARK: The gate

  private mutating func consider(
    _ source: SourceFile, isProduct: Bool, at now: Instant, _ emit: (Command) -> Void
  ) {
    candidate = (source, isProduct)
    let verdict = SizeGate.verdict(
      source, canCompress: canCompress && !wasCompressed, canTrim: canTrim && trims < Self.trimLimit)
    work = Work()
    switch verdict {
    case .accept: accept(emit)
    case .compress:
      let call = newCall()
      stage = .compressing(call)
      emit(.compress(call, source.file, target: SizeGate.compressedFrom))
    case .trim(let reason):
      let call = newCall()
      stage = .trimming(call, reason)
      emit(.offerTrim(call, source.file, longest: SizeGate.longest, largest: SizeGate.largest))
    case .refuse(let reason): refuse(reason, at: now, emit)
    }
  }

  private mutating func refuse(_ reason: Reason, at now: Instant, _ emit: (Command) -> Void) {
    // Whatever was at work has ended.
    stage = .empty
    end(.refused, reason, at: now, emit)
  }

  mutating func takeResult(
    _ result: SourceFile, of call: CallID, at now: Instant, _ emit: (Command) -> Void
  ) {
    guard let before = candidate else { return }
    switch stage {
    case .trimming(call, let reason):
      guard result.size > .zero else {
        emit(.dropFile(result.file))
        return refuse(reason, at: now, emit)
      }
      trims += 1
      if before.isProduct { emit(.dropFile(before.source.file)) }
      consider(result, isProduct: true, at: now, emit)
    case .compressing(call):
      wasCompressed = true
      let verdict = SizeGate.verdict(result, canCompress: false, canTrim: false)
      guard verdict == .accept, result.size < before.source.size else {
        emit(.dropFile(result.file))
        return accept(emit)
      }
      if before.isProduct { emit(.dropFile(before.source.file)) }
      candidate = (result, true)
      accept(emit)
    default: emit(.dropFile(result.file))
    }
  }

  mutating func takeNoResult(of call: CallID, at now: Instant, _ emit: (Command) -> Void) {
    switch stage {
    case .trimming(call, let reason): refuse(reason, at: now, emit)
    case .compressing(call):
      wasCompressed = true
      accept(emit)
    default: break
    }
  }

  private mutating func accept(_ emit: (Command) -> Void) {
    guard let seed, let (source, isProduct) = candidate else { return }
    var facts = Snapshot(seed: seed, size: source.size, duration: source.duration, kind: source.kind)
    facts.epoch = epoch
    facts.isProduct = isProduct
    self.facts = facts
    candidate = nil
    file = source.file
    hash(source.file, emit)
  }

  // MARK: Hash

  mutating func hash(_ file: FileID, _ emit: (Command) -> Void) {
    let call = newCall()
    stage = .hashing(call)
    work = Work()
    store(emit)
    emit(.hash(call, file))
  }

  mutating func takeHash(_ hash: FileHash, of call: CallID, _ emit: (Command) -> Void) {
    guard stage == .hashing(call) else { return }
    guard let known = facts?.hash, known != hash else {
      facts?.hash = hash
      return stage = .uploading
    }
    if let file { emit(.noticeOtherFile(file)) }
    file = nil
    awaitFile()
  }

  /// Invariant: while a file is being found, the server has said that it lacks bytes, or was never asked.
  private mutating func awaitFile() {
    stage = isKnown || facts?.wasCreated != true ? .finding : .uploading
  }

  mutating func find(_ emit: (Command) -> Void) {
    guard let facts else { return }
    stage = .finding
    emit(.findFile(size: facts.size, isProduct: facts.isProduct))
  }

  mutating func loseFile(_ call: CallID, at now: Instant, _ emit: (Command) -> Void) {
    guard stage == .hashing(call) || finish(call, at: now, { $0.carriesBytes }) != nil else { return }
    file = nil
    needsAsk = true
    giveUp(.unreadable, at: now, emit)
    awaitFile()
  }

  // MARK: Work on this device

  func isWork(_ call: CallID) -> Bool {
    switch stage {
    case .trimming(call, _), .compressing(call), .hashing(call): true
    default: false
    }
  }

  mutating func stopWork(_ emit: (Command) -> Void) {
    switch stage {
    case .trimming(let call, _), .compressing(let call), .hashing(let call): emit(.stopWork(call))
    default: break
    }
  }

  /// What was made here has served its purpose.
  mutating func dropProduct(_ emit: (Command) -> Void) {
    if let candidate, candidate.isProduct { emit(.dropFile(candidate.source.file)) }
    if let file, facts?.isProduct == true { emit(.dropFile(file)) }
    candidate = nil
    file = nil
  }
}
