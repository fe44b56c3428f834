import CoreTypes

/// The button, the camera and what comes in their way.
extension Recording {
  // MARK: The button

  mutating func press(at now: Instant, _ emit: (Command) -> Void) {
    markedAt = nil
    if flipping != nil { return flipping = nil }
    switch phase {
    case .counting: phase = .ready
    case .capturing(let capture):
      if case .flip = capture.after { return stop(then: .flip(goesOn: false), at: now, emit) }
      stop(then: .nothing, at: now, emit)
    case .ready:
      guard canRecordNow else { return }
      guard countdown == 0 else { return count(from: now, emit) }
      isPressed = true
      capture(take: nil, at: now, emit)
    case .closed, .assembling, .finished: break
    }
  }

  mutating func release(held: Milliseconds, at now: Instant, _ emit: (Command) -> Void) {
    guard isPressed else { return }
    isPressed = false
    guard held >= Self.holdTime else { return }
    flipping = nil
    guard case .capturing(let capture) = phase else { return }
    if case .flip = capture.after { return stop(then: .flip(goesOn: false), at: now, emit) }
    stop(then: .nothing, at: now, emit)
  }

  private mutating func count(from now: Instant, _ emit: (Command) -> Void) {
    phase = .counting(until: now + Milliseconds(Int64(countdown) * 1_000))
    ticked = countdown
    emit(.tick(seconds: ticked))
  }

  // MARK: One clip

  private mutating func capture(take: ClipID?, at now: Instant, _ emit: (Command) -> Void) {
    lastClip += 1
    let clip = ClipID(lastClip)
    let plan = RecordedClip(
      clip: clip, captured: .zero, played: .zero, speed: speed, camera: camera, take: take ?? clip)
    phase = .capturing(Capture(plan: plan, asked: now))
    storeList(emit)
    let longest = RecordedClip.capturedTime(for: list.room, speed: speed)
    emit(.startCapture(clip, camera, longest: longest))
  }

  /// Asks the host once; what is to follow can still be changed.
  mutating func stop(then after: After, at now: Instant, _ emit: (Command) -> Void) {
    guard case .capturing(var capture) = phase else { return }
    if capture.stopped == nil {
      capture.stopped = now
      emit(.stopCapture(capture.plan.clip))
    }
    // Whoever wants to leave or to finish is not held up by a tap that comes later.
    if capture.after != .close, capture.after != .finish || after == .close { capture.after = after }
    phase = .capturing(capture)
    if case .flip = after { return }
    isPressed = false
  }

  mutating func captureStarted(_ clip: ClipID, at now: Instant, _ emit: (Command) -> Void) {
    if lost?.plan.clip == clip { emit(.stopCapture(clip)) }
    guard case .capturing(var capture) = phase, capture.plan.clip == clip, capture.started == nil
    else { return }
    capture.started = now
    phase = .capturing(capture)
  }

  mutating func captureFinished(
    _ clip: ClipID, _ length: Milliseconds, at now: Instant, _ emit: (Command) -> Void
  ) {
    if case .capturing(let capture) = phase, capture.plan.clip == clip {
      phase = .ready
      take(capture.plan, length, emit)
      follow(capture, at: now, emit)
    } else if lost?.plan.clip == clip {
      lost?.length = length
      // The clip that is being recorded was promised the room.
      if !isCapturing { takeLost(emit) }
    }
  }

  private mutating func takeLost(_ emit: (Command) -> Void) {
    guard let late = lost, let length = late.length else { return }
    lost = nil
    take(late.plan, length, emit)
  }

  private mutating func take(_ plan: RecordedClip, _ length: Milliseconds, _ emit: (Command) -> Void) {
    markedAt = nil
    if length < Self.shortestClip {
      emit(.dropClip(plan.clip))
      emit(.noticeTooShort(plan.clip))
    } else if list.room == .zero {
      emit(.dropClip(plan.clip))
      emit(.noticeClipLost(plan.clip))
    } else {
      list.insert(RecordedClip(plan, captured: length, room: list.room))
    }
    storeList(emit)
  }

  mutating func captureFailed(_ clip: ClipID, at now: Instant, _ emit: (Command) -> Void) {
    if lost?.plan.clip == clip { lost = nil }
    guard case .capturing(let capture) = phase, capture.plan.clip == clip else { return }
    phase = .ready
    emit(.dropClip(clip))
    emit(.noticeClipLost(clip))
    storeList(emit)
    follow(capture, at: now, emit)
  }

  /// What was to come after the clip; a recorder that ended by itself ends the press too.
  private mutating func follow(_ capture: Capture, at now: Instant, _ emit: (Command) -> Void) {
    takeLost(emit)
    switch capture.after {
    case .nothing: isPressed = false
    case .flip(let goesOn):
      if goesOn, obstacles == 0, list.room > .zero { flipping = (capture.plan.take, now) }
      switchCamera(emit)
    case .finish: assemble(emit)
    case .close: close(emit)
    }
  }

  // MARK: The camera

  mutating func flip(at now: Instant, _ emit: (Command) -> Void) {
    markedAt = nil
    switch phase {
    case .ready where obstacles == 0 && flipping == nil: switchCamera(emit)
    case .capturing(let capture) where capture.stopped == nil && capture.started != nil:
      stop(then: .flip(goesOn: true), at: now, emit)
    default: break
    }
  }

  private mutating func switchCamera(_ emit: (Command) -> Void) {
    use(camera == .back ? .front : .back, emit)
  }

  mutating func use(_ camera: Camera, _ emit: (Command) -> Void) {
    setTorch(false, emit)
    self.camera = camera
    isCameraReady = false
    if hasCamera { emit(.useCamera(camera)) }
  }

  mutating func becomeReady(
    _ camera: Camera, hasTorch: Bool, at now: Instant, _ emit: (Command) -> Void
  ) {
    guard camera == self.camera, hasCamera else { return }
    switch phase {
    case .ready, .counting, .capturing: break
    case .closed, .assembling, .finished: return
    }
    isCameraReady = true
    self.hasTorch = hasTorch
    if !hasTorch { setTorch(false, emit) }
    guard let flipping else { return }
    self.flipping = nil
    guard canRecordNow else { return }
    capture(take: flipping.take, at: now, emit)
  }

  mutating func setTorch(_ isOn: Bool, _ emit: (Command) -> Void) {
    guard isOn != isTorchOn else { return }
    isTorchOn = isOn
    emit(.setTorch(isOn))
  }

  // MARK: Obstacles and time

  private static func bit(_ obstacle: Obstacle) -> Int64 { 1 << obstacle.rawValue }

  /// A full disk is the one obstacle that leaves the picture of the camera alone.
  private var hasCamera: Bool { obstacles & ~Self.bit(.storageFull) == 0 }

  mutating func change(
    _ obstacle: Obstacle, isThere: Bool, at now: Instant, _ emit: (Command) -> Void
  ) {
    let hadCamera = hasCamera
    obstacles = isThere ? obstacles | Self.bit(obstacle) : obstacles & ~Self.bit(obstacle)
    if isThere {
      rest(emit)
      setTorch(false, emit)
      isCameraReady = isCameraReady && hasCamera
      guard case .capturing(let capture) = phase else { return }
      if case .flip = capture.after { return stop(then: .flip(goesOn: false), at: now, emit) }
      stop(then: .nothing, at: now, emit)
    } else if hasCamera, !hadCamera {
      // Whatever took the camera away, it has to be asked for anew.
      switch phase {
      case .ready, .counting, .capturing: use(camera, emit)
      case .closed, .assembling, .finished: break
      }
    }
  }

  mutating func wake(at now: Instant, _ emit: (Command) -> Void) {
    if let markedAt, now >= markedAt + Self.undoPatience { self.markedAt = nil }
    if let flipping, now >= flipping.since + Self.cameraPatience { self.flipping = nil }
    switch phase {
    case .counting(let until): tick(until: until, at: now, emit)
    case .capturing(let capture) where now >= capture.due(room: list.room):
      if capture.stopped == nil, capture.started != nil {
        stop(then: .nothing, at: now, emit)
      } else {
        giveUp(capture, at: now, emit)
      }
    default: break
    }
  }

  private mutating func tick(until: Instant, at now: Instant, _ emit: (Command) -> Void) {
    let left = Int32(clamping: (until - now + Milliseconds(999)).rawValue / 1_000)
    guard left < ticked else { return }
    ticked = max(0, left)
    guard ticked == 0 else { return emit(.tick(seconds: ticked)) }
    phase = .ready
    if canRecordNow { capture(take: nil, at: now, emit) }
  }

  private mutating func giveUp(_ capture: Capture, at now: Instant, _ emit: (Command) -> Void) {
    if capture.stopped == nil { emit(.stopCapture(capture.plan.clip)) }
    emit(.noticeClipLost(capture.plan.clip))
    phase = .ready
    takeLost(emit)
    lost = (capture.plan, nil)
    storeList(emit)
    follow(capture, at: now, emit)
  }
}
