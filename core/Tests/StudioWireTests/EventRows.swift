import Composer
import CoreTypes
import Recording

/// The other direction of the wire, which only hosts need.
extension Composer.Event {
  var row: [Int64] {
    switch self {
    case .itemRemoved(let item): [5, Int64(item.rawValue)]
    case .viewportResized(let height): [10, height, 1_080]
    case .backgrounded: [46]
    case .woke: [50]
    case .currentChanged(let item): [60, Int64(item?.rawValue ?? -1)]
    case .lengthLimited(let characters): [61, Int64(characters)]
    case .signedInChanged(let isSignedIn): [62, isSignedIn ? 1 : 0]
    case .messagesChanged(let item, let areOpen): [63, Int64(item.rawValue), areOpen ? 1 : 0]
    case .fieldFocused: [64]
    case .fieldBlurred: [65]
    case .fieldDismissed: [66]
    case .textChanged(let item, let characters, let isBlank):
      [67, Int64(item.rawValue), Int64(characters), isBlank ? 1 : 0]
    case .draftRestored(let item, let characters, let isBlank):
      [68, Int64(item.rawValue), Int64(characters), isBlank ? 1 : 0]
    case .textMeasured(let height, let lineHeight): [69, height, lineHeight]
    case .keyboardMoved(let height): [70, height]
    case .sendTapped: [71]
    case .reactionTapped(let reaction): [72, Int64(reaction)]
    case .messageSent(let message): [73, Int64(message.rawValue)]
    case .messageFailed(let message, let reason): [74, Int64(message.rawValue), reason.rawValue]
    }
  }
}

extension Recording.Event {
  var row: [Int64] {
    switch self {
    case .woke: [50]
    case .opened: [80]
    case .restored(let limit, let clips):
      [81, limit.rawValue, Int64(clips.count)]
        + clips.flatMap {
          [
            Int64($0.clip.rawValue), $0.captured.rawValue, $0.played.rawValue, Int64($0.speed),
            Int64($0.camera.rawValue), Int64($0.take.rawValue),
          ]
        }
    case .limitChosen(let limit): [82, limit.rawValue]
    case .countdownChosen(let seconds): [83, Int64(seconds)]
    case .speedChosen(let percent): [84, Int64(percent)]
    case .cameraReady(let camera, let hasTorch): [85, Int64(camera.rawValue), hasTorch ? 1 : 0]
    case .pressed: [86]
    case .released: [87]
    case .flipTapped: [88]
    case .torchTapped: [89]
    case .undoTapped: [90]
    case .undoCancelled: [91]
    case .finishTapped: [92]
    case .closeTapped: [93]
    case .keepConfirmed: [94]
    case .discardConfirmed: [95]
    case .captureStarted(let clip): [96, Int64(clip.rawValue)]
    case .captureFinished(let clip, let length): [97, Int64(clip.rawValue), length.rawValue]
    case .captureFailed(let clip): [98, Int64(clip.rawValue)]
    case .obstacleChanged(let obstacle, let isThere): [99, obstacle.rawValue, isThere ? 1 : 0]
    case .assembled: [100]
    case .assemblyFailed: [101]
    case .assemblyCancelled: [102]
    case .returned: [103]
    }
  }
}
