public import Contract
public import CoreTypes
public import Foundation
public import Observation
public import Playback
public import Transfer
internal import Upload

/// The upload screen and the pill over the feed: what they show of the queue, and what a tap does.
///
/// It decides in which words an upload is spoken of, and refuses to know files, requests and when anything is
/// sent: the queue's hosts have the core for that.
@MainActor @Observable public final class UploadModel {
  /// Which of its faces the screen shows.
  public enum Stage: Equatable, Sendable {
    /// There is nothing yet, or the last one ended without a clip.
    case choosing
    /// An upload waits for the file that it was begun with.
    case waitingForFile
    case trimming(TrimOffer)
    case working
    case published
  }

  /// What an upload can be told to do now.
  public struct Actions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let pause = Actions(rawValue: 1)
    public static let resume = Actions(rawValue: 2)
    public static let retry = Actions(rawValue: 4)
    public static let cancel = Actions(rawValue: 8)
    public static let publish = Actions(rawValue: 16)
    public static let signIn = Actions(rawValue: 32)
  }

  /// What the app does for this screen.
  public struct Outlets {
    /// Brings the person to a clip on top of the feed; whoever knows the upload sees it whatever its
    /// visibility. False: it is not there, which is said.
    public var watch: @MainActor (_ clip: String, _ upload: String) async -> Bool
    /// Opens this screen.
    public var open: @MainActor () -> Void
    public var signIn: @MainActor () -> Void

    public init(
      watch: @escaping @MainActor (_ clip: String, _ upload: String) async -> Bool,
      open: @escaping @MainActor () -> Void, signIn: @escaping @MainActor () -> Void
    ) {
      self.watch = watch
      self.open = open
      self.signIn = signIn
    }
  }

  /// The upload that is spoken of: the one that goes on, else what became of the last one.
  public private(set) var shown: UploadState?
  /// Files behind it, by the names that they had.
  public private(set) var waiting: [UploadRecord] = []
  /// A file is being copied.
  public private(set) var isTaking = false
  /// What is said about the clip that is published can be changed: everything of its upload is over.
  public private(set) var canEdit = false
  /// Changes it then.
  public let editor: ClipEditor
  /// Its captions.
  public let captions: OwnCaptionsModel
  /// Moves on while something is waited for, so that lines with times in them are said anew.
  public private(set) var now = Instant(0)

  /// The screen is seen: nothing need be announced over it.
  public var isOpen = false {
    didSet { if !isOpen { settle() } }
  }

  @ObservationIgnored private let queue: UploadQueue
  @ObservationIgnored private let clock: any HostClock
  @ObservationIgnored private let announcements: Announcements
  @ObservationIgnored private let outlets: Outlets
  @ObservationIgnored private let words: UploadWords
  @ObservationIgnored private let base: URL
  @ObservationIgnored private let banner: (any UploadBanner)?
  @ObservationIgnored private var lastPhase: Upload.Phase?

  /// `clock` is the queue's. `base`: the instance, of which links to clips are made.
  public init(
    queue: UploadQueue, client: Client, clock: any HostClock, base: URL, announcements: Announcements,
    locale: Locale = .current, banner: (any UploadBanner)? = nil, outlets: Outlets
  ) {
    self.queue = queue
    editor = ClipEditor(client: client)
    captions = OwnCaptionsModel(client: client)
    self.clock = clock
    self.base = base
    self.announcements = announcements
    self.banner = banner
    self.outlets = outlets
    words = UploadWords(locale: locale)
    editor.saved = { [weak self] subject, form, _ in self?.saved(subject, form) }
    captions.say = { announcements.post($0) }
    queue.onChange = { [weak self] in self?.take() }
    take()
  }

  // MARK: What is shown

  public var stage: Stage {
    guard let shown else { return .choosing }
    switch shown.phase {
    case .empty: return isActive ? .working : .choosing
    case .refused, .cancelled: return .choosing
    case .findingFile: return .waitingForFile
    case .trimOffered: return shown.trim.map(Stage.trimming) ?? .working
    case .published: return .published
    default: return .working
    }
  }

  /// What stands in the way, and what to do about it.
  public var trouble: UploadTrouble? { shown.flatMap(UploadTrouble.init) }

  /// The line under the progress bar, in pieces.
  public var line: [Sentence] { shown.map { words.line(of: $0, at: now) } ?? [] }

  /// The few words of the pill; `nil`: there is none.
  public var pill: Sentence? {
    guard let shown, shown.phase != .cancelled, isActive || shown.hasEnded else { return nil }
    return words.pill(of: shown)
  }

  /// 0 to 1.
  public var share: Double { shown.map { UploadWords.share(of: $0.screen) } ?? 0 }

  public var facts: [Sentence] { shown.map { words.facts(of: $0) } ?? [] }

  public var actions: Actions {
    guard let shown, isActive else { return [] }
    var actions: Actions = []
    if shown.screen.canPause { actions.insert(.pause) }
    if shown.screen.canResume { actions.insert(.resume) }
    if shown.screen.canRetry { actions.insert(.retry) }
    if shown.screen.canCancel { actions.insert(.cancel) }
    if shown.phase == .signInNeeded { actions.insert(.signIn) }
    let isOver = [.committing, .processing, .published, .trimOffered].contains(shown.phase)
    if !isOver, !shown.isPublishRequested, shown.form.fits { actions.insert(.publish) }
    return actions
  }

  /// Cancelling throws away what the server has: the person is asked first.
  public var cancellingLosesBytes: Bool {
    guard let shown, shown.phase != .cancelling else { return false }
    return shown.screen.acknowledged + shown.screen.inFlight > .zero
  }

  /// The form is complete, and all that is left is to wait.
  public var isPublishRequested: Bool { shown?.isPublishRequested ?? false }

  /// Somebody else's clip of the same bytes stays theirs.
  public var isOwn: Bool { shown?.clip?.isOwn ?? true }

  /// Who sees the clip that is there: as the server knows it, whatever the form says by now.
  public var visibility: Visibility { shown?.known?.visibility ?? form.visibility }

  /// Of the clip that is there.
  public var link: URL? {
    guard let shown, shown.phase == .published, visibility != .private, let clip = shown.clip
    else { return nil }
    return base.appending(path: "c/\(clip.id)")
  }

  private var isActive: Bool { shown.map { !$0.hasEnded } ?? false }

  // MARK: The form

  public var form: UploadForm {
    get { shown?.form ?? UploadForm() }
    set {
      guard isActive else { return }
      queue.active?.describe(newValue)
      take()
    }
  }

  /// A field was left, or the screen: what is published already is told at once.
  public func settle() { queue.active?.settle() }

  // MARK: The clip that is there

  public func edit() {
    guard canEdit, let shown else { return }
    editor.begin(ClipEditor.Subject(upload: shown.uploadID, known: shown.known ?? ClipDetails()), shown.form)
  }

  public func openCaptions() {
    if canEdit, let shown { captions.begin(upload: shown.uploadID) }
  }

  private func saved(_ subject: ClipEditor.Subject, _ form: UploadForm) {
    queue.updateEnded(form, known: subject.known, upload: subject.upload)
    announcements.post("Saved.")
  }

  // MARK: Taps

  /// The person chose a file for this screen: the one that an upload waits for, else another upload. It is
  /// copied; `moves`: it is taken away from where it lies.
  public func choose(_ file: URL, name: String, form: UploadForm = UploadForm(), moves: Bool = false) async {
    let isAwaited = stage == .waitingForFile
    await take {
      if isAwaited {
        try await queue.chooseAgain(file, moves: moves)
      } else {
        try await add(file, name, form, moves: moves)
      }
    }
  }

  /// A video that was just made is an upload of its own, whatever another one waits for. `takes` keep its
  /// clips until it is published.
  public func add(_ video: FinishedVideo, of takes: HandedTakes) async {
    takes.handOver(video)
    let form = UploadForm(coverMs: video.cover.map { Int($0.rawValue) })
    await take { try await add(video.file, HandedTakes.name(of: video), form, moves: true) }
  }

  private func add(_ file: URL, _ name: String, _ form: UploadForm, moves: Bool) async throws {
    try await queue.add(file, name: name, form: form, moves: moves)
    showElsewhere()
    if !isOpen || queue.active?.state.name != name, !queue.waiting.isEmpty {
      announcements.post("This video goes up once the one before it is done.")
    }
  }

  private func take(_ work: () async throws -> Void) async {
    isTaking = true
    defer { isTaking = false }
    do {
      try await work()
    } catch UploadQueue.Problem.unreadable {
      announcements.post("This video can’t be read. Choose another one.")
    } catch {
      announcements.post("There isn’t enough space on this device for the video.")
    }
    take()
  }

  /// The picker could not hand the video over.
  public func couldNotChoose() { announcements.post("This video can’t be read. Choose another one.") }

  public func publish() {
    queue.active?.publish()
    showElsewhere()
  }

  public func pause() { queue.active?.pause() }

  public func resume() {
    queue.active?.resume()
    showElsewhere()
  }

  public func retry() {
    queue.active?.retry()
    showElsewhere()
  }

  public func cancel() { queue.active?.cancel() }
  public func remove(_ id: String) { queue.remove(id) }
  public func signIn() { outlets.signIn() }

  /// The part that was chosen; `nil`: the whole is not uploaded then.
  public func useTrim(_ part: Range<Milliseconds>?) { queue.active?.useTrim(part) }

  /// Another one may be chosen.
  public func startAgain() { queue.dismissEnded() }

  /// What became of the upload stays until its clip is there.
  public func watch() async {
    guard let shown, shown.phase == .published, let clip = shown.clip else { return }
    if await outlets.watch(clip.id, shown.uploadID) { queue.dismissEnded() }
  }

  /// Time goes on while something is waited for; whoever shows the line calls this about twice a second.
  public func tick() {
    guard shown?.screen.waitingUntil != nil else { return }
    now = clock.now
  }

  // MARK: The queue

  private func take() {
    now = clock.now
    let next = queue.current
    // Whose it is left, and it is theirs to see.
    if isActive, next?.id != shown?.id { banner?.end(isDone: false) }
    let isUntold = next?.hasUntoldDetails == true && shown?.hasUntoldDetails != true
    if next != shown { shown = next }
    if waiting != queue.waiting { waiting = queue.waiting }
    // NB: not before its host is gone: what that still tells the server could arrive last.
    let mayEdit = next?.phase == .published && isOwn && next == queue.ended && next?.uploadID.isEmpty == false
    if mayEdit != canEdit { canEdit = mayEdit }
    endOthers()
    tellBanner(next)
    if isUntold { announceUntold() }
    guard next?.phase != lastPhase else { return }
    lastPhase = next?.phase
    announce(next)
  }

  /// What is being changed goes with the upload that it is of: that may have been another account's.
  private func endOthers() {
    let upload = queue.ended?.uploadID
    if let subject = editor.subject, subject.upload != upload { editor.end() }
    if let captioned = captions.upload, captioned != upload { captions.end() }
  }

  /// Somebody asked for it by a tap: the system shows nothing else.
  private func showElsewhere() {
    guard let state = queue.active?.state else { return }
    banner?.ask("Your clip is being uploaded", name: state.name)
  }

  private func tellBanner(_ state: UploadState?) {
    switch state?.phase {
    case .compressing, .hashing, .creating, .sending, .waiting, .offline, .committing, .processing:
      banner?.show(share)
    case .published: banner?.end(isDone: true)
    case nil, .empty, .cancelling: break
    case .findingFile, .trimOffered, .signInNeeded, .paused, .complete, .failed, .refused, .cancelled:
      banner?.end(isDone: false)
    }
  }

  private func announce(_ state: UploadState?) {
    guard !isOpen, let state else { return }
    let open = outlets.open
    switch state.phase {
    case .published:
      announcements.post(
        "Your clip is published.",
        action: (title: "Watch", run: { [weak self] in Task { await self?.watch() } }))
    case .failed, .refused:
      announcements.post("The upload stopped.", action: (title: "See why", run: { open() }))
    case .signInNeeded:
      announcements.post("Sign in to continue the upload.", action: (title: "Sign in", run: outlets.signIn))
    default: break
    }
  }

  private func announceUntold() {
    guard !isOpen else { return }
    let open = outlets.open
    announcements.post(
      "Your last changes to the clip aren’t saved.", action: (title: "See why", run: { open() }))
  }
}
