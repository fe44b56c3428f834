import Composer
import ComposerWire
import CoreTypes
import EnergyBudget
import MediaCache
import Prefetch
import Session
import SessionWire

/// The other direction of the wire, which only hosts need: the web client writes these rows in
/// JavaScript, the tests here.
extension FeedSession.Event {
  func append(to words: inout [Int64]) {
    switch self {
    case .started(let start):
      words.row(
        .started,
        [
          Int64(start.players), start.memoryBudget.rawValue, start.usesByteRanges ? 1 : 0,
          start.throughputHint.rawValue, start.reducedMotion ? 1 : 0, start.dataSaver ? 1 : 0,
        ])
    case .itemAppended(let item, let descriptor): words.row(.itemAppended, Self.row(item, descriptor))
    case .itemInserted(let item, let place, let descriptor):
      words.row(.itemInserted, [place.word] + Self.row(item, descriptor))
    case .itemDescribed(let item, let descriptor): words.row(.itemDescribed, Self.row(item, descriptor))
    case .retentionKnown(let item, let retention):
      words.row(
        .retentionKnown, [item.word, Int64(retention.shares.count)] + retention.shares.map { Int64($0) })
    case .pageLoaded(let hasMore): words.row(.pageLoaded, [hasMore ? 1 : 0])
    case .pageFailed: words.row(.pageFailed)
    case .itemRemoved(let item): words.row(.itemRemoved, [item.word])
    case .viewportResized(let height, let edge): words.row(.viewportResized, [height, edge])
    case .dragBegan: words.row(.dragBegan)
    case .dragMoved(let translation): words.row(.dragMoved, [translation])
    case .dragEnded(let translation, let velocity): words.row(.dragEnded, [translation, velocity])
    case .dragCancelled: words.row(.dragCancelled)
    case .stepped(let pages): words.row(.stepped, [pages])
    case .jumped(let page): words.row(.jumped, [page])
    case .wheelMoved(let delta): words.row(.wheelMoved, [delta])
    case .settleFinished(let page): words.row(.settleFinished, [page])
    case .jumpedToItem(let item): words.row(.jumpedToItem, [item.word])
    case .firstFrameReady(let player, let item): words.row(.firstFrameReady, [player.word, item.word])
    case .playbackAdvanced(let player, let item): words.row(.playbackAdvanced, [player.word, item.word])
    case .playbackStalled(let player, let item): words.row(.playbackStalled, [player.word, item.word])
    case .positionChanged(let player, let item, let position):
      words.row(.positionChanged, [player.word, item.word, position.rawValue])
    case .looped(let player, let item): words.row(.looped, [player.word, item.word])
    case .playerFailed(let player, let item): words.row(.playerFailed, [player.word, item.word])
    case .autoplayRefused(let player, let item): words.row(.autoplayRefused, [player.word, item.word])
    case .playbackEnded(let player, let item): words.row(.playbackEnded, [player.word, item.word])
    case .pictureInPictureBegan(let player, let item):
      words.row(.pictureInPictureBegan, [player.word, item.word])
    case .pictureInPictureEnded(let player, let item, let returns):
      words.row(.pictureInPictureEnded, [player.word, item.word, returns ? 1 : 0])
    case .pictureInPicturePlayed(let player, let item, let isOn):
      words.row(.pictureInPicturePlayed, [player.word, item.word, isOn ? 1 : 0])
    case .segmentStored(let request, let item, let rendition, let segment):
      words.row(.segmentStored, [request.word, item.word, Int64(rendition), Int64(segment)])
    case .fetchFinished(let request, let bytes, let elapsed, let firstByte):
      words.row(.fetchFinished, [request.word, bytes.rawValue, elapsed.rawValue, firstByte.rawValue])
    case .fetchFailed(let request, let reason): words.row(.fetchFailed, [request.word, reason.rawValue])
    case .networkChanged(let isOnline): words.row(.networkChanged, [isOnline ? 1 : 0])
    case .tapped: words.row(.tapped)
    case .touched(let x, let y): words.row(.touched, [x, y])
    case .firstFrameRequired(let isRequired): words.row(.firstFrameRequired, [isRequired ? 1 : 0])
    case .soundSet(let isOn): words.row(.soundSet, [isOn ? 1 : 0])
    case .scrubBegan: words.row(.scrubBegan)
    case .scrubMoved(let position): words.row(.scrubMoved, [position.rawValue])
    case .scrubEnded(let position): words.row(.scrubEnded, [position.rawValue])
    case .retryRequested: words.row(.retryRequested)
    case .backgrounded: words.row(.backgrounded)
    case .foregrounded: words.row(.foregrounded)
    case .memoryWarned: words.row(.memoryWarned)
    case .feedLocked(let isLocked): words.row(.feedLocked, [isLocked ? 1 : 0])
    case .woke: words.row(.woke)
    case .cameraOpened: words.row(.cameraOpened)
    case .cameraClosed: words.row(.cameraClosed)
    case .conditionsChanged(let now):
      words.row(
        .conditionsChanged,
        [
          now.batteryPercent.map { Int64($0) } ?? -1, now.isCharging ? 1 : 0, now.lowPowerMode ? 1 : 0,
          now.warmth.rawValue, now.network.rawValue, now.dataSaver ? 1 : 0, now.reducedMotion ? 1 : 0,
          now.autoplay ? 1 : 0,
        ])
    case .framesShown(let shortEdge, let shown, let dropped):
      words.row(.framesShown, [Int64(shortEdge), Int64(shown), Int64(dropped)])
    case .diskFound(let budget, let used): words.row(.diskFound, [budget.rawValue, used.rawValue])
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
      words.row(.diskHolds, [item.word, Int64(segments), bytes.rawValue, age.rawValue, isSaved ? 1 : 0])
    case .restoreFailed(let item): words.row(.restoreFailed, [item.word])
    case .persistFailed(let item, let segments, let bytes, let isFull):
      words.row(.persistFailed, [item.word, Int64(segments), bytes.rawValue, isFull ? 1 : 0])
    case .savedForOffline(let item, let isSaved): words.row(.savedForOffline, [item.word, isSaved ? 1 : 0])
    case .clearRequested: words.row(.clearRequested)
    default: fatalError("no host sends this: \(self)")
    }
  }
}

extension Composer.Event {
  /// Those that a host sends.
  fileprivate func appendForSession(to words: inout [Int64]) {
    switch self {
    case .lengthLimited(let characters): words.bar(.lengthLimited, [Int64(characters)])
    case .signedInChanged(let isSignedIn): words.bar(.signedInChanged, [isSignedIn ? 1 : 0])
    case .fieldFocused: words.bar(.fieldFocused)
    case .fieldBlurred: words.bar(.fieldBlurred)
    case .fieldDismissed: words.bar(.fieldDismissed)
    case .textChanged(let item, let characters, let isBlank):
      words.bar(.textChanged, [item.word, Int64(characters), isBlank ? 1 : 0])
    case .messagesChanged(let item, let areOpen): words.bar(.messagesChanged, [item.word, areOpen ? 1 : 0])
    case .draftRestored(let item, let characters, let isBlank):
      words.bar(.draftRestored, [item.word, Int64(characters), isBlank ? 1 : 0])
    case .textMeasured(let height, let lineHeight): words.bar(.textMeasured, [height, lineHeight])
    case .keyboardMoved(let height): words.bar(.keyboardMoved, [height])
    case .sendTapped: words.bar(.sendTapped)
    case .reactionTapped(let reaction): words.bar(.reactionTapped, [Int64(reaction)])
    case .messageSent(let message): words.bar(.messageSent, [message.word])
    case .messageFailed(let message, let reason): words.bar(.messageFailed, [message.word, reason.rawValue])
    default: fatalError("no host sends this: \(self)")
    }
  }
}

extension Handle {
  fileprivate var word: Int64 { Int64(rawValue) }
}

extension [Int64] {
  fileprivate mutating func row(_ kind: EventKind, _ fields: [Int64] = []) {
    self += [kind.rawValue] + fields
  }

  fileprivate mutating func bar(_ kind: ComposerEventKind, _ fields: [Int64] = []) {
    self += [kind.rawValue] + fields
  }
}
