public import Contract
internal import CoreTypes
public import Foundation
internal import MediaStore
internal import Persistence
internal import Upload

/// The uploads of this device: one at a time, the others wait in the order in which they were chosen. All of
/// them outlive the app.
///
/// It decides which file is next and nothing else; what happens to a file is its host's to carry out. What
/// one account chose is out of sight and out of reach while somebody else is here, and goes on once that
/// account is back.
@MainActor public final class UploadQueue {
  /// Why a file did not get into the queue.
  public enum Problem: Error, Equatable, Sendable {
    /// This device has no room for a copy.
    case noRoom
    case unreadable
  }

  /// The one that goes on, or waits for the person.
  public private(set) var active: UploadHost?
  public var waiting: [UploadRecord] { queued.filter(isOurs) }
  /// What became of the last one, until somebody has seen it.
  public private(set) var ended: UploadState?
  public var onChange: (() -> Void)?
  /// Is awaited while a file is taken in: it lies in its folder, which is no upload yet. For tests.
  var onTaking: (@MainActor @Sendable () async -> Void)?

  private let root: URL
  private let ports: UploadHost.Ports
  private let uplink: StoredFile<Int64>
  private var lastUplink = BitsPerSecond.zero
  /// Of all accounts.
  private var queued: [UploadRecord] = []
  /// What this run took in, or is taking in.
  private var added: Set<String> = []
  /// Whose `ended` is; `nil`: a guest's.
  private var endedAccount: String?
  private var isOnline = true
  private var hasStarted = false
  private var isFreed = false
  private var starting: Task<Void, Never>?
  private var resting: [() -> Void] = []
  /// Ends, and has been seen.
  private var dismissed: String?

  /// `root`: a folder of its own, that no system empties.
  public init(root: URL, _ ports: UploadHost.Ports) {
    self.root = root
    self.ports = ports
    uplink = StoredFile(root.appending(path: "uplink"))
  }

  /// The one that is spoken of.
  public var current: UploadState? {
    guard let active, isOurs(active.record), active.state.id != dismissed else {
      return isHere(endedAccount) ? ended : nil
    }
    return active.state
  }

  /// Goes on with what an earlier run left, once; whoever asks for it meanwhile waits for the same.
  public func start() async {
    let starting = starting ?? Task { await begin() }
    self.starting = starting
    await starting.value
  }

  private func begin() async {
    await ports.bytes.abortEarlier()
    let (left, remains) = await Self.left(in: root)
    guard !isFreed else { return }
    // NB: asked behind the scan, which met what is being taken in meanwhile too: that is no remains.
    await Self.remove(remains.filter { !added.contains(Self.id(of: $0)) }, in: root)
    // What was added meanwhile comes behind.
    queued = left.filter { !added.contains($0.id) } + queued
    lastUplink = BitsPerSecond(uplink.load() ?? 0)
    // NB: not before, or what is added meanwhile would begin ahead of what waited.
    hasStarted = true
    beginNext()
  }

  /// Copies the file, so that what happens to it where it lies is of no matter; `moves` takes it away from
  /// there. Once this returns, the upload is not lost any more.
  @discardableResult public func add(
    _ file: URL, name: String, form: UploadForm = UploadForm(), isPublishRequested: Bool = false,
    moves: Bool = false
  ) async throws -> String {
    let order = max(queued.map(\.order).max() ?? 0, active?.record.order ?? 0) + 1
    let record = UploadRecord(
      id: UUID().uuidString, order: order, name: Self.shortened(name), source: Self.sourceName(file),
      form: form, isPublishRequested: isPublishRequested, account: ports.account())
    added.insert(record.id)
    try await Self.adopt(file, record, in: root, moves: moves, onTaking)
    queued.append(record)
    giveWay()
    beginNext()
    onChange?()
    return record.id
  }

  /// The file of the active one again, which is gone or cannot be read. `moves`: as of `add`.
  public func chooseAgain(_ file: URL, moves: Bool = false) async throws {
    guard let active else { return }
    let name = "again-\(UUID().uuidString.prefix(8))-\(Self.sourceName(file))"
    try await Self.copy(file, to: active.folder.url.appending(path: name), moves: moves)
    active.useAgain(name)
  }

  /// One that waits is not wanted any more.
  public func remove(_ id: String) {
    guard let index = queued.firstIndex(where: { $0.id == id && isOurs($0) }) else { return }
    let archive = UploadArchive(folder: folder(of: queued.remove(at: index)))
    Task { await archive.remove() }
    onChange?()
  }

  public func dismissEnded() {
    if let active, active.state.hasEnded { dismissed = active.state.id }
    ended = nil
    onChange?()
  }

  /// The clip of the last one is said to be otherwise now, by whatever means.
  public func updateEnded(_ form: UploadForm, known: ClipDetails, upload: String) {
    guard ended?.uploadID == upload else { return }
    ended?.form = form
    ended?.known = known
    ended?.hasUntoldDetails = false
    onChange?()
  }

  public func networkChanged(isOnline: Bool) {
    self.isOnline = isOnline
    active?.networkChanged(isOnline: isOnline)
  }

  /// Somebody else is signed in from now on, or nobody.
  public func signedIn() {
    // A guest's goes along into the account.
    if isHere(endedAccount) { endedAccount = ports.account() } else { ended = nil }
    giveWay()
    beginNext()
    active?.signedIn()
    onChange?()
    tellRest()
  }

  public func foregrounded() { active?.foregrounded() }

  /// Calls `rest` once nothing is to be done here: bytes are on their way by themselves, or somebody or
  /// something is waited for.
  public func onceAtRest(_ rest: @escaping () -> Void) {
    resting.append(rest)
    Task { tellRest() }
  }

  /// Returns once nothing is to be done here, as `onceAtRest` says.
  public func rested() async { await withCheckedContinuation { rest in onceAtRest { rest.resume() } } }

  /// Stops everything here, for good. What is stored stays.
  public func free() {
    isFreed = true
    active?.free()
    active = nil
    queued = []
    tellRest()
  }

  private func tellRest() {
    guard !resting.isEmpty, active?.mayRest ?? !queued.contains(where: isOurs) else { return }
    let all = resting
    resting = []
    for rest in all { rest() }
  }

  /// Of whoever is here now, or of a guest.
  private func isOurs(_ record: UploadRecord) -> Bool { isHere(record.account) }

  private func isHere(_ account: String?) -> Bool { account == nil || account == ports.account() }

  /// What another account chose waits for it as it is stored, and holds nobody else up.
  private func giveWay() {
    guard let host = active, !host.isOver, !isOurs(host.record) else { return }
    host.free()
    queued.insert(host.record, at: 0)
    active = nil
  }

  private func beginNext() {
    guard hasStarted, !isFreed, active == nil, let index = queued.firstIndex(where: isOurs) else { return }
    let record = queued.remove(at: index)
    let host = UploadHost(record, in: folder(of: record), ports)
    active = host
    host.onUplink = { [weak self] in self?.remember($0) }
    host.onChange = { [weak self] in
      self?.onChange?()
      self?.tellRest()
    }
    host.onEnd = { [weak self, weak host] in
      guard let self, let host, active === host else { return }
      host.free()
      if host.state.phase != .cancelled, host.state.id != dismissed, isOurs(host.record) {
        ended = host.state
        endedAccount = host.record.account ?? ports.account()
      }
      active = nil
      beginNext()
      onChange?()
      tellRest()
    }
    onChange?()
    host.start(isOnline: isOnline, uplink: lastUplink)
  }

  private func remember(_ rate: BitsPerSecond) {
    // A tenth more or less decides nothing, and is not worth a write.
    let last = lastUplink.rawValue
    guard abs(rate.rawValue - last) > last / 10 else { return }
    lastUplink = rate
    let uplink = uplink
    Task.detached { uplink.save(rate.rawValue) }
  }

  private func folder(of record: UploadRecord) -> URL { root.appending(path: record.id) }
}

/// Files, away from the screen.
extension UploadQueue {
  /// A folder under this name is not an upload yet.
  private nonisolated static let incoming = ".new-"

  private nonisolated static func adopt(
    _ file: URL, _ record: UploadRecord, in root: URL, moves: Bool,
    _ onTaking: (@MainActor @Sendable () async -> Void)?
  ) async throws {
    let folder = root.appending(path: incoming + record.id)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await copy(file, to: folder.appending(path: record.source), moves: moves)
      await onTaking?()
      guard UploadArchive.file(in: folder).save(record) else { throw Problem.noRoom }
      try FileManager.default.moveItem(at: folder, to: root.appending(path: record.id))
    } catch {
      if moves, !FileManager.default.fileExists(atPath: file.path) {
        try? FileManager.default.moveItem(at: folder.appending(path: record.source), to: file)
      }
      try? FileManager.default.removeItem(at: folder)
      throw error as? Problem ?? .noRoom
    }
  }

  private nonisolated static func copy(_ file: URL, to target: URL, moves: Bool) async throws {
    guard FileManager.default.isReadableFile(atPath: file.path) else { throw Problem.unreadable }
    do {
      if moves {
        try FileManager.default.moveItem(at: file, to: target)
      } else {
        try FileManager.default.copyItem(at: file, to: target)
      }
    } catch {
      try? FileManager.default.removeItem(at: target)
      throw Problem.noRoom
    }
  }

  /// What earlier runs left, and the names of folders that are no uploads: nobody was told yet that they are,
  /// or their files were never there.
  private nonisolated static func left(
    in root: URL
  ) async -> (records: [UploadRecord], remains: [String]) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    var records: [UploadRecord] = []
    var remains: [String] = []
    for name in names.sorted() {
      let folder = root.appending(path: name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue
      else { continue }
      if let record = UploadArchive.file(in: folder).load() ?? rescued(name, in: folder), record.id == name {
        records.append(record)
      } else {
        remains.append(name)
      }
    }
    return (records.sorted { ($0.order, $0.id) < ($1.order, $1.id) }, remains)
  }

  private nonisolated static func remove(_ names: [String], in root: URL) async {
    for name in names { try? FileManager.default.removeItem(at: root.appending(path: name)) }
  }

  /// Of the upload that a folder is, or was to become.
  private nonisolated static func id(of folder: String) -> String {
    String(folder.dropFirst(folder.hasPrefix(incoming) ? incoming.count : 0))
  }

  /// The record cannot be read any more, and the file can: it is offered again, and published only if the
  /// person says so again.
  private nonisolated static func rescued(_ name: String, in folder: URL) -> UploadRecord? {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard !name.hasPrefix(incoming), let source = files.sorted().first(where: { $0.hasPrefix("source") })
    else { return nil }
    return UploadRecord(
      id: name, order: 0, name: source, source: source, form: UploadForm(), isPublishRequested: false)
  }

  /// Its ending alone: players go by it, and names are what somebody typed.
  private nonisolated static func sourceName(_ file: URL) -> String {
    let ending = file.pathExtension.lowercased().unicodeScalars.prefix(8)
      .filter { ("a"..."z").contains($0) || ("0"..."9").contains($0) }
    let text = String(String.UnicodeScalarView(ending))
    return text.isEmpty ? "source" : "source.\(text)"
  }

  private nonisolated static func shortened(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(120)))
  }
}
