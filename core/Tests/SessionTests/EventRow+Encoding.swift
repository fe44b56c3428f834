import Composer
import CoreTypes
import EnergyBudget
import MediaCache
import Prefetch
import Session

/// The other direction of the wire, which only hosts need: the web client writes these rows in
/// JavaScript, the tests here.
extension Session.Event {
  func append(to words: inout [Int64]) {
    switch self {
    case .started(let start):
      words += [
        1, Int64(start.players), start.memoryBudget.rawValue, start.usesByteRanges ? 1 : 0,
        start.throughputHint.rawValue, start.reducedMotion ? 1 : 0, start.dataSaver ? 1 : 0,
      ]
    case .itemAppended(let item, let descriptor): words += [2] + Self.row(item, descriptor)
    case .itemInserted(let item, let place, let descriptor):
      words += [6, place.word] + Self.row(item, descriptor)
    case .itemDescribed(let item, let descriptor): words += [7] + Self.row(item, descriptor)
    case .retentionKnown(let item, let retention):
      words += [8, item.word, Int64(retention.shares.count)] + retention.shares.map { Int64($0) }
    case .pageLoaded(let hasMore): words += [3, hasMore ? 1 : 0]
    case .pageFailed: words += [4]
    case .itemRemoved(let item): words += [5, item.word]
    case .viewportResized(let height, let edge): words += [10, height, edge]
    case .dragBegan: words += [11]
    case .dragMoved(let translation): words += [12, translation]
    case .dragEnded(let translation, let velocity): words += [13, translation, velocity]
    case .dragCancelled: words += [14]
    case .stepped(let pages): words += [15, pages]
    case .jumped(let page): words += [16, page]
    case .wheelMoved(let delta): words += [17, delta]
    case .settleFinished(let page): words += [18, page]
    case .jumpedToItem(let item): words += [19, item.word]
    case .firstFrameReady(let player, let item): words += [20, player.word, item.word]
    case .playbackAdvanced(let player, let item): words += [21, player.word, item.word]
    case .playbackStalled(let player, let item): words += [22, player.word, item.word]
    case .positionChanged(let player, let item, let position):
      words += [23, player.word, item.word, position.rawValue]
    case .looped(let player, let item): words += [24, player.word, item.word]
    case .playerFailed(let player, let item): words += [25, player.word, item.word]
    case .autoplayRefused(let player, let item): words += [26, player.word, item.word]
    case .playbackEnded(let player, let item): words += [27, player.word, item.word]
    case .pictureInPictureBegan(let player, let item): words += [28, player.word, item.word]
    case .pictureInPictureEnded(let player, let item, let returns):
      words += [29, player.word, item.word, returns ? 1 : 0]
    case .pictureInPicturePlayed(let player, let item, let isOn):
      words += [82, player.word, item.word, isOn ? 1 : 0]
    case .segmentStored(let request, let item, let rendition, let segment):
      words += [30, request.word, item.word, Int64(rendition), Int64(segment)]
    case .fetchFinished(let request, let bytes, let elapsed, let firstByte):
      words += [31, request.word, bytes.rawValue, elapsed.rawValue, firstByte.rawValue]
    case .fetchFailed(let request, let reason): words += [32, request.word, reason.rawValue]
    case .networkChanged(let isOnline): words += [33, isOnline ? 1 : 0]
    case .tapped: words += [40]
    case .touched(let x, let y): words += [80, x, y]
    case .firstFrameRequired(let isRequired): words += [81, isRequired ? 1 : 0]
    case .soundSet(let isOn): words += [41, isOn ? 1 : 0]
    case .scrubBegan: words += [42]
    case .scrubMoved(let position): words += [43, position.rawValue]
    case .scrubEnded(let position): words += [44, position.rawValue]
    case .retryRequested: words += [45]
    case .backgrounded: words += [46]
    case .foregrounded: words += [47]
    case .memoryWarned: words += [48]
    case .feedLocked(let isLocked): words += [49, isLocked ? 1 : 0]
    case .woke: words += [50]
    case .cameraOpened: words += [51]
    case .cameraClosed: words += [52]
    case .conditionsChanged(let now):
      words += [
        53, now.batteryPercent.map { Int64($0) } ?? -1, now.isCharging ? 1 : 0, now.lowPowerMode ? 1 : 0,
        now.warmth.rawValue, now.network.rawValue, now.dataSaver ? 1 : 0, now.reducedMotion ? 1 : 0,
        now.autoplay ? 1 : 0,
      ]
    case .diskFound(let budget, let used): words += [54, budget.rawValue, used.rawValue]
    case .storage(let event): event.appendForSession(to: &words)
    case .composer(let event): event.appendForSession(to: &words)
    case .itemRefused: break
    }
  }

  private static func row(_ item: ItemID, _ clip: PlaybackDescriptor) -> [Int64] {
    var words = [item.word, clip.duration.rawValue, Int64(clip.renditions.count)]
    for rendition in clip.renditions {
      words += [
        Int64(rendition.shortEdge), rendition.peak.rawValue, rendition.average.rawValue,
        rendition.initialization.offset.rawValue, rendition.initialization.size.rawValue,
        Int64(rendition.segments.count),
      ]
      for segment in rendition.segments {
        words += [
          segment.range.offset.rawValue, segment.range.size.rawValue, Int64(segment.duration),
        ]
      }
    }
    return words
  }
}

extension MediaCache.Event {
  /// Those that a host sends.
  fileprivate func appendForSession(to words: inout [Int64]) {
    switch self {
    case .diskHolds(let item, let segments, let bytes, let age, let isSaved):
      words += [55, item.word, Int64(segments), bytes.rawValue, age.rawValue, isSaved ? 1 : 0]
    case .restoreFailed(let item): words += [56, item.word]
    case .persistFailed(let item, let segments, let bytes, let isFull):
      words += [57, item.word, Int64(segments), bytes.rawValue, isFull ? 1 : 0]
    case .savedForOffline(let item, let isSaved): words += [58, item.word, isSaved ? 1 : 0]
    case .clearRequested: words += [59]
    default: fatalError("no host sends this: \(self)")
    }
  }
}

extension Composer.Event {
  /// Those that tests send.
  fileprivate func appendForSession(to words: inout [Int64]) {
    switch self {
    case .signedInChanged(let isSignedIn): words += [62, isSignedIn ? 1 : 0]
    case .fieldFocused: words += [64]
    case .fieldBlurred: words += [65]
    case .fieldDismissed: words += [66]
    case .textChanged(let item, let characters, let isBlank):
      words += [67, item.word, Int64(characters), isBlank ? 1 : 0]
    case .keyboardMoved(let height): words += [70, height]
    case .sendTapped: words += [71]
    case .messageSent(let message): words += [73, message.word]
    default: fatalError("no test sends this yet: \(self)")
    }
  }
}

extension Handle {
  fileprivate var word: Int64 { Int64(rawValue) }
}
