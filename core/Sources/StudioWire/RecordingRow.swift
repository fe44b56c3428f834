import CoreTypes
public import Recording
import Wire

/// The recording's events and commands as rows of words: see docs/design/studio.md.
extension Recording.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word(), let event = Self.read(kind, &row), row.isAtEnd else { return nil }
    self = event
  }

  private static func read(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 50: .woke
    case 80...85: readSurroundings(kind, &row)
    case 86...95: readPerson(kind)
    case 96...99: readCamera(kind, &row)
    case 100: .assembled
    case 101: .assemblyFailed
    case 102: .assemblyCancelled
    case 103: .returned
    default: nil
    }
  }

  private static func readSurroundings(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 80: return .opened
    case 81: return readList(&row)
    case 82: return row.milliseconds().map { .limitChosen($0) }
    case 83: return row.small().map { .countdownChosen(seconds: $0) }
    case 84: return row.small().map { .speedChosen(percent: $0) }
    case 85:
      guard let camera = row.camera(), let hasTorch = row.flag() else { return nil }
      return .cameraReady(camera, hasTorch: hasTorch)
    default: return nil
    }
  }

  /// The row of `storeList`, word for word.
  private static func readList(_ row: inout WordReader) -> Self? {
    guard let limit = row.milliseconds(), let count = row.small(), count >= 0,
      count <= Recording.listLimit
    else { return nil }
    var clips: [RecordedClip] = []
    for _ in 0..<count {
      guard let clip = row.small(), let captured = row.milliseconds(), let played = row.milliseconds(),
        let speed = row.small(), let camera = row.camera(), let take = row.small()
      else { return nil }
      clips.append(
        RecordedClip(
          clip: ClipID(clip), captured: captured, played: played, speed: speed, camera: camera,
          take: ClipID(take)))
    }
    return .restored(limit: limit, clips)
  }

  private static func readPerson(_ kind: Int64) -> Self? {
    switch kind {
    case 86: .pressed
    case 87: .released
    case 88: .flipTapped
    case 89: .torchTapped
    case 90: .undoTapped
    case 91: .undoCancelled
    case 92: .finishTapped
    case 93: .closeTapped
    case 94: .keepConfirmed
    case 95: .discardConfirmed
    default: nil
    }
  }

  private static func readCamera(_ kind: Int64, _ row: inout WordReader) -> Self? {
    if kind == 99 {
      guard let obstacle = row.word().flatMap({ Recording.Obstacle(rawValue: $0) }),
        let isThere = row.flag()
      else { return nil }
      return .obstacleChanged(obstacle, isThere: isThere)
    }
    guard let clip = row.small().map({ ClipID($0) }) else { return nil }
    switch kind {
    case 96: return .captureStarted(clip)
    case 97: return row.milliseconds().map { .captureFinished(clip, $0) }
    case 98: return .captureFailed(clip)
    default: return nil
    }
  }
}

extension WordReader {
  fileprivate mutating func camera() -> Camera? { small().flatMap { Camera(rawValue: $0) } }
}

extension Recording.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .useCamera(let camera): words.row(60, camera.rawValue)
    case .setTorch(let isOn): words.row(61, isOn)
    case .startCapture(let clip, let camera, let longest):
      words.row(62, fields: Int64(clip.rawValue), Int64(camera.rawValue), longest.rawValue)
    case .stopCapture(let clip): words.row(63, clip.rawValue)
    case .dropClip(let clip): words.row(64, clip.rawValue)
    case .storeList(let limit, let clips): words.list(65, limit: limit, clips)
    case .assemble(let clips): words.list(66, limit: nil, clips)
    case .cancelAssembly: words.row(67)
    case .showControls(let controls): controls.append(to: &words)
    case .tick(let seconds): words.row(69, seconds)
    case .askDiscard: words.row(70)
    case .close: words.row(71)
    case .noticeClipLost(let clip): words.row(72, clip.rawValue)
    case .noticeTooShort(let clip): words.row(73, clip.rawValue)
    }
  }
}

extension Recording.Controls {
  fileprivate func append(to words: inout [Int64]) {
    words.row(
      68, fields: Int64(stage.rawValue), played.rawValue, limit.rawValue, canRecord.word, canUndo.word,
      isUndoMarked.word, canFinish.word, Int64(secondsLeft), Int64(countdown), Int64(speed),
      Int64(camera.rawValue), hasTorch.word, isTorchOn.word, obstacles)
  }
}

extension [Int64] {
  fileprivate mutating func list(_ kind: Int64, limit: Milliseconds?, _ clips: [RecordedClip]) {
    append(kind)
    append(Int64(clips.count * 6 + (limit == nil ? 1 : 2)))
    if let limit { append(limit.rawValue) }
    append(Int64(clips.count))
    for recorded in clips {
      append(Int64(recorded.clip.rawValue))
      append(recorded.captured.rawValue)
      append(recorded.played.rawValue)
      append(Int64(recorded.speed))
      append(Int64(recorded.camera.rawValue))
      append(Int64(recorded.take.rawValue))
    }
  }
}
