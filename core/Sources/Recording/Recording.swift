public import CoreTypes

/// Decides what the record button does: when a clip begins and ends, how much fits, what a flip, an
/// undo, a call or a full disk mean for what was recorded, and when it can be made into one video.
///
/// It refuses to know cameras and files: it names a clip, the host records it and reports how long it
/// became. Length counts as it will be played: a second at 0.5× takes two of the sixty.
///
/// Invariants:
/// - What is recorded never lasts longer than the limit; a clip that runs into it ends exactly there.
/// - At most one clip is being recorded, and none while there is an obstacle.
/// - A clip that was begun ends in the list, unless it is shorter than `shortestClip`, the host lost it,
///   or it turns up so late that there is no room any more. From the list it goes only by two taps on
///   undo or by `discardConfirmed`.
/// - Whenever list or limit change, and before a clip begins, `storeList` says how they are now.
/// - The torch is on only while a camera that has one is ready and nothing is in its way.
public struct Recording: Sendable {
  /// What a video may last, the default last.
  public static let limits = [Milliseconds(15_000), Milliseconds(30_000), longest]
  public static let longest = Milliseconds(60_000)
  public static let countdowns: [Int32] = [0, 3, 10]
  /// Per cent.
  public static let speeds: ClosedRange<Int32> = 30...300
  /// Shorter is a slip of the finger.
  public static let shortestClip = Milliseconds(200)
  /// Less is no video.
  public static let shortestVideo = Milliseconds(1_000)
  /// A press this long is a hold: it ends with the finger. A shorter one is a tap: the next ends it.
  public static let holdTime = Milliseconds(300)
  /// A mark that somebody left must not delete at a chance tap much later.
  public static let undoPatience = Milliseconds(3_000)
  /// A camera that has not answered by then will not.
  public static let cameraPatience = Milliseconds(5_000)
  /// With this many no clip is begun any more: bounds list and assembly.
  public static let clipLimit = 100
  /// With the clip that is being recorded and the one that was given up.
  public static let listLimit = clipLimit + 2
  static let largestClip: Int32 = 1_000_000_000

  enum After: Equatable, Sendable {
    case nothing
    case flip(goesOn: Bool)
    case finish
    case close
  }

  struct Capture: Sendable {
    /// Of length 0.
    let plan: RecordedClip
    let asked: Instant
    var started: Instant?
    var stopped: Instant?
    var after = After.nothing
  }

  enum Phase: Sendable {
    case closed
    case ready
    case counting(until: Instant)
    case capturing(Capture)
    case assembling
    case finished
  }

  var list = ClipList(limit: longest)
  var phase = Phase.closed
  var lastClip: Int32 = 0
  /// The clip given up last: should its file appear after all, it is taken, once nothing is recorded.
  var lost: (plan: RecordedClip, length: Milliseconds?)?
  /// A take to go on with once the other camera is ready.
  var flipping: (take: ClipID, since: Instant)?
  /// The finger is on the button, and what it began goes on.
  var isPressed = false
  var markedAt: Instant?
  var ticked: Int32 = 0
  var obstacles: Int64 = 0
  var camera = Camera.back
  var isCameraReady = false
  var hasTorch = false
  var isTorchOn = false
  var countdown: Int32 = 0
  var speed: Int32 = 100
  private var shown = Controls()

  public init() {}

  public var nextWake: Instant? {
    var wake = earlier(
      markedAt.map { $0 + Self.undoPatience }, flipping.map { $0.since + Self.cameraPatience })
    switch phase {
    case .counting(let until):
      wake = earlier(wake, until + Milliseconds(-1_000) * Int64(max(0, ticked - 1)))
    case .capturing(let capture): wake = earlier(wake, capture.due(room: list.room))
    case .closed, .ready, .assembling, .finished: break
    }
    return wake
  }

  public mutating func handle(_ event: Event, at now: Instant, emit: (Command) -> Void) {
    switch event {
    case .opened: if case .closed = phase { resume(emit) }
    case .restored(let limit, let clips): restore(limit, clips, emit)
    case .limitChosen(let limit): chooseLimit(limit, emit)
    case .countdownChosen(let seconds):
      if Self.countdowns.contains(seconds) { countdown = seconds }
    case .speedChosen(let percent):
      speed = min(max(percent, Self.speeds.lowerBound), Self.speeds.upperBound)
    case .cameraReady(let camera, let hasTorch):
      becomeReady(camera, hasTorch: hasTorch, at: now, emit)
    case .pressed: press(at: now, emit)
    case .released(let held): release(held: held, at: now, emit)
    case .flipTapped: flip(at: now, emit)
    case .torchTapped: if isCameraReady, obstacles == 0 { setTorch(!isTorchOn && hasTorch, emit) }
    case .undoTapped: undo(at: now, emit)
    case .undoCancelled: markedAt = nil
    case .finishTapped: finish(at: now, emit)
    case .closeTapped: askToClose(at: now, emit)
    case .keepConfirmed: keepAndClose(at: now, emit)
    case .discardConfirmed: discard(emit)
    case .captureStarted(let clip): captureStarted(clip, at: now, emit)
    case .captureFinished(let clip, let length): captureFinished(clip, length, at: now, emit)
    case .captureFailed(let clip): captureFailed(clip, at: now, emit)
    case .obstacleChanged(let obstacle, let isThere):
      change(obstacle, isThere: isThere, at: now, emit)
    case .assembled: if case .assembling = phase { phase = .finished }
    case .assemblyFailed: if case .assembling = phase { resume(emit) }
    case .assemblyCancelled:
      guard case .assembling = phase else { break }
      emit(.cancelAssembly)
      resume(emit)
    case .returned: if case .finished = phase { resume(emit) }
    case .woke: wake(at: now, emit)
    }
    let controls = controls()
    guard controls != shown else { return }
    shown = controls
    emit(.showControls(controls))
  }

  // MARK: Coming and going

  private mutating func resume(_ emit: (Command) -> Void) {
    phase = .ready
    use(camera, emit)
  }

  private mutating func restore(
    _ limit: Milliseconds, _ clips: [RecordedClip], _ emit: (Command) -> Void
  ) {
    guard list.clips.isEmpty, !isCapturing, lost == nil else { return }
    if Self.limits.contains(limit) { list = ClipList(limit: limit) }
    for recorded in clips.prefix(Self.listLimit) { restore(recorded, emit) }
    storeList(emit)
  }

  /// A list from storage is no better than the storage: what cannot be is left out, but its file stays.
  private mutating func restore(_ recorded: RecordedClip, _ emit: (Command) -> Void) {
    guard recorded.clip.rawValue > lastClip, recorded.clip.rawValue <= Self.largestClip,
      recorded.take.rawValue > 0, recorded.take.rawValue <= recorded.clip.rawValue,
      Self.speeds.contains(recorded.speed)
    else { return emit(.noticeClipLost(recorded.clip)) }
    lastClip = recorded.clip.rawValue
    guard recorded.captured >= Self.shortestClip else { return emit(.dropClip(recorded.clip)) }
    guard list.room > .zero else { return emit(.noticeClipLost(recorded.clip)) }
    list.insert(RecordedClip(recorded, captured: recorded.captured, room: list.room))
  }

  private mutating func askToClose(at now: Instant, _ emit: (Command) -> Void) {
    if case .closed = phase { return }
    rest(emit)
    if isCapturing { stop(then: .nothing, at: now, emit) }
    guard !list.clips.isEmpty || isCapturing else { return close(emit) }
    emit(.askDiscard)
  }

  private mutating func keepAndClose(at now: Instant, _ emit: (Command) -> Void) {
    if case .closed = phase { return }
    if isCapturing { return stop(then: .close, at: now, emit) }
    close(emit)
  }

  mutating func close(_ emit: (Command) -> Void) {
    rest(emit)
    if case .assembling = phase { emit(.cancelAssembly) }
    setTorch(false, emit)
    isCameraReady = false
    phase = .closed
    emit(.close)
  }

  private mutating func discard(_ emit: (Command) -> Void) {
    if case .closed = phase { return }
    if case .capturing(let capture) = phase {
      if capture.stopped == nil { emit(.stopCapture(capture.plan.clip)) }
      emit(.dropClip(capture.plan.clip))
    }
    if let lost { emit(.dropClip(lost.plan.clip)) }
    lost = nil
    for recorded in list.clips { emit(.dropClip(recorded.clip)) }
    list = ClipList(limit: list.limit)
    close(emit)
    storeList(emit)
  }

  /// Ends what is about to happen but has not begun.
  mutating func rest(_ emit: (Command) -> Void) {
    markedAt = nil
    flipping = nil
    isPressed = false
    if case .counting = phase { phase = .ready }
  }

  // MARK: Choices

  private mutating func chooseLimit(_ limit: Milliseconds, _ emit: (Command) -> Void) {
    guard Self.limits.contains(limit), limit != list.limit, !isCapturing, list.setLimit(limit)
    else { return }
    storeList(emit)
  }

  private mutating func undo(at now: Instant, _ emit: (Command) -> Void) {
    guard case .ready = phase, flipping == nil, !list.clips.isEmpty else { return }
    guard markedAt != nil else { return markedAt = now }
    markedAt = nil
    for recorded in list.removeLastTake() { emit(.dropClip(recorded.clip)) }
    storeList(emit)
  }

  private mutating func finish(at now: Instant, _ emit: (Command) -> Void) {
    if isCapturing { return stop(then: .finish, at: now, emit) }
    if case .ready = phase { assemble(emit) }
  }

  mutating func assemble(_ emit: (Command) -> Void) {
    guard list.played >= Self.shortestVideo else { return }
    rest(emit)
    setTorch(false, emit)
    // Nobody looks through the camera meanwhile: it may rest until it is asked for again.
    isCameraReady = false
    phase = .assembling
    emit(.assemble(list.clips))
  }

  /// With the clips whose files are still awaited, so that a crash does not orphan them.
  func storeList(_ emit: (Command) -> Void) {
    var all = list
    if let lost { all.insert(lost.plan) }
    if case .capturing(let capture) = phase { all.insert(capture.plan) }
    emit(.storeList(limit: all.limit, all.clips))
  }

  // MARK: Controls

  var isCapturing: Bool {
    if case .capturing = phase { true } else { false }
  }

  /// Whether a clip could begin at once.
  var canRecordNow: Bool {
    guard case .ready = phase else { return false }
    return isCameraReady && obstacles == 0 && list.room > .zero && flipping == nil
      && list.clips.count < Self.clipLimit && lastClip < Self.largestClip
  }

  private func controls() -> Controls {
    var controls = Controls()
    controls.speed = speed
    switch phase {
    case .closed: controls.stage = .closed
    case .ready: controls.stage = .ready
    case .counting:
      controls.stage = .counting
      controls.secondsLeft = ticked
    case .capturing(let capture):
      controls.stage = capture.stage
      controls.speed = capture.plan.speed
    case .assembling: controls.stage = .assembling
    case .finished: controls.stage = .finished
    }
    let isReady = controls.stage == .ready
    controls.played = list.played
    controls.limit = list.limit
    controls.canRecord = canRecordNow
    controls.canUndo = isReady && flipping == nil && !list.clips.isEmpty
    controls.isUndoMarked = markedAt != nil
    controls.canFinish = controls.stage == .capturing || (isReady && list.played >= Self.shortestVideo)
    controls.countdown = countdown
    controls.camera = camera
    controls.hasTorch = hasTorch && isCameraReady
    controls.isTorchOn = isTorchOn
    controls.obstacles = obstacles
    return controls
  }
}

extension Recording.Capture {
  var stage: Recording.Stage {
    if stopped != nil { return .stopping }
    return started == nil ? .starting : .capturing
  }

  /// When something has to happen by itself: the limit is reached, or the camera does not answer.
  func due(room: Milliseconds) -> Instant {
    if let stopped { return stopped + Recording.cameraPatience }
    guard let started else { return asked + Recording.cameraPatience }
    return started + RecordedClip.capturedTime(for: room, speed: plan.speed)
  }
}
