import Composer
import ComposerWire
import CoreTypes
import Recording
import StudioWire

/// The other direction of the wire, which only hosts need.
extension Composer.Event {
  var row: [Int64] {
    switch self {
    case .itemRemoved(let item): [ComposerEventKind.itemRemoved.rawValue, Int64(item.rawValue)]
    case .viewportResized(let height): [ComposerEventKind.viewportResized.rawValue, height, 1_080]
    case .backgrounded: [ComposerEventKind.backgrounded.rawValue]
    case .woke: [ComposerEventKind.woke.rawValue]
    case .currentChanged(let item): [ComposerEventKind.currentChanged.rawValue, Int64(item?.rawValue ?? -1)]
    case .lengthLimited(let characters): [ComposerEventKind.lengthLimited.rawValue, Int64(characters)]
    case .signedInChanged(let isSignedIn): [ComposerEventKind.signedInChanged.rawValue, isSignedIn ? 1 : 0]
    case .messagesChanged(let item, let areOpen):
      [ComposerEventKind.messagesChanged.rawValue, Int64(item.rawValue), areOpen ? 1 : 0]
    case .fieldFocused: [ComposerEventKind.fieldFocused.rawValue]
    case .fieldBlurred: [ComposerEventKind.fieldBlurred.rawValue]
    case .fieldDismissed: [ComposerEventKind.fieldDismissed.rawValue]
    case .textChanged(let item, let characters, let isBlank):
      [ComposerEventKind.textChanged.rawValue, Int64(item.rawValue), Int64(characters), isBlank ? 1 : 0]
    case .draftRestored(let item, let characters, let isBlank):
      [ComposerEventKind.draftRestored.rawValue, Int64(item.rawValue), Int64(characters), isBlank ? 1 : 0]
    case .textMeasured(let height, let lineHeight):
      [ComposerEventKind.textMeasured.rawValue, height, lineHeight]
    case .keyboardMoved(let height): [ComposerEventKind.keyboardMoved.rawValue, height]
    case .sendTapped: [ComposerEventKind.sendTapped.rawValue]
    case .reactionTapped(let reaction): [ComposerEventKind.reactionTapped.rawValue, Int64(reaction)]
    case .messageSent(let message): [ComposerEventKind.messageSent.rawValue, Int64(message.rawValue)]
    case .messageFailed(let message, let reason):
      [ComposerEventKind.messageFailed.rawValue, Int64(message.rawValue), reason.rawValue]
    }
  }
}

extension Recording.Event {
  var row: [Int64] {
    switch self {
    case .woke: [RecordingEventKind.woke.rawValue]
    case .opened: [RecordingEventKind.opened.rawValue]
    case .restored(let limit, let clips):
      [RecordingEventKind.restored.rawValue, limit.rawValue, Int64(clips.count)]
        + clips.flatMap {
          [
            Int64($0.clip.rawValue), $0.captured.rawValue, $0.played.rawValue, Int64($0.speed),
            Int64($0.camera.rawValue), Int64($0.take.rawValue),
          ]
        }
    case .limitChosen(let limit): [RecordingEventKind.limitChosen.rawValue, limit.rawValue]
    case .countdownChosen(let seconds): [RecordingEventKind.countdownChosen.rawValue, Int64(seconds)]
    case .speedChosen(let percent): [RecordingEventKind.speedChosen.rawValue, Int64(percent)]
    case .cameraReady(let camera, let hasTorch):
      [RecordingEventKind.cameraReady.rawValue, Int64(camera.rawValue), hasTorch ? 1 : 0]
    case .pressed: [RecordingEventKind.pressed.rawValue]
    case .released(let held): [RecordingEventKind.released.rawValue, held.rawValue]
    case .flipTapped: [RecordingEventKind.flipTapped.rawValue]
    case .torchTapped: [RecordingEventKind.torchTapped.rawValue]
    case .undoTapped: [RecordingEventKind.undoTapped.rawValue]
    case .undoCancelled: [RecordingEventKind.undoCancelled.rawValue]
    case .finishTapped: [RecordingEventKind.finishTapped.rawValue]
    case .closeTapped: [RecordingEventKind.closeTapped.rawValue]
    case .keepConfirmed: [RecordingEventKind.keepConfirmed.rawValue]
    case .discardConfirmed: [RecordingEventKind.discardConfirmed.rawValue]
    case .captureStarted(let clip): [RecordingEventKind.captureStarted.rawValue, Int64(clip.rawValue)]
    case .captureFinished(let clip, let length):
      [RecordingEventKind.captureFinished.rawValue, Int64(clip.rawValue), length.rawValue]
    case .captureFailed(let clip): [RecordingEventKind.captureFailed.rawValue, Int64(clip.rawValue)]
    case .obstacleChanged(let obstacle, let isThere):
      [RecordingEventKind.obstacleChanged.rawValue, obstacle.rawValue, isThere ? 1 : 0]
    case .assembled: [RecordingEventKind.assembled.rawValue]
    case .assemblyFailed: [RecordingEventKind.assemblyFailed.rawValue]
    case .assemblyCancelled: [RecordingEventKind.assemblyCancelled.rawValue]
    case .returned: [RecordingEventKind.returned.rawValue]
    }
  }
}
