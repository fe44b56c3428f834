internal import AsyncHTTPClient
public import Contract
internal import CoreTypes
internal import Crypto
public import Foundation
internal import Upload

/// The core's `Upload` machine on a computer without a screen: carries out its commands with files and HTTP,
/// and reports what really happened. It refuses to decide when anything is sent, repeated or given up.
public actor Uploader {
  /// How an upload ended.
  public enum Outcome: Sendable, Equatable {
    case published(clipID: String, uploadID: String)
    /// The content, or the file itself, cannot become a clip.
    case refused(String)
    /// Nothing moved for too long; the same command goes on from there later.
    case gaveUp(String)
    case cancelled
  }

  /// What a progress line shows.
  public struct Progress: Sendable {
    public enum Phase: Sendable {
      case checking, trimming, compressing, sending, waiting, publishing, processing
    }
    public var phase: Phase
    public var sentBytes: Int
    public var totalBytes: Int
    /// Nil until it can be told.
    public var bitsPerSecond: Int?
    public var remainingMs: Int?
    public var permille: Int
    /// Why it waits.
    public var reason: String
  }

  /// Why captions did not get to their clip.
  public struct CaptionProblem: Sendable, Equatable {
    public var message: String
    /// The same file will never be taken.
    public var isLasting: Bool
  }

  /// The one that is uploaded.
  private var file: URL
  private var products: PreparedFiles
  private let preparing: (any UploadPreparing)?
  private let details: ClipDetails
  private let server: UploadServer
  private let memory: UploadMemory
  private let kind: SourceFile.Kind
  private let durationMs: Int?
  private let onProgress: @Sendable (Progress) -> Void

  private var machine = Upload()
  private var tasks: [Int32: Task<Void, Never>] = [:]
  private var wake: Task<Void, Never>?
  private var id: String?
  private var detour = DirectUploadFallback()
  /// By the part's number.
  private var addresses: [Int: String] = [:]
  private var clipID = ""
  private var lastProblem = ""
  /// Why no smaller or shorter file was made.
  private var notPrepared: String?
  private var ending: CheckedContinuation<Outcome, Never>?
  private let began = ContinuousClock.now

  /// `durationMs`: nil if nothing here can tell. `preparing`: nil where files go as they are or not at all.
  public init(
    file: URL, container: String, durationMs: Int?, details: ClipDetails, to base: URL, memory: UploadMemory,
    preparing: (any UploadPreparing)? = nil, onProgress: @escaping @Sendable (Progress) -> Void
  ) {
    self.file = file
    self.preparing = preparing
    products = PreparedFiles(of: file, memory: memory)
    self.details = details
    self.durationMs = durationMs
    self.memory = memory
    self.onProgress = onProgress
    server = UploadServer(base: base, http: .shared, guest: memory.guest)
    kind = Self.kind(of: container)
  }

  private static func kind(of container: String) -> SourceFile.Kind {
    switch container {
    case "isoMedia": .mp4
    case "matroska": .webm
    case "transportStream": .mpegTS
    default: .unknown
    }
  }

  /// Uploads and follows until the clip is published, refused, or nothing moves any more. Cancelling the task
  /// ends the upload here and keeps it on the server, so that the same command goes on from there.
  public func run() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        ending = continuation
        start()
      }
    } onCancel: {
      Task { await finish(.cancelled) }
    }
  }

  /// Adds a file of captions to the clip that `run` has published. Nil: they are there.
  public func add(captions: [UInt8], language: String) async -> CaptionProblem? {
    guard let id else { return CaptionProblem(message: ErrorCode.captionsNeedAClip.message, isLasting: true) }
    return await server.put(captions: captions, language: language, to: id)
  }

  private func start() {
    let seed = UploadKey(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    tell(.opened(seed: seed, canCompress: preparing?.canCompress ?? false, canTrim: preparing != nil))
    tell(.networkChanged(isOnline: true))
    // Of one that was begun before, the machine asks for the file when it needs it.
    if let known = memory.load() { tell(.restored(known)) } else { choose(.original) }
    tell(.publishRequested)
  }

  private func choose(_ id: FileID) {
    tell(.fileChosen(source(id, kind, durationMs)))
  }

  private func source(_ id: FileID, _ kind: SourceFile.Kind, _ durationMs: Int?) -> SourceFile {
    SourceFile(
      file: id, size: Bytes(Int64(products.url(id).map(PreparedFiles.size) ?? 0)),
      duration: durationMs.map { Milliseconds(Int64($0)) } ?? SourceFile.unknownDuration, kind: kind)
  }

  // MARK: The machine

  private var now: Instant {
    let (seconds, attoseconds) = (ContinuousClock.now - began).components
    return Instant(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  private func tell(_ event: Upload.Event) {
    guard ending != nil else { return }
    var commands: [Upload.Command] = []
    machine.handle(event, at: now) { commands.append($0) }
    for command in commands { carryOut(command) }
    wake?.cancel()
    guard ending != nil, let next = machine.nextWake else { return }
    let delay = max(0, next.rawValue - now.rawValue)
    wake = Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(delay))
      if !Task.isCancelled { await self?.tell(.woke) }
    }
  }

  private func carryOut(_ command: Upload.Command) {
    switch command {
    case .store(let snapshot):
      do {
        try memory.store(snapshot)
      } catch {
        lastProblem =
          "This upload cannot be remembered, so it could not go on after an interruption (\(error))."
      }
    case .forget: memory.forget()
    case .findFile(let size, let isProduct):
      choose(isProduct ? products.find(sizeBytes: Int(size.rawValue)) ?? .original : .original)
    case .noticeOtherFile: finish(.refused("The file has changed since its upload began; upload it again."))
    case .compress(let call, let id, _):
      prepare(call, id) { try await $0.compress($1, to: $2, progress: $3) }
    case .offerTrim(let call, let id, let longest, let largest):
      prepare(call, id) {
        try await $0.trim(
          $1, longestMs: Int(longest.rawValue), largestBytes: Int(largest.rawValue), to: $2, progress: $3)
      }
    case .dropFile(let id): products.drop(id)
    case .hash(let call, let id):
      file = products.url(id) ?? file
      work(call) { await $0.hash(call) }
    case .create(let call, let key, let facts):
      work(call) { await $0.create(call, key, facts) }
    case .ask(let call): work(call) { await $0.report(call) { await $0.server.settledState($1) } }
    case .poll(let call): work(call) { await $0.report(call) { await $0.server.state($1) } }
    case .commit(let call): work(call) { await $0.report(call) { await $0.server.commit($1) } }
    case .terminate(let call): work(call) { await $0.report(call) { await $0.server.terminate($1) } }
    case .sendBytes(let call, _, let offset, let size):
      let range = Int(offset.rawValue)..<Int((offset + size).rawValue)
      work(call) { await $0.send(call, range) }
    case .sendPart(let call, _, let part, let offset, let size):
      let range = Int(offset.rawValue)..<Int((offset + size).rawValue)
      work(call) { await $0.send(call, range, asPart: Int(part)) }
    case .stopWork(let call), .abandon(let call): tasks.removeValue(forKey: call.rawValue)?.cancel()
    case .show(let screen): show(screen)
    // NB: its server needs no account.
    case .askSignIn: break
    }
  }

  private func work(_ call: CallID, _ body: @escaping @Sendable (Uploader) async -> Void) {
    tasks[call.rawValue] = Task { await body(self) }
  }

  /// What came of a call; nothing if it was abandoned meanwhile.
  private func answer(_ call: CallID, _ event: Upload.Event) {
    guard tasks.removeValue(forKey: call.rawValue) != nil else { return }
    tell(event)
  }
}

// MARK: What the commands mean here

extension Uploader {
  private func prepare(
    _ call: CallID, _ id: FileID,
    _ make:
      @escaping @Sendable (any UploadPreparing, URL, URL, @escaping @Sendable (Double) -> Void) async throws
      ->
      PreparedFile
  ) {
    guard let preparing, let source = products.url(id) else { return tell(.prepareFailed(call)) }
    let (product, target) = products.next()
    work(call) { uploader in
      do {
        let made = try await make(preparing, source, target) { done in
          Task { await uploader.tell(.workProgressed(call, permille: Int32(done * 1000))) }
        }
        await uploader.take(made, as: product, of: call)
      } catch {
        await uploader.lose(product, of: call, because: error)
      }
    }
  }

  private func take(_ made: PreparedFile, as product: FileID, of call: CallID) {
    guard tasks[call.rawValue] != nil else { return products.drop(product) }
    answer(call, .prepared(call, source(product, Self.kind(of: made.container), made.durationMs)))
  }

  private func lose(_ product: FileID, of call: CallID, because error: any Error) {
    products.drop(product)
    notPrepared = (error as? NotPrepared)?.sentence
    answer(call, .prepareFailed(call))
  }

  private func hash(_ call: CallID) async {
    let file = file
    let total = max(1, (try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 1)
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      var hasher = SHA256()
      var done = 0
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        try Task.checkCancellation()
        hasher.update(data: piece)
        done += piece.count
        tell(.workProgressed(call, permille: Int32(done * 1000 / total)))
        await Task.yield()
      }
      let words = Array(hasher.finalize()).chunked(by: 8).map { $0.reduce(Int64(0)) { $0 << 8 | Int64($1) } }
      answer(call, .hashed(call, FileHash(words[0], words[1], words[2], words[3])))
    } catch {
      answer(call, .fileUnreadable(call))
    }
  }

  private func create(_ call: CallID, _ key: UploadKey, _ facts: Upload.SourceFacts) async {
    let type =
      switch facts.kind {
      case .webm: "video/webm"
      case .mpegTS: "video/mp2t"
      case .threeGP: "video/3gpp"
      case .mp4, .unknown: "video/mp4"
      }
    let hash = [facts.hash.first, facts.hash.second, facts.hash.third, facts.hash.fourth]
      .map { word in String(format: "%016lx", UInt64(bitPattern: word)) }.joined()
    let new = NewUpload(
      sizeBytes: Int(facts.size.rawValue), sha256: hash, type: type, details: details,
      digitalSourceType: products.sourceType)
    take(await server.create(new, key: key), of: call)
  }

  private func report(
    _ call: CallID, _ ask: @Sendable (Uploader, String) async -> UploadServer.Answer
  ) async {
    guard let id else { return answer(call, .failed(call, .init(.gone))) }
    take(await ask(self, id), of: call)
  }

  private func send(_ call: CallID, _ range: Range<Int>) async {
    guard let id else { return answer(call, .failed(call, .init(.gone))) }
    do {
      let outcome = try await server.send(file, range, to: id) { sent in
        Task { await self.note(call, sent) }
      }
      take(outcome, of: call)
    } catch {
      answer(call, .fileUnreadable(call))
    }
  }

  private func send(_ call: CallID, _ range: Range<Int>, asPart part: Int) async {
    // The server says a few at a time.
    guard let address = addresses[part] else { return answer(call, .failed(call, .init(.addressExpired))) }
    let left = Moved()
    do {
      let refusal = try await server.send(file, range, toAddress: address) { sent in
        left.note(sent)
        Task { await self.note(call, sent) }
      }
      guard tasks[call.rawValue] != nil else { return }
      detour.partEnded(refusal?.0.reason, bytesLeft: left.bytes)
      guard let (failure, text) = refusal else { return answer(call, .partTaken(call)) }
      lastProblem = text
      answer(call, .failed(call, failure))
    } catch {
      answer(call, .fileUnreadable(call))
    }
  }

  private func note(_ call: CallID, _ sent: Int) {
    guard tasks[call.rawValue] != nil else { return }
    tell(.bytesSent(call, Bytes(Int64(sent))))
  }

  private func take(_ outcome: UploadServer.Answer, of call: CallID) {
    switch outcome {
    case .state(let upload):
      id = upload.id
      clipID = upload.clip?.id ?? clipID
      if let problem = upload.problem { lastProblem = problem.detail }
      answer(call, event(for: upload, call))
    case .offset(let offset): answer(call, .bytesTaken(call, offset: Bytes(Int64(offset))))
    case .gone: answer(call, .terminated(call))
    case .failed(let failure, let text):
      lastProblem = text
      answer(call, .failed(call, failure))
    }
  }

  private func event(for upload: UploadStatus, _ call: CallID) -> Upload.Event {
    switch upload.state {
    case .receiving: receiving(upload, call)
    case .processing: .processing(call, permille: Int32(upload.clip?.permille ?? 0), renditions: 0)
    case .published: .published(call)
    case .refused:
      .refused(
        call,
        code: Int32(
          upload.problem.flatMap { ErrorCode(rawValue: $0.code) }
            .flatMap { ErrorCode.allCases.firstIndex(of: $0) } ?? 0))
    }
  }

  private func receiving(_ upload: UploadStatus, _ call: CallID) -> Upload.Event {
    detour.serverAnswered()
    guard let direct = upload.direct, !detour.isTaken else {
      return .receiving(
        call,
        .init(
          offset: Bytes(Int64(upload.offset)), smallest: Bytes(Int64(upload.parts.minimumBytes)),
          largest: Bytes(Int64(upload.parts.maximumBytes))))
    }
    addresses = Dictionary(direct.addresses.map { ($0.number, $0.url) }) { $1 }
    return .receivingParts(
      call,
      .init(
        size: Bytes(Int64(direct.partBytes)), validFor: Milliseconds(Int64(direct.validSeconds) * 1000),
        stored: direct.stored.map { Int32($0) }))
  }

  // MARK: What a person sees

  private func show(_ screen: Upload.Screen) {
    switch screen.phase {
    case .published: return finish(.published(clipID: clipID, uploadID: id ?? ""))
    case .refused:
      return finish(
        .refused(screen.reason == .none ? lastProblem : notPrepared ?? Self.sentence(screen.reason)))
    case .cancelled: return finish(.cancelled)
    case .failed:
      let text = screen.reason == .rejected ? lastProblem : Self.sentence(screen.reason, lastProblem)
      return finish(
        [.rejected, .fileChanged, .unreadable].contains(screen.reason) ? .refused(text) : .gaveUp(text))
    default: break
    }
    let phase: Progress.Phase =
      switch screen.phase {
      case .trimOffered: .trimming
      case .compressing: .compressing
      case .empty, .findingFile, .hashing: .checking
      case .waiting, .offline, .signInNeeded, .paused: .waiting
      case .committing, .complete: .publishing
      case .processing: .processing
      default: .sending
      }
    onProgress(
      Progress(
        phase: phase, sentBytes: Int((screen.acknowledged + screen.inFlight).rawValue),
        totalBytes: Int(screen.total.rawValue),
        bitsPerSecond: screen.speed > .zero ? Int(screen.speed.rawValue) : nil,
        remainingMs: screen.remaining.map { Int($0.rawValue) }, permille: Int(screen.permille),
        reason: lastProblem))
  }

  private func finish(_ outcome: Outcome) {
    wake?.cancel()
    for task in tasks.values { task.cancel() }
    tasks = [:]
    ending?.resume(returning: outcome)
    ending = nil
  }

  private static func sentence(_ reason: Upload.Reason, _ other: String = "") -> String {
    switch reason {
    case .empty: ErrorCode.emptyFile.message
    case .tooShort: ErrorCode.tooShort.message
    case .tooLong: "\(ErrorCode.tooLong.message) Trim it and upload it again."
    case .tooLarge: "\(ErrorCode.fileTooLarge.message) Trim or compress it and upload it again."
    case .unknownKind: ErrorCode.notAVideo.message
    case .unreadable: ErrorCode.fileUnreadable.message
    case .fileChanged: "The file changed while it was being uploaded; upload it again."
    default: other
    }
  }
}

extension Array {
  func chunked(by count: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
  }
}
