import CoreTypes
public import Recording
import Wire

/// The recording's events and commands as rows of words: see docs/design/studio.md.
extension Recording.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word().flatMap({ RecordingEventKind(rawValue: $0) }),
      let event = Self.read(kind, &row),
      row.isAtEnd
    else { return nil }
    self = event
  }

  private static func read(_ kind: RecordingEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .woke: .woke
    case .opened: .opened
    case .restored: readList(&row)
    case .limitChosen: row.milliseconds().map { .limitChosen($0) }
    case .countdownChosen: row.small().map { .countdownChosen(seconds: $0) }
    case .speedChosen: row.small().map { .speedChosen(percent: $0) }
    case .cameraReady: readCamera(&row)
    case .pressed: .pressed
    case .released: row.milliseconds().map { .released(held: $0) }
    case .flipTapped: .flipTapped
    case .torchTapped: .torchTapped
    case .undoTapped: .undoTapped
    case .undoCancelled: .undoCancelled
    case .finishTapped: .finishTapped
    case .closeTapped: .closeTapped
    case .keepConfirmed: .keepConfirmed
    case .discardConfirmed: .discardConfirmed
    case .captureStarted: row.clip().map { .captureStarted($0) }
    case .captureFinished: readFinished(&row)
    case .captureFailed: row.clip().map { .captureFailed($0) }
    case .obstacleChanged: readObstacle(&row)
    case .assembled: .assembled
    case .assemblyFailed: .assemblyFailed
    case .assemblyCancelled: .assemblyCancelled
    case .returned: .returned
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

  private static func readCamera(_ row: inout WordReader) -> Self? {
    guard let camera = row.camera(), let hasTorch = row.flag() else { return nil }
    return .cameraReady(camera, hasTorch: hasTorch)
  }

  private static func readFinished(_ row: inout WordReader) -> Self? {
    guard let clip = row.clip(), let length = row.milliseconds() else { return nil }
    return .captureFinished(clip, length)
  }

  private static func readObstacle(_ row: inout WordReader) -> Self? {
    guard let obstacle = row.word().flatMap({ Recording.Obstacle(rawValue: $0) }), let isThere = row.flag()
    else { return nil }
    return .obstacleChanged(obstacle, isThere: isThere)
  }
}

extension WordReader {
  fileprivate mutating func clip() -> ClipID? { small().map { ClipID($0) } }
  fileprivate mutating func camera() -> Camera? { small().flatMap { Camera(rawValue: $0) } }
}

extension Recording.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .useCamera(let camera): words.row(RecordingCommandKind.useCamera, camera.rawValue)
    case .setTorch(let isOn): words.row(RecordingCommandKind.setTorch, isOn)
    case .startCapture(let clip, let camera, let longest):
      words.row(
        RecordingCommandKind.startCapture.rawValue, fields: Int64(clip.rawValue), Int64(camera.rawValue),
        longest.rawValue)
    case .stopCapture(let clip): words.row(RecordingCommandKind.stopCapture, clip.rawValue)
    case .dropClip(let clip): words.row(RecordingCommandKind.dropClip, clip.rawValue)
    case .storeList(let limit, let clips): words.list(.storeList, limit: limit, clips)
    case .assemble(let clips): words.list(.assemble, limit: nil, clips)
    case .cancelAssembly: words.row(RecordingCommandKind.cancelAssembly)
    case .showControls(let controls): controls.append(to: &words)
    case .tick(let seconds): words.row(RecordingCommandKind.tick, seconds)
    case .askDiscard: words.row(RecordingCommandKind.askDiscard)
    case .close: words.row(RecordingCommandKind.close)
    case .noticeClipLost(let clip): words.row(RecordingCommandKind.noticeClipLost, clip.rawValue)
    case .noticeTooShort(let clip): words.row(RecordingCommandKind.noticeTooShort, clip.rawValue)
    }
  }
}

extension Recording.Controls {
  fileprivate func append(to words: inout [Int64]) {
    words.row(
      RecordingCommandKind.showControls.rawValue, fields: Int64(stage.rawValue), played.rawValue,
      limit.rawValue, canRecord.word, canUndo.word,
      isUndoMarked.word, canFinish.word, Int64(secondsLeft), Int64(countdown), Int64(speed),
      Int64(camera.rawValue), hasTorch.word, isTorchOn.word, obstacles)
  }
}

extension [Int64] {
  fileprivate mutating func list(_ kind: RecordingCommandKind, limit: Milliseconds?, _ clips: [RecordedClip])
  {
    append(kind.rawValue)
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
