internal import Contract
internal import Foundation
internal import Logging
internal import Platform

/// Takes one generation after the other a step further. Any number of them may run, in any number of
/// processes.
struct GenerationWorker: Sendable {
  enum Kind: Sendable {
    /// Questions to providers: short.
    case asking
    /// Files that are fetched and taken in, and clips that are waited for.
    case storing
  }

  /// Until a passing trouble of ours (a full disk, a database that is away) is looked at again.
  private static let troubleMs: Int64 = 30_000
  private static let clipMs: Int64 = 1000
  /// A third of the lease.
  private static let heartbeat = Duration.milliseconds(Generations.leaseMs / 3)

  let generations: Generations
  let kind: Kind
  /// Where files lie until they are taken in.
  let workFolder: URL

  private var now: Int64 { generations.time.nowMs }

  /// Until nothing is due.
  func run() async throws { while try await runNext() { try Task.checkCancellation() } }

  /// One step. False: nothing is due.
  func runNext() async throws -> Bool {
    guard let row = try await claim() else { return false }
    do {
      try await withHeartbeat(of: row) { try await step(row) }
    } catch is Generations.LostLease {
      generations.logger.notice("generation was taken over or ended", metadata: ["generation": "\(row.id)"])
    } catch  where error is CancellationError || Task.isCancelled {
      // NB: a cancelled task cannot wait for the database; the release gets a task of its own.
      try? await Task { [generations] in try await generations.release(row) }.value
      throw CancellationError()
    } catch {
      generations.logger.warning(
        "generation cannot go on now", metadata: ["generation": "\(row.id)", "error": "\(error)"])
      try await later(row, afterMs: Self.troubleMs)
    }
    return true
  }

  private func claim() async throws -> GenerationRow? {
    switch kind {
    case .storing: try await generations.claimDue(.store)
    // What was begun comes before what was not.
    case .asking:
      if let row = try await generations.claimDue(.ask) { row } else { try await generations.claimStart() }
    }
  }

  private func step(_ row: GenerationRow) async throws {
    guard let provider = generations.makers.provider(row.provider) else {
      return try await later(row, afterMs: Self.troubleMs)
    }
    switch row.state {
    case .queued, .inProgress:
      if let remote = row.remote {
        try await ask(provider, about: remote, row)
      } else {
        try await begin(row, at: provider)
      }
    case .storing: try await store(row, from: provider)
    // Over, and the provider does not know it.
    case .cancelled, .expired, .failed, .ready, .reserved: try await withdraw(row, at: provider)
    }
  }

  private func later(_ row: GenerationRow, afterMs: Int64) async throws {
    try await generations.change(row, "due_at_ms = ?", [.integer(now + afterMs)])
  }

  // MARK: At a provider

  private func begin(_ row: GenerationRow, at provider: any VideoProvider) async throws {
    guard now - row.wantedMs < GenerationCourse.lifeMs else { return try await generations.expire(row) }
    let capabilities = provider.capabilities
    let wanted = row.wanted
    guard let seconds = capabilities.seconds(for: wanted) else {
      return try await fail(row, at: provider, ProviderFailure(.providerError, "it offers that no more"))
    }
    var request = VideoRequest(prompt: wanted.prompt, seconds: seconds, aspect: wanted.aspect)
    if capabilities.refines, let before = row.refines {
      request.refined = try await generations.remote(of: before, at: provider.name)
    }
    let folder = try Self.folder(in: workFolder)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let start = row.start {
      let picture = folder.appendingPathComponent("picture.jpg")
      do {
        try Data(try await generations.bytes(of: start, as: row.aspect)).write(to: picture)
      } catch let error as AppError where !error.code.retryable {
        return try await fail(row, at: provider, ProviderFailure(.invalid, "what it starts from is gone"))
      }
      request.picture = picture
    }
    let remote: String
    do {
      remote = try await provider.create(request, key: row.key)
    } catch let failure as ProviderFailure {
      return try await fail(row, at: provider, failure)
    }
    guard !remote.isEmpty, remote.utf8.count <= Limits.generationIDBytes, !remote.utf8.contains(0) else {
      return try await fail(row, at: provider, ProviderFailure(.providerError, "an id that is none"))
    }
    do {
      try await generations.change(
        row, "remote = ?, due_at_ms = ?",
        [.text(remote), .integer(now + GenerationCourse.pollAfterMs(capabilities))])
    } catch let error as Generations.LostLease {
      // It was cancelled meanwhile, and nobody else knows this id.
      try? await provider.cancel(remote)
      throw error
    }
  }

  private func ask(_ provider: any VideoProvider, about remote: String, _ row: GenerationRow) async throws {
    let status: VideoStatus
    do {
      status = try await provider.status(of: remote)
    } catch let failure as ProviderFailure {
      return try await passing(failure, row, at: provider)
    }
    switch status {
    case .queued: try await goOn(row, "queued", reported: nil, provider, after: nil)
    case .inProgress(let permille, let after):
      try await goOn(row, "in_progress", reported: permille, provider, after: after)
    case .completed:
      try await generations.change(
        row, "state = 'storing', work = 'store', due_at_ms = ?, permille = \(Self.larger)",
        [.integer(now)] + Self.larger(GenerationCourse.mostAtProvider))
    case .failed(let failure): try await fail(row, at: provider, failure)
    }
  }

  private func goOn(
    _ row: GenerationRow, _ state: String, reported: Int?, _ provider: any VideoProvider, after: Double?
  ) async throws {
    let took = now - (row.begunMs ?? now)
    guard took < GenerationCourse.patienceMs else {
      try? await provider.cancel(row.remote ?? "")
      return try await fail(row, at: provider, ProviderFailure(.timeout, "not done in time"))
    }
    var permille = 0
    if state == "in_progress" {
      let usual = try await generations.database.read {
        try generations.usualMs(row.seconds, at: row.provider, in: $0)
      }
      permille = GenerationCourse.permille(reported: reported, tookMs: took, usualMs: usual)
    }
    let due = now + GenerationCourse.pollAfterMs(provider.capabilities, asked: after)
    try await generations.change(
      row, "state = ?, due_at_ms = ?, permille = \(Self.larger)",
      [.text(state), .integer(due)] + Self.larger(permille))
  }

  /// Progress never goes back.
  private static let larger = "CASE WHEN permille < ? THEN ? ELSE permille END"
  private static func larger(_ permille: Int) -> [SQLValue] { [SQLValue(permille), SQLValue(permille)] }

  /// A question that got no answer says nothing of the video, as long as there is patience.
  private func passing(
    _ failure: ProviderFailure, _ row: GenerationRow, at provider: any VideoProvider,
    patienceMs: Int64 = GenerationCourse.patienceMs
  ) async throws {
    switch failure.code {
    case .rateLimited, .capacity, .providerError, .timeout, .unauthorized:
      guard now - (row.begunMs ?? now) < patienceMs else {
        try? await provider.cancel(row.remote ?? "")
        return try await fail(row, at: provider, ProviderFailure(.timeout, failure.detail))
      }
      let after = GenerationCourse.pollAfterMs(
        provider.capabilities, asked: failure.retryAfter ?? provider.capabilities.pollSeconds * 2)
      try await later(row, afterMs: after)
    case .contentPolicy, .invalid, .expired: try await fail(row, at: provider, failure)
    }
  }

  private func fail(
    _ row: GenerationRow, at provider: any VideoProvider, _ failure: ProviderFailure
  ) async throws {
    let restMs = GenerationCourse.restMs(failure)
    if restMs > 0 { generations.makers.rest(provider.name, untilMs: now + restMs) }
    generations.logger.notice(
      "provider made no video",
      metadata: [
        "generation": "\(row.id)", "provider": "\(provider.name)", "code": "\(failure.code.rawValue)",
        "detail": "\(failure.detail)",
      ])
    try await generations.failed(row, at: provider.name, failure)
  }

  private func withdraw(_ row: GenerationRow, at provider: any VideoProvider) async throws {
    if let remote = row.remote {
      do {
        try await provider.cancel(remote)
      } catch let failure as ProviderFailure where now - row.wantedMs < 2 * GenerationCourse.lifeMs {
        let after = GenerationCourse.milliseconds(failure.retryAfter ?? 60, in: 10_000...600_000)
        return try await later(row, afterMs: after)
      } catch is ProviderFailure {
        // Whatever it is doing ends by itself.
      }
    }
    try await generations.change(row, "work = ''", [])
  }

  // MARK: Taking in

  private func store(_ row: GenerationRow, from provider: any VideoProvider) async throws {
    if let upload = row.upload, row.clip != nil { return try await wait(for: upload, row, provider) }
    guard let account = row.viewer, let remote = row.remote else { throw Generations.LostLease() }
    let folder = try Self.folder(in: workFolder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("made.bin")
    do {
      try await provider.content(of: remote, into: file, atMost: Int64(Limits.sourceBytes))
    } catch let failure as ProviderFailure {
      // What is too large, or no file at all, may be right at the next one.
      guard failure.code != .invalid, failure.code != .contentPolicy else {
        return try await fail(row, at: provider, ProviderFailure(.providerError, failure.detail))
      }
      // It is made, and another one would be paid for again.
      return try await passing(failure, row, at: provider, patienceMs: GenerationCourse.lifeMs)
    }
    // NB: whoever is cancelled in here would leave a clip of which no row knows.
    try await Task { try await takeIn(file, row, for: account, from: provider) }.value
  }

  private func takeIn(
    _ file: URL, _ row: GenerationRow, for account: String, from provider: any VideoProvider
  ) async throws {
    // It may have ended while the file came.
    guard try await generations.renew(row) else { throw Generations.LostLease() }
    let taken: (upload: String, clip: String)
    do {
      taken = try await generations.clips.take(file, key: "generation-\(row.key)", for: account)
    } catch let error as AppError where !error.code.retryable {
      return try await fail(row, at: provider, ProviderFailure(.providerError, error.code.rawValue))
    }
    do {
      try await generations.change(
        row, "upload = ?, clip_id = ?, due_at_ms = ?, permille = \(Self.larger)",
        [.text(taken.upload), .text(taken.clip), .integer(now + Self.clipMs)]
          + Self.larger(GenerationCourse.permille(converted: 0)))
    } catch let error as Generations.LostLease {
      if try await !generations.needs(taken.upload, of: row) {
        try await generations.clips.discard(taken.upload, forGood: true)
      }
      throw error
    }
  }

  private func wait(
    for upload: String, _ row: GenerationRow, _ provider: any VideoProvider
  ) async throws {
    let state: GeneratedClipState
    do {
      state = try await generations.clips.state(ofUpload: upload)
    } catch let error as AppError where error.code == .uploadNotFound || error.code == .uploadExpired {
      // Its owner deleted it before it was ready. Its credits come back, so that it does not.
      try await generations.clips.discard(upload, forGood: true)
      return try await generations.cancelled(row)
    }
    switch state {
    case .converting(let permille):
      try await generations.change(
        row, "due_at_ms = ?, permille = \(Self.larger)",
        [.integer(now + Self.clipMs)] + Self.larger(GenerationCourse.permille(converted: permille)))
    case .ready: try await generations.finish(row)
    case .refused(let code):
      try await generations.clips.discard(upload, forGood: true)
      try await fail(row, at: provider, ProviderFailure(.providerError, code.rawValue))
    }
  }

  private static func folder(in workFolder: URL) throws -> URL {
    let folder = workFolder.appendingPathComponent(
      "intake-generation-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Runs a step beside a heartbeat; when the lease is lost, the step is cancelled.
  private func withHeartbeat(
    of row: GenerationRow, _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await work() }
      group.addTask { [generations] in
        while true {
          try await Task.sleep(for: Self.heartbeat)
          guard (try? await generations.renew(row)) ?? true else { throw Generations.LostLease() }
        }
      }
      defer { group.cancelAll() }
      _ = try await group.next()
    }
  }
}
