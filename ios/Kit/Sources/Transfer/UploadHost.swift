public import Contract
public import CoreTypes
public import Foundation
public import Playback
package import Upload

/// Hosts the core's `Upload` machine for one file, from its choice to the clip: each command has one line
/// here, each report one way back.
///
/// It decides nothing: what is sent, repeated, made smaller, given up and shown is the core's to say. It
/// refuses to know sockets, codecs and screens: they are ports. What it must not lose lies in the upload's
/// folder before it goes on.
@MainActor public final class UploadHost {
  /// What all uploads work with.
  public struct Ports {
    /// Requests without bytes.
    public var api: any Contract.Transport
    /// The instance; addresses of uploads are relative to it.
    public var base: URL
    public var bytes: any UploadTransport
    public var credentials: UploadCredentials
    /// Whoever is signed in now; `nil`: nobody. `credentials` and `api` speak for them.
    public var account: @MainActor () -> String?
    public var clock: any HostClock
    public var tools: FileTools
    /// `nil`: files go as they are.
    public var compressor: (any Compressor)?
    /// `nil`: what is too much is refused.
    public var trimmer: (any Trimmer)?

    public init(
      api: any Contract.Transport, base: URL, bytes: any UploadTransport,
      credentials: @escaping UploadCredentials = { [:] },
      account: @escaping @MainActor () -> String? = { nil }, clock: any HostClock, tools: FileTools,
      compressor: (any Compressor)? = nil, trimmer: (any Trimmer)? = nil
    ) {
      self.api = api
      self.base = base
      self.bytes = bytes
      self.credentials = credentials
      self.account = account
      self.clock = clock
      self.tools = tools
      self.compressor = compressor
      self.trimmer = trimmer
    }
  }

  public internal(set) var state: UploadState
  /// Is told of whatever a screen shows.
  public var onChange: (() -> Void)?
  /// How fast bytes left, whenever that is known.
  public var onUplink: ((BitsPerSecond) -> Void)?
  /// Sees each event with the commands that it caused, before they are carried out. For tests and logs.
  var observer: ((Upload.Event, Instant, [Upload.Command]) -> Void)?
  /// Is asked before each command is carried out; `false`: the app ends here. For tests.
  package var onCommand: ((Upload.Command) -> Bool)?
  /// Is told whenever bytes have moved or work has, before anybody else. For tests.
  package var onWork: (() -> Void)?

  let ports: Ports
  let requests: UploadRequests
  var folder: UploadFolder
  var record: UploadRecord
  let archive: UploadArchive
  private var version = 0
  private var machine = Upload()
  private var line: [Upload.Command] = []
  private var isCarryingOut = false
  private var isFreed = false
  /// Whether the file is being looked at, of which the machine does not know yet.
  private var isLooking = false
  private var running: [Int32: Task<Void, Never>] = [:]

  // What the commands work with.
  var uploadID = ""
  var isTelling = false
  /// Wait until that is over.
  var awaitingAnswer: [CheckedContinuation<Void, Never>] = []
  /// By the part's number.
  var addresses: [Int32: String] = [:]
  var fallback = DirectUploadFallback()
  var lastProduct = UploadFolder.original.rawValue
  var partsUnderWay = 0
  var trimming: CheckedContinuation<Range<Milliseconds>?, Never>?

  init(_ record: UploadRecord, in folder: URL, _ ports: Ports) {
    self.ports = ports
    self.record = record
    self.folder = UploadFolder(url: folder, source: record.source, tools: ports.tools)
    archive = UploadArchive(folder: folder)
    requests = UploadRequests(api: ports.api, base: ports.base)
    state = UploadState(
      id: record.id, name: record.name, form: record.form, isPublishRequested: record.isPublishRequested)
  }

  /// Begins, or goes on with what an earlier run stored. `uplink`: how fast bytes left the last time; 0:
  /// nobody knows.
  func start(isOnline: Bool, uplink: BitsPerSecond) {
    folder.removeParts()
    lastProduct = folder.lastProduct
    let seed = UploadKey(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    tell(.opened(seed: seed, canCompress: ports.compressor != nil, canTrim: ports.trimmer != nil))
    tell(.uplinkMeasured(uplink))
    if !isOnline { tell(.networkChanged(isOnline: false)) }
    if let snapshot = record.words.flatMap({ Snapshot(words: $0) }) {
      tell(.restored(snapshot))
    } else {
      chooseOriginal()
    }
    if record.isPublishRequested { tell(.publishRequested) }
  }

  private func chooseOriginal() { choose(UploadFolder.original) }

  func choose(_ file: FileID) {
    isLooking = true
    Task {
      let facts = await folder.facts(of: file)
      show(facts)
      isLooking = false
      tell(.fileChosen(facts))
    }
  }

  /// This is the file that is looked at, or goes up.
  func show(_ source: SourceFile) {
    state.file = folder.url(of: source.file)
    state.duration = source.duration > .zero ? source.duration : nil
    onChange?()
  }

  // MARK: The person

  /// Another file in place of one that is gone. It lies in the upload's folder by now.
  func useAgain(_ source: String) {
    record.source = source
    folder = UploadFolder(url: folder.url, source: source, tools: ports.tools)
    state.isOtherFile = false
    save()
    chooseOriginal()
  }

  /// What is written in the form so far; it is kept, and told to the server when `settle` says so.
  public func describe(_ form: UploadForm) {
    guard form != record.form else { return }
    record.form = form
    state.form = form
    save()
    onChange?()
  }

  /// The form is complete for now. What has been published already is told at once.
  public func settle() {
    guard state.phase == .processing || state.phase == .published else { return }
    Task {
      do { try await tellDetails() } catch let refused as Refused where refused.problem != nil {
        state.problem = refused.problem
        onChange?()
      } catch {}
    }
  }

  public func publish() {
    guard record.form.fits, !record.isPublishRequested else { return }
    record.isPublishRequested = true
    state.isPublishRequested = true
    // NB: on the disk even if the machine has nothing to store yet.
    save()
    tell(.publishRequested)
    onChange?()
  }

  public func pause() { tell(.pauseTapped) }
  public func resume() { tell(.resumeTapped) }

  /// Whoever is here: to end an upload nobody has to sign in.
  public func cancel() {
    tell(.cancelTapped)
    tell(.signedIn)
  }

  public func retry() {
    state.problem = nil
    state.lacksRoom = false
    tell(.retryTapped)
  }

  /// The part that was chosen; `nil`: none of it.
  public func useTrim(_ part: Range<Milliseconds>?) {
    let waiting = trimming
    trimming = nil
    waiting?.resume(returning: part)
  }

  func networkChanged(isOnline: Bool) { tell(.networkChanged(isOnline: isOnline)) }
  func signedIn() { tell(.signedIn) }

  /// The person is back: what waits for its next try need not wait longer.
  func foregrounded() {
    guard state.phase == .waiting else { return }
    tell(.networkChanged(isOnline: false))
    tell(.networkChanged(isOnline: true))
  }

  /// Stops everything here; the upload stays as it is stored, and on the server.
  func free() {
    isFreed = true
    line = []
    useTrim(nil)
    endPause()
    for task in running.values { task.cancel() }
    running = [:]
  }

  // MARK: The machine

  func tell(_ event: Upload.Event) {
    guard !isFreed else { return }
    switch event {
    case .bytesSent, .workProgressed: onWork?()
    default: break
    }
    let now = ports.clock.now
    var commands: [Upload.Command] = []
    machine.handle(event, at: now) { commands.append($0) }
    observer?(event, now, commands)
    for command in commands {
      if case .show(let screen) = command { show(screen) } else { line.append(command) }
    }
    if let next = machine.nextWake {
      ports.clock.wake(at: next) { [weak self] in self?.tell(.woke) }
    }
    carryOut()
  }

  private func show(_ screen: Upload.Screen) {
    state.screen = screen
    if screen.phase != .waiting { state.lacksRoom = false }
    if screen.speed > .zero { onUplink?(screen.speed) }
    onChange?()
  }

  /// In order; what stands behind `store` and `forget` waits until those are on the disk.
  private func carryOut() {
    while !isCarryingOut, !line.isEmpty {
      let command = line.removeFirst()
      guard onCommand?(command) ?? true else { return free() }
      switch command {
      case .store(let snapshot):
        record.words = snapshot.words
        afterwards { await $0.write() }
      case .forget: afterwards { await $0.forget() }
      default: begin(command)
      }
    }
    if state.hasEnded, line.isEmpty, !isCarryingOut { end() }
  }

  private func afterwards(_ work: @escaping @MainActor (UploadHost) async -> Void) {
    isCarryingOut = true
    Task {
      await work(self)
      isCarryingOut = false
      carryOut()
    }
  }

  // MARK: The end

  /// Nothing is left to do or to tell: its record goes, or is gone.
  private(set) var isOver = false
  private var isEnding = false
  /// Nothing of it need outlive the app any more, and nothing of it does.
  var onEnd: (() -> Void)?
  private var pausing: CheckedContinuation<Void, Never>?
  /// Before what could not be told is told again; then it is given up.
  private static let pauses = [Milliseconds(1_000), Milliseconds(2_000), Milliseconds(4_000)]

  /// NB: the record goes once all is told. Whatever ends the app before that leaves an upload that tells it.
  private func forget() async {
    if state.phase == .published { await tellRest() }
    guard !isFreed else { return }
    isOver = true
    await archive.remove()
  }

  private func end() {
    guard !isEnding, !isFreed else { return }
    isEnding = true
    isOver = true
    state.file = nil
    Task {
      // One that never stored anything has no `forget`.
      await archive.remove()
      onEnd?()
    }
  }

  /// What was written since the last question, or a change to private would silently not be made.
  private func tellRest() async {
    var pauses = Self.pauses[...]
    while true {
      // One on its way knows only what was written before it.
      while isTelling {
        await withCheckedContinuation { (told: CheckedContinuation<Void, Never>) in
          awaitingAnswer.append(told)
        }
      }
      // Somebody else's clip of the same bytes stays as they say.
      guard !isFreed, state.clip?.isOwn != false, !uploadID.isEmpty,
        record.form.patch(of: state.known) != nil
      else { return }
      do { try await tellDetails() } catch {
        guard !isFreed else { return }
        let refused = error as? Refused ?? Refused(error)
        guard refused.mayPass, let shortest = pauses.popFirst() else {
          state.problem = refused.problem
          state.hasUntoldDetails = true
          onChange?()
          return
        }
        await pause(for: max(shortest, min(refused.failure.retryAfter, Upload.longestPoll)))
      }
    }
  }

  private func pause(for time: Milliseconds) async {
    await withCheckedContinuation { (over: CheckedContinuation<Void, Never>) in
      pausing = over
      ports.clock.wake(at: ports.clock.now + time) { [weak self] in self?.endPause() }
    }
  }

  private func endPause() {
    let over = pausing
    pausing = nil
    over?.resume()
  }

  /// NB: where nothing can be stored, an upload that does not outlive the app is better than none.
  func write() async {
    version += 1
    await archive.save(record, version)
  }

  private var isSaving = false

  /// Soon, and once for many changes.
  private func save() {
    guard !isSaving else { return }
    isSaving = true
    Task {
      isSaving = false
      await write()
    }
  }

  // MARK: Calls

  /// Work that ends with one event, unless it is given up: then neither its answer nor its failure is told.
  func run(_ call: CallID, _ work: @escaping @MainActor (UploadHost) async -> Upload.Event?) {
    running[call.rawValue] = Task { [weak self] in
      guard let self else { return }
      let event = await work(self)
      guard isRunning(call) else { return }
      running[call.rawValue] = nil
      if let event { tell(event) }
    }
  }

  func isRunning(_ call: CallID) -> Bool { running[call.rawValue]?.isCancelled == false }

  func stop(_ call: CallID) { running.removeValue(forKey: call.rawValue)?.cancel() }

  /// Bytes are on their way, or nothing can be done at the moment: an app that was woken may sleep again.
  var mayRest: Bool {
    if partsUnderWay > 0 { return true }
    if isLooking { return false }
    switch state.phase {
    case .creating, .sending, .committing, .hashing, .compressing, .cancelling: return false
    case .empty, .findingFile, .trimOffered, .waiting, .offline, .signInNeeded, .paused, .complete,
      .processing, .failed, .published, .refused, .cancelled:
      return !isCarryingOut
    }
  }
}
