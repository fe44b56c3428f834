internal import Contract
internal import Foundation
internal import Generation
internal import Glibc
internal import Platform
internal import Synchronization

/// Videos that programs of this machine make, each in a folder that has all that is known of it.
///
/// Whoever asks may be another process, or this one after it was killed: a lock, which the kernel takes away
/// with the process, tells a run that goes on from one that was cut off. What was cut off has expired; nobody
/// begins it again but whoever wanted it.
///
/// NB: processes that share the folder see the same runs. Those of another machine do not.
final class VideoRuns: Sendable {
  /// What a program writes to.
  static let output = "video.mp4"
  /// What it starts from, where it starts from a picture.
  static let picture = "picture"
  /// How long what has ended is kept, and what was never asked for again.
  private static let keptSeconds: Int64 = 24 * 3600
  private static let lookForCancelled = Duration.milliseconds(500)

  let folder: URL
  private let concurrent: Int
  private let running = Mutex(0)

  init(folder: URL, concurrent: Int) {
    self.folder = folder
    self.concurrent = concurrent
  }

  // MARK: Beginning

  /// One for each key. `input`: what the program reads; `child`: the program, for a folder of its own.
  /// `step`: thousandths in a line that it prints. Throws `ProviderFailure`.
  func begin(
    key: String, input: Data, picture: URL?, child: (_ room: URL) -> ChildProcess,
    step: @escaping @Sendable (Substring) -> Int?
  ) throws -> String {
    let id = "run-" + ContentHash.of(Array(key.utf8)).prefix(32)
    let place = folder.appendingPathComponent(id)
    if FileStatus(of: place.path) != nil { return id }
    sweep()
    try enter()
    do {
      guard let lock = try prepare(place, input, picture) else {
        leave()
        return id
      }
      var program = child(place.appendingPathComponent("room"))
      program.input = place.appendingPathComponent("input")
      Task { [program] in
        await run(program, in: place, step)
        lock.release()
        leave()
      }
      return id
    } catch {
      leave()
      throw error as? ProviderFailure ?? ProviderFailure(.providerError, "its folder cannot be made")
    }
  }

  private func enter() throws {
    let isFull = running.withLock { running in
      if running >= concurrent { return true }
      running += 1
      return false
    }
    if isFull { throw ProviderFailure(.capacity, retryAfter: 5, "\(concurrent) are running") }
  }

  private func leave() { running.withLock { $0 -= 1 } }

  /// Nil: somebody else has begun it in the meantime.
  private func prepare(_ place: URL, _ input: Data, _ picture: URL?) throws -> RunLock? {
    let new = folder.appendingPathComponent(".new-\(UUID().uuidString)")
    let room = new.appendingPathComponent("room")
    try FileManager.default.createDirectory(at: room, withIntermediateDirectories: true)
    do {
      try input.write(to: new.appendingPathComponent("input"))
      if let picture { try Data(contentsOf: picture).write(to: room.appendingPathComponent(Self.picture)) }
      let lock = try RunLock(new)
      // With all that is in it, or not at all.
      if rename(new.path, place.path) == 0 { return lock }
      lock.release()
    } catch {
      try? FileManager.default.removeItem(at: new)
      throw error
    }
    try? FileManager.default.removeItem(at: new)
    guard FileStatus(of: place.path) != nil else {
      throw ProviderFailure(.providerError, "its folder cannot be made")
    }
    return nil
  }

  // MARK: Running

  private struct Ended: Codable {
    /// Nil: there is a video.
    var code: String?
    var detail = ""

    static let video = Ended()

    static func failed(_ code: ProviderFailure.Code, _ detail: String) -> Ended {
      Ended(code: code.rawValue, detail: detail)
    }
  }

  private func run(
    _ child: ChildProcess, in place: URL, _ step: @escaping @Sendable (Substring) -> Int?
  ) async {
    let mark = place.appendingPathComponent("cancelled")
    let steps = RunSteps(place.appendingPathComponent("progress"))
    let ended: Ended
    do {
      let result = try await withThrowingTaskGroup(of: ChildProcess.Result?.self) { group in
        group.addTask {
          try await child.run { line in if let permille = step(line) { steps.note(permille) } }
        }
        group.addTask {
          while FileStatus(of: mark.path) == nil { try await Task.sleep(for: Self.lookForCancelled) }
          return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      guard let result else {
        try? FileManager.default.removeItem(at: place)
        return
      }
      ended = Self.end(result, child)
    } catch {
      ended = .failed(.providerError, "it could not be run")
    }
    try? JSONEncoder().encode(ended).write(to: place.appendingPathComponent("ended"), options: .atomic)
  }

  /// 3 and 4 are what a program has agreed to say.
  private static func end(_ result: ChildProcess.Result, _ child: ChildProcess) -> Ended {
    if result.timedOut { return .failed(.timeout, "it took too long") }
    let code: ProviderFailure.Code
    switch result.status {
    case 0:
      let output = FileStatus(of: child.folder.appendingPathComponent(output).path, followingLinks: false)
      if let output, output.kind == .file, output.size > 0 { return .video }
      return .failed(.providerError, "it wrote no video")
    case 3: code = .contentPolicy
    case 4: code = .invalid
    default: code = .providerError
    }
    let how = result.failure(nil, .transcodingFailed, of: "The program").message
    return .failed(code, BoundedText.cut(how, toScalars: 300))
  }

  // MARK: Asking

  func status(of id: String) -> VideoStatus {
    guard let place = place(of: id) else { return .failed(ProviderFailure(.expired, "it is not known")) }
    if let ended = ended(place) { return ended }
    if RunLock.isHeld(place) {
      let text = try? String(contentsOf: place.appendingPathComponent("progress"), encoding: .utf8)
      return .inProgress(permille: text.flatMap { SafeInteger.read($0, in: 0...1000) }, pollAfter: nil)
    }
    // It may have ended in between.
    return ended(place) ?? .failed(ProviderFailure(.expired, "it was cut off"))
  }

  private func ended(_ place: URL) -> VideoStatus? {
    guard let data = try? Data(contentsOf: place.appendingPathComponent("ended")),
      let ended = try? JSONDecoder().decode(Ended.self, from: data)
    else { return nil }
    guard let code = ended.code else { return .completed }
    return .failed(ProviderFailure(ProviderFailure.Code(rawValue: code) ?? .providerError, ended.detail))
  }

  /// Nil: there is none of that id, or it is none.
  private func place(of id: String) -> URL? {
    guard id.wholeMatch(of: /run-[0-9a-f]{32}/) != nil else { return nil }
    let place = folder.appendingPathComponent(id)
    return FileStatus(of: place.path, followingLinks: false)?.kind == .folder ? place : nil
  }

  func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
    guard case .completed = status(of: id), let place = place(of: id) else {
      throw ProviderFailure(.expired, "there is no video of it")
    }
    let made = place.appendingPathComponent("room").appendingPathComponent(Self.output)
    do {
      try await Offload.run { try Self.copy(made, to: file, atMost: bytes) }
    } catch {
      throw error as? ProviderFailure ?? ProviderFailure(.providerError, "it cannot be copied")
    }
  }

  /// NB: the program wrote it, and may have put a link there.
  private static func copy(_ made: URL, to file: URL, atMost bytes: Int64) throws {
    let descriptor = open(made.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw ProviderFailure(.providerError, "there is no video of it") }
    let input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ProviderFailure(.providerError, "what it wrote is no file")
    }
    guard Int64(status.st_size) <= bytes else {
      throw ProviderFailure(.invalid, "a video of more than \(bytes) bytes")
    }
    try Data().write(to: file, options: .withoutOverwriting)
    do {
      let output = try FileHandle(forWritingTo: file)
      defer { try? output.close() }
      var left = Int(status.st_size)
      while left > 0, let piece = try input.read(upToCount: min(left, 1 << 20)), !piece.isEmpty {
        try output.write(contentsOf: piece)
        left -= piece.count
      }
    } catch {
      try? FileManager.default.removeItem(at: file)
      throw error
    }
  }

  /// What runs, here or in another process, ends within a second; what has ended is not kept.
  func cancel(_ id: String) {
    guard let place = place(of: id) else { return }
    if RunLock.isHeld(place) {
      try? Data().write(to: place.appendingPathComponent("cancelled"))
    } else {
      try? FileManager.default.removeItem(at: place)
    }
  }

  private func sweep() {
    let now = Int64(clamping: Date().timeIntervalSince1970)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let place = folder.appendingPathComponent(name)
      guard name.hasPrefix("run-") || name.hasPrefix(".new-"),
        let status = FileStatus(of: place.path, followingLinks: false), status.kind == .folder,
        now - status.changedNs / 1_000_000_000 > Self.keptSeconds, !RunLock.isHeld(place)
      else { continue }
      try? FileManager.default.removeItem(at: place)
    }
  }
}

/// Held for as long as a program runs.
private final class RunLock: Sendable {
  private let descriptor: Int32

  init(_ place: URL) throws {
    descriptor = open(place.appendingPathComponent("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if descriptor >= 0 { close(descriptor) }
      throw ProviderFailure(.providerError, "its folder cannot be locked")
    }
  }

  func release() { close(descriptor) }

  static func isHeld(_ place: URL) -> Bool {
    let descriptor = open(place.appendingPathComponent("lock").path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }
}

/// How far one is, for whoever asks from elsewhere: never backwards, and written when it shows.
private final class RunSteps: Sendable {
  private let file: URL
  private let last = Mutex(-1)

  init(_ file: URL) { self.file = file }

  func note(_ permille: Int) {
    let isNew = last.withLock { last in
      guard permille >= last + 10 else { return false }
      last = permille
      return true
    }
    if isNew { try? Data("\(permille)".utf8).write(to: file, options: .atomic) }
  }
}
