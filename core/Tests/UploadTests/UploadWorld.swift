import CoreTesting
import CoreTypes
import Upload

/// A person, a host, a link that does what links do, and a server; all from one seed.
struct UploadWorld {
  struct File {
    let size: Int64
    var version: Int
    let isProduct: Bool
  }

  enum Request {
    case create(size: Int64, version: Int)
    case ask
    case bytes(ModelServer.Piece)
    case part(Int32, ModelServer.Piece)
    case commit
    case poll
    case terminate
  }

  /// What happens at a later time.
  enum Happening {
    case arrival(Request, ModelServer.Key, CallID, isAnswered: Bool)
    case report(Upload.Event)
  }

  var upload = Upload()
  var watch = UploadWatch()
  var server = ModelServer()
  var generator: SeededGenerator
  /// While it is not, requests and answers are lost, late, doubled, cut, and the app is killed.
  var isFair = false
  private(set) var kills = 0
  private(set) var now = Instant(0)
  private var files: [Int32: File] = [:]
  private var lastFile: Int32 = 1
  private var lastVersion = 1
  private var wasChanged = false
  private var isOtherFile = false
  private var coming: [(due: Instant, run: Int, happening: Happening)] = []
  private let canCompress: Bool

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    canCompress = generator.next(below: 4) == 0
    let sizes: [Int64] = [1, 100_000, 3 << 20, 5 << 20, 12 << 20, 20 << 20]
    let size = 1 + generator.next(below: sizes[Int(generator.next(below: 6))])
    files[1] = File(size: size, version: 1, isProduct: false)
    if generator.next(below: 2) == 0 { server.partSize = (1 << 20) + generator.next(below: 1 << 20) }
    server.refusesClips = generator.next(below: 20) == 0
    open()
    choose(1)
  }

  // MARK: The app

  private mutating func open() {
    let seed = UploadKey(high: Int64(generator.next() >> 1), low: Int64(generator.next() >> 1))
    send(.opened(seed: seed, canCompress: canCompress, canTrim: false))
  }

  private mutating func choose(_ file: Int32) {
    guard let chosen = files[file] else { return }
    send(
      .fileChosen(
        SourceFile(file: FileID(file), size: Bytes(chosen.size), duration: Milliseconds(9_000), kind: .mp4)))
  }

  mutating func kill() {
    guard !watch.hasEnded else { return }
    kills += 1
    let kept = watch.snapshot
    upload = Upload()
    watch.noteKill()
    // What is on its way to the server still arrives; nobody waits for the answers.
    coming = coming.filter { if case .report = $0.happening { false } else { true } }
    if chance(2) { for (file, found) in files where found.isProduct { files[file] = nil } }
    open()
    if let kept { send(.restored(kept)) } else { choose(1) }
  }

  mutating func send(_ event: Upload.Event) {
    watch.note(event)
    var commands: [Upload.Command] = []
    upload.handle(event, at: now) { commands.append($0) }
    // A kill may come in the middle of what was to be done.
    let done = !isFair && chance(400) ? Int(generator.next(below: Int64(commands.count + 1))) : nil
    for command in commands.prefix(done ?? commands.count) {
      watch.follow(command)
      carryOut(command)
    }
    if done != nil { return kill() }
    watch.settle(upload.nextWake, now)
  }

  private mutating func carryOut(_ command: Upload.Command) {
    switch command {
    case .hash(let call, let file):
      let version = files[file.rawValue]?.version ?? 0
      later(20, .report(.hashed(call, FileHash(Int64(version), 0, 0, 0))))
    case .compress(let call, let file, _):
      guard let before = files[file.rawValue], !chance(5) else {
        return later(50, .report(.prepareFailed(call)))
      }
      lastFile += 1
      lastVersion += 1
      let size = max(1, chance(4) ? before.size * 2 : before.size / 3)
      files[lastFile] = File(size: size, version: lastVersion, isProduct: true)
      let made = SourceFile(
        file: FileID(lastFile), size: Bytes(size), duration: Milliseconds(9_000), kind: .mp4)
      later(50, .report(.prepared(call, made)))
    case .dropFile(let file):
      watch.require(files[file.rawValue]?.isProduct != false, "the person's file is deleted")
      files[file.rawValue] = nil
    case .findFile(_, let isProduct):
      let product = files.first { $0.value.isProduct }?.key
      let file = isProduct ? product ?? 1 : 1
      guard let found = files[file] else { return }
      later(
        30,
        .report(
          .fileChosen(
            SourceFile(
              file: FileID(file), size: Bytes(found.size), duration: Milliseconds(9_000), kind: .mp4))))
    case .create(let call, _, let facts):
      request(.create(size: facts.size.rawValue, version: Int(facts.hash.first)), call)
    case .ask(let call): request(.ask, call)
    case .sendBytes(let call, let file, let offset, let size):
      request(.bytes(piece(file, offset, size)), call)
    case .sendPart(let call, let file, let part, let offset, let size):
      request(.part(part, piece(file, offset, size)), call)
    case .commit(let call): request(.commit, call)
    case .poll(let call): request(.poll, call)
    case .terminate(let call): request(.terminate, call)
    case .noticeOtherFile:
      watch.require(wasChanged, "the file itself is taken for another")
      isOtherFile = true
    case .store, .forget, .offerTrim, .stopWork, .abandon, .askSignIn, .show: break
    }
  }

  private func piece(_ file: FileID, _ offset: Bytes, _ size: Bytes) -> ModelServer.Piece {
    ModelServer.Piece(
      version: files[file.rawValue]?.version ?? 0, offset: offset.rawValue, size: size.rawValue)
  }

  // MARK: The link

  private mutating func request(_ request: Request, _ call: CallID) {
    guard let key = watch.key else { return }
    if isFair { return later(60, .arrival(request, key, call, isAnswered: true)) }
    let delay: Int64 = chance(10) ? 60_000 : 400
    let failure: [Upload.Reason] = [
      .network, .network, .timeout, .serverBusy, .tooManyRequests, .storageFull,
    ]
    switch generator.next(below: 20) {
    case 0, 1:  // Lost on the way; the host notices, or waits for ever.
      later(delay, .report(.failed(call, Upload.Failure(.network))))
    case 2: break
    case 3, 4:  // Cut in the middle.
      later(delay, .arrival(cut(request), key, call, isAnswered: false))
      later(delay, .report(.failed(call, Upload.Failure(.network))))
    case 5: later(delay, .arrival(request, key, call, isAnswered: false))
    case 6:  // Twice.
      later(delay, .arrival(request, key, call, isAnswered: true))
      later(delay, .arrival(request, key, call, isAnswered: true))
    case 7, 8:
      let retryAfter = chance(3) ? generator.hostileInteger(around: 20_000) : 0
      later(
        delay,
        .report(
          .failed(
            call, Upload.Failure(failure[Int(generator.next(below: 6))], retryAfter: Milliseconds(retryAfter))
          )))
    case 9:
      if chance(6) { server.expire(key) }
      if chance(6) { later(delay, .report(.failed(call, Upload.Failure(.signInNeeded)))) }
      if chance(12) { later(delay, .report(.failed(call, Upload.Failure(.rejected, detail: 7)))) }
      later(delay, .arrival(request, key, call, isAnswered: true))
    default: later(delay, .arrival(request, key, call, isAnswered: true))
    }
  }

  private mutating func cut(_ request: Request) -> Request {
    switch request {
    case .bytes(var piece):
      piece.size = generator.next(below: piece.size)
      return .bytes(piece)
    case .part: return .ask
    default: return request
    }
  }

  private mutating func arrive(_ request: Request, _ key: ModelServer.Key) -> (CallID) -> Upload.Event {
    switch request {
    case .create(let size, let version): server.create(key, size: size, version: version)
    case .ask: server.state(key)
    case .bytes(let piece): server.append(key, piece)
    case .part(let part, let piece): server.put(key, part: part, piece)
    case .commit: server.commit(key)
    case .poll: server.poll(key)
    case .terminate: server.terminate(key)
    }
  }

  private mutating func later(_ most: Int64, _ happening: Happening, run: Int? = nil) {
    coming.append((now + Milliseconds(1 + generator.next(below: most)), run ?? kills, happening))
  }

  // MARK: Time

  /// The next thing that happens; `false` if nothing ever will.
  mutating func step() -> Bool {
    let next = coming.indices.min { coming[$0].due < coming[$1].due }
    if let wake = upload.nextWake, next.map({ wake < coming[$0].due }) ?? true {
      now = max(now, wake)
      send(.woke)
      return true
    }
    guard let next else { return false }
    let (due, run, happening) = coming.remove(at: next)
    now = max(now, due)
    switch happening {
    case .report(let event): if run == kills { send(event) }
    case .arrival(let request, let key, let call, let isAnswered):
      reportProgress(of: request, call, run)
      let answer = arrive(request, key)
      guard isAnswered else { break }
      // An answer belongs to the run that asked.
      later(isFair ? 60 : 400, .report(answer(call)), run: run)
      if !isFair, chance(8) { later(2_000, .report(answer(call)), run: run) }
    }
    return true
  }

  private mutating func reportProgress(of request: Request, _ call: CallID, _ run: Int) {
    guard run == kills, chance(2) else { return }
    switch request {
    case .bytes(let piece), .part(_, let piece):
      send(.bytesSent(call, Bytes(generator.next(below: piece.size + 1))))
    default: break
    }
  }

  /// Something that a person or the world does in between.
  mutating func disturb() {
    switch generator.next(below: 40) {
    case 0...5: send(.publishRequested)
    case 6, 7: send(.pauseTapped)
    case 8...11: send(.resumeTapped)
    case 12...15: send(.retryTapped)
    case 16: if chance(8) { send(.cancelTapped) }
    case 17...19: send(.networkChanged(isOnline: false))
    case 20...25: send(.networkChanged(isOnline: true))
    case 26...28: send(.signedIn)
    case 29, 30: kill()
    case 31:
      if chance(4) {
        lastVersion += 1
        files[1]?.version = lastVersion
        wasChanged = true
      }
    case 32: now = now + Milliseconds(generator.next(below: 100_000))
    case 33:
      if let key = watch.key, let state = server.uploads[key], state.isCommitted {
        send(.processing(nil, permille: state.permille, renditions: 1))
      }
    default: send(.woke)
    }
  }

  /// A person who wants to get on, on a network that works.
  mutating func urge() {
    if !watch.isOnline { send(.networkChanged(isOnline: true)) }
    send(.signedIn)
    send(.publishRequested)
    if watch.screen.canResume { send(.resumeTapped) }
    if watch.screen.canRetry { send(.retryTapped) }
    guard watch.screen.phase == .findingFile else { return }
    // The file that was begun with is no more, and this one is another.
    send(isOtherFile ? .cancelTapped : .woke)
    choose(1)
  }

  private mutating func chance(_ one: Int64) -> Bool { generator.next(below: one) == 0 }
}
