internal import Contract
internal import CoreTypes
internal import Foundation
internal import Synchronization
internal import Upload

/// What each command means here.
extension UploadHost {
  func begin(_ command: Upload.Command) {
    switch command {
    case .store, .forget, .show: break
    // The phase says it all.
    case .askSignIn: break
    case .findFile(let size, let isProduct): find(size, isProduct)
    case .noticeOtherFile:
      state.isOtherFile = true
      onChange?()
    case .compress(let call, let file, let target): compress(call, file, target)
    case .offerTrim(let call, let file, let longest, let largest): trim(call, file, longest, largest)
    case .hash(let call, let file): hash(call, file)
    case .dropFile(let file): folder.remove(file)
    case .create(let call, let key, let facts): create(call, key, facts)
    case .ask(let call):
      answer(call) { host in
        try host.checkOwner()
        return try await host.requests.settledState(host.uploadID)
      } then: {
        $0.receiving(call, $1)
      }
    case .poll(let call): poll(call)
    case .commit(let call):
      follow(call) { host in
        try host.checkOwner()
        try await host.tellDetails()
        return try await host.requests.commit(host.uploadID)
      }
    case .terminate(let call): terminate(call)
    case .sendBytes(let call, let file, let offset, let size):
      send(call, file, Int(offset.rawValue)..<Int((offset + size).rawValue))
    case .sendPart(let call, let file, let part, let offset, let size):
      send(call, file, Int(offset.rawValue)..<Int((offset + size).rawValue), as: part)
    case .stopWork(let call), .abandon(let call):
      stop(call)
      if state.trim != nil { useTrim(nil) }
    }
  }

  // MARK: The file

  private func find(_ size: Bytes, _ isProduct: Bool) {
    if let file = folder.find(size: size, isProduct: isProduct) { choose(file) }
  }

  private func hash(_ call: CallID, _ file: FileID) {
    state.file = folder.url(of: file)
    let (folder, progress) = (folder, progress(of: call))
    run(call) { _ in
      do {
        return .hashed(call, try await folder.hash(file, progress: progress))
      } catch {
        return .fileUnreadable(call)
      }
    }
  }

  private func compress(_ call: CallID, _ file: FileID, _ target: Bytes) {
    run(call) { host in
      let facts = await host.folder.facts(of: file)
      guard let compressor = host.ports.compressor, let source = host.folder.url(of: file),
        facts.duration > .zero
      else { return .prepareFailed(call) }
      return await host.prepare(call, facts.duration) { product, progress in
        try await compressor.compress(
          source, of: facts.size, to: product, wanted: target, progress: progress)
      }
    }
  }

  /// Waits for the person, however long they take.
  private func trim(_ call: CallID, _ file: FileID, _ longest: Milliseconds, _ largest: Bytes) {
    run(call) { host in
      let facts = await host.folder.facts(of: file)
      guard let trimmer = host.ports.trimmer, let source = host.folder.url(of: file),
        facts.duration > .zero, host.isRunning(call)
      else { return .prepareFailed(call) }
      let part = await withCheckedContinuation { waiting in
        host.useTrim(nil)
        host.trimming = waiting
        host.state.trim = TrimOffer(
          file: source, duration: facts.duration, size: facts.size, longest: longest, largest: largest)
        host.onChange?()
      }
      host.state.trim = nil
      host.onChange?()
      guard let part, host.isRunning(call) else { return .prepareFailed(call) }
      return await host.prepare(call, nil) { product, progress in
        try await trimmer.trim(source, part, to: product, progress: progress)
      }
    }
  }

  /// What came out longer or shorter than this has lost something of the video.
  private static let tolerance = Milliseconds(400)

  private func prepare(
    _ call: CallID, _ wanted: Milliseconds?,
    _ make: (URL, @escaping @Sendable (Double) -> Void) async throws -> Void
  ) async -> Upload.Event {
    lastProduct += 1
    let product = FileID(lastProduct)
    guard let url = folder.url(of: product) else { return .prepareFailed(call) }
    let progress = progress(of: call)
    do {
      try await make(url) { progress(Int32(min(max($0.isFinite ? $0 : 0, 0), 1) * 1_000)) }
      guard isRunning(call) else {
        folder.remove(product)
        return .prepareFailed(call)
      }
      let facts = await folder.facts(of: product)
      if let wanted, Milliseconds(abs((facts.duration - wanted).rawValue)) > Self.tolerance {
        folder.remove(product)
        return .prepareFailed(call)
      }
      show(facts)
      return .prepared(call, facts)
    } catch {
      folder.remove(product)
      return .prepareFailed(call)
    }
  }

  /// Told from wherever the work is done, once for each thousandth.
  private func progress(of call: CallID) -> @Sendable (Int32) -> Void {
    let last = Last()
    return { [weak self] permille in
      guard last.changes(to: permille) else { return }
      Task { @MainActor in
        guard let self, self.isRunning(call) else { return }
        self.tell(.workProgressed(call, permille: permille))
      }
    }
  }

  // MARK: Requests without bytes

  /// NB: to another account this upload is gone, and what is gone begins anew: it would be their clip. So
  /// whoever chose it is waited for. Cancelling is not refused.
  func checkOwner() throws {
    guard let owner = record.account, owner != ports.account() else { return }
    throw Refused(Upload.Failure(.signInNeeded))
  }

  private func create(_ call: CallID, _ key: UploadKey, _ facts: Upload.SourceFacts) {
    let hash = [facts.hash.first, facts.hash.second, facts.hash.third, facts.hash.fourth]
    let form = record.form.details
    answer(call) { host in
      let new = NewUpload(
        sizeBytes: Int(facts.size.rawValue), sha256: UploadRequests.hex(hash),
        type: FileKind.mediaType(facts.kind), details: form,
        // What was made of the chosen file may not say it any more.
        digitalSourceType: await host.folder.sourceType())
      // What is cancelled is only found, to be ended.
      if host.state.phase != .cancelling { try host.checkOwner() }
      let (status, guest) = try await host.requests.create(new, key: key, guest: host.record.guest)
      if let guest, guest != host.record.guest {
        // Before anything is sent under this guest's key, so that another run is the same guest.
        host.record.guest = guest
        await host.write()
      }
      return status
    } then: {
      $0.receiving(call, $1)
    }
  }

  private func poll(_ call: CallID) {
    follow(call) { host in
      // What is said about the clip must not hold up the news of it; the next question tries again.
      try? await host.tellDetails()
      return try await host.requests.state(host.uploadID)
    }
  }

  /// A question once all bytes are there.
  private func follow(
    _ call: CallID, _ request: @escaping @MainActor (UploadHost) async throws -> UploadStatus
  ) {
    answer(call) { host in
      do {
        return try await request(host)
      } catch let refused as Refused where refused.isClosed || refused.isOfContent {
        return try await host.requests.state(host.uploadID)
      }
    } then: {
      $0.followed(call, $1)
    }
  }

  private func terminate(_ call: CallID) {
    run(call) { host in
      do {
        try await host.requests.terminate(host.uploadID)
        return .terminated(call)
      } catch let refused as Refused where refused.isClosed {
        // It is a clip already.
        do {
          let status = try await host.requests.state(host.uploadID)
          host.note(status)
          return host.followed(call, status)
        } catch { return host.failed(call, error) }
      } catch { return host.failed(call, error) }
    }
  }

  private func answer(
    _ call: CallID, _ request: @escaping @MainActor (UploadHost) async throws -> UploadStatus,
    then event: @escaping @MainActor (UploadHost, UploadStatus) -> Upload.Event
  ) {
    run(call) { host in
      do {
        let status = try await request(host)
        guard host.isRunning(call) else { return nil }
        host.note(status)
        return event(host, status)
      } catch {
        return host.failed(call, error)
      }
    }
  }

  private func note(_ status: UploadStatus) {
    uploadID = status.id
    state.known = status.details
    state.uploadID = status.id
    state.clip = status.clip ?? state.clip
    if let problem = status.problem { state.problem = problem }
    onChange?()
  }

  private func receiving(_ call: CallID, _ status: UploadStatus) -> Upload.Event {
    guard status.state == .receiving else { return followed(call, status) }
    fallback.serverAnswered()
    guard let direct = status.direct, !fallback.isTaken else {
      return .receiving(
        call,
        .init(
          offset: Self.bytes(status.offset), smallest: Self.bytes(status.parts.minimumBytes),
          largest: Self.bytes(status.parts.maximumBytes)))
    }
    addresses = Dictionary(
      direct.addresses.compactMap { address in Int32(exactly: address.number).map { ($0, address.url) } }
    ) { $1 }
    let validFor = Milliseconds(Int64(min(max(direct.validSeconds, 0), 86_400)) * 1_000)
    return .receivingParts(
      call,
      .init(
        size: Self.bytes(direct.partBytes), validFor: validFor,
        stored: direct.stored.prefix(Limits.uploadParts).compactMap { Int32(exactly: $0) }))
  }

  private func followed(_ call: CallID, _ status: UploadStatus) -> Upload.Event {
    switch status.state {
    case .receiving: return .failed(call, .init(.serverBusy))
    case .processing:
      let ready = (status.clip?.renditions ?? []).filter { $0.state == .ready }.count
      return .processing(
        call, permille: Int32(clamping: status.clip?.permille ?? 0), renditions: Int32(clamping: ready))
    case .published: return .published(call)
    case .refused:
      let code = status.problem.flatMap { ErrorCode(rawValue: $0.code) }.map(Refused.number)
      return .refused(call, code: Int32(clamping: code ?? 0))
    }
  }

  func failed(_ call: CallID, _ error: any Error) -> Upload.Event {
    let refused = error as? Refused ?? Refused(error)
    // A call that was given up says nothing, not even here.
    if isRunning(call) {
      state.problem = refused.problem
      state.retryAfterSeconds = Int(clamping: (refused.failure.retryAfter.rawValue + 999) / 1_000)
    }
    return .failed(call, refused.failure)
  }

  private static func bytes(_ count: Int) -> Bytes { Bytes(Int64(max(0, count))) }

  /// One after the other: of two on their way at once, the older could arrive last.
  func tellDetails() async throws {
    guard !isTelling, !uploadID.isEmpty, let patch = record.form.patch(of: state.known) else { return }
    isTelling = true
    defer {
      isTelling = false
      let waiting = awaitingAnswer
      awaitingAnswer = []
      for one in waiting { one.resume() }
    }
    let wanted = record.form.details
    try await requests.describe(uploadID, patch)
    state.known = wanted
  }
}

/// The last number that was told.
private final class Last: Sendable {
  private let number = Mutex(Int32(-1))

  func changes(to next: Int32) -> Bool {
    number.withLock { number in
      defer { number = next }
      return number != next
    }
  }
}
