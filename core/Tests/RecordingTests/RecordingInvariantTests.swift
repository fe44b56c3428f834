import CoreTesting
import CoreTypes
import Recording
import Testing

@Suite struct RecordingInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    var recorded = 0
    var assembled = 0
    forEachSeed(10_000) { seed, generator in
      var harness = RecordingHarness()
      var watch = Watch()
      for _ in 0..<40 {
        harness.now = harness.now + Milliseconds(generator.next(below: 1_500))
        if generator.next(below: 12) == 0 { harness.now = harness.now + Milliseconds(20_000) }
        let event = randomEvent(&generator, watch)
        watch.note(event)
        harness.send(event)
        watch.check(harness.take())
        if case .woke = event { watch.checkWake(harness.recording.nextWake, harness.now) }
      }
      #expect(watch.broken == nil, "\(watch.broken ?? ""), seed \(seed)")
      recorded += watch.recorded
      assembled += watch.assembled
    }
    // A sequence in which nothing happens proves nothing.
    #expect(recorded > 20_000 && assembled > 500, "\(recorded) recorded, \(assembled) assembled")
  }

  private func randomEvent(_ generator: inout SeededGenerator, _ watch: Watch) -> Recording.Event {
    // Mostly what is really being recorded, or nothing would ever happen.
    let clip =
      generator.next(below: 6) > 0
      ? watch.capturing ?? watch.lastClip : ClipID(Int32(generator.next(below: 9)))
    if generator.next(below: 3) == 0, let next = nextStep(&generator, watch) { return next }
    switch generator.next(below: 36) {
    case 0...3: return .pressed
    case 4, 5: return .released(held: Milliseconds(generator.hostileInteger(around: 300)))
    case 6...9: return .captureStarted(clip)
    case 10...14:
      let length = generator.next(below: 4) == 0 ? generator.hostileInteger(around: 70_000) : 4_000
      return .captureFinished(clip, Milliseconds(length))
    case 15: return .captureFailed(clip)
    case 16...18: return .cameraReady(watch.camera, hasTorch: generator.next(below: 3) > 0)
    case 19: return .flipTapped
    case 20: return .torchTapped
    case 21, 22: return .undoTapped
    case 23: return generator.next(below: 3) == 0 ? .undoCancelled : .finishTapped
    case 24: return [.closeTapped, .keepConfirmed, .discardConfirmed][Int(generator.next(below: 3))]
    case 25:
      return [.assembled, .assemblyFailed, .assemblyCancelled][Int(generator.next(below: 3))]
    case 26, 27:
      let obstacle = Recording.Obstacle(rawValue: 1 + generator.next(below: 5))!
      return .obstacleChanged(obstacle, isThere: generator.next(below: 4) == 0)
    case 28: return .speedChosen(percent: Int32(clamping: generator.hostileInteger(around: 300)))
    case 29: return .limitChosen(Milliseconds([15_000, 30_000, 60_000, -1][Int(generator.next(below: 4))]))
    case 30: return .countdownChosen(seconds: [0, 0, 3, 10, -3][Int(generator.next(below: 5))])
    case 31: return generator.next(below: 2) == 0 ? .returned : .opened
    case 32: return generator.next(below: 4) == 0 ? randomList(&generator) : .opened
    default: return .woke
    }
  }

  /// What a person and a camera that want to get on would do.
  private func nextStep(_ generator: inout SeededGenerator, _ watch: Watch) -> Recording.Event? {
    if let obstacle = watch.obstacles.first {
      return .obstacleChanged(Recording.Obstacle(rawValue: obstacle)!, isThere: false)
    }
    switch watch.controls?.stage {
    case .closed: return .opened
    case .ready, nil:
      return watch.isReady ? .pressed : .cameraReady(watch.camera, hasTorch: generator.next(below: 2) == 0)
    case .starting: return watch.capturing.map { .captureStarted($0) }
    case .capturing, .stopping: return watch.capturing.map { .captureFinished($0, Milliseconds(3_000)) }
    case .assembling: return .assembled
    case .finished: return .returned
    case .counting: return .woke
    }
  }

  private func randomList(_ generator: inout SeededGenerator) -> Recording.Event {
    var clips: [RecordedClip] = []
    for _ in 0..<generator.next(below: 6) {
      let clip = ClipID(Int32(clamping: generator.hostileInteger(around: 60)))
      clips.append(
        RecordedClip(
          clip: clip, captured: Milliseconds(generator.hostileInteger(around: 20_000)), played: .zero,
          speed: Int32(clamping: generator.hostileInteger(around: 300)), camera: .back, take: clip))
    }
    return .restored(limit: Milliseconds(30_000), clips)
  }
}

/// Follows the commands as a host would and holds them against the machine's invariants.
private struct Watch {
  private(set) var broken: String?
  private(set) var capturing: ClipID?
  private(set) var lastClip = ClipID(1)
  private(set) var camera = Camera.back
  private(set) var recorded = 0
  private(set) var assembled = 0
  private var list: [RecordedClip] = []
  private var limit = Recording.longest
  private(set) var isReady = true
  private var hasTorch = true
  private var torch = false
  private(set) var obstacles: [Int64] = []
  private var event = Recording.Event.woke
  private(set) var controls: Recording.Controls?

  mutating func note(_ event: Recording.Event) {
    self.event = event
    switch event {
    case .captureFinished(let clip, _), .captureFailed(let clip):
      if capturing == clip {
        capturing = nil
        recorded += 1
      }
    case .cameraReady(let camera, let hasTorch) where camera == self.camera:
      isReady = true
      self.hasTorch = hasTorch
    case .obstacleChanged(let obstacle, let isThere):
      obstacles.removeAll { $0 == obstacle.rawValue }
      if isThere { obstacles.append(obstacle.rawValue) }
    default: break
    }
  }

  mutating func check(_ commands: [Recording.Command]) {
    let before = list
    let wasMarked = controls?.isUndoMarked ?? false
    var dropped: Set<Int32> = []
    for command in commands {
      if case .dropClip(let clip) = command { dropped.insert(clip.rawValue) }
      follow(command)
    }
    for recorded in before where recorded.captured > .zero {
      guard !list.contains(where: { $0.clip == recorded.clip }) else { continue }
      require(dropped.contains(recorded.clip.rawValue), "a clip leaves the list and stays on the disk")
      switch event {
      case .discardConfirmed: break
      case .undoTapped: require(wasMarked, "one tap deletes")
      default: require(false, "a clip vanishes without being asked")
      }
    }
    require(list.reduce(Milliseconds.zero) { $0 + $1.played } <= limit, "longer than the limit")
    require(zip(list, list.dropFirst()).allSatisfy { $0.clip.rawValue < $1.clip.rawValue }, "disorder")
    require(!torch || (isReady && hasTorch && obstacles.isEmpty), "torch without a camera")
    require(controls.map { $0.played <= $0.limit } ?? true, "the bar is longer than the limit")
  }

  /// A deadline that outlives its `woke` would wake the host again and again.
  mutating func checkWake(_ wake: Instant?, _ now: Instant) {
    require(wake.map { $0 > now } ?? true, "a deadline outlives its woke")
  }

  private mutating func follow(_ command: Recording.Command) {
    switch command {
    case .useCamera(let camera):
      self.camera = camera
      isReady = false
    case .setTorch(let isOn):
      require(isOn != torch, "the torch twice")
      torch = isOn
    case .startCapture(let clip, let camera, let longest):
      require(capturing == nil, "two clips at once")
      require(clip.rawValue > lastClip.rawValue || clip == ClipID(1), "a clip begins twice")
      require(obstacles.isEmpty && isReady && camera == self.camera, "begins without a camera")
      require(longest > .zero, "begins without room")
      require(list.contains { $0.clip == clip && $0.captured == .zero }, "begins unrecorded")
      capturing = clip
      lastClip = clip
    case .dropClip(let clip), .noticeClipLost(let clip): if capturing == clip { capturing = nil }
    case .storeList(let limit, let list):
      self.limit = limit
      self.list = list
    case .assemble(let clips):
      require(clips == list.filter { $0.captured > .zero }, "assembles another list")
      require(capturing == nil, "assembles while recording")
      assembled += 1
      isReady = false
    case .showControls(let controls):
      require(controls != self.controls, "the same controls again")
      self.controls = controls
    case .close: break
    case .stopCapture, .cancelAssembly, .tick, .askDiscard, .noticeTooShort: break
    }
  }

  private mutating func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds, broken == nil { broken = rule() }
  }
}
