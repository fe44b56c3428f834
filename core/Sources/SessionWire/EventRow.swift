import Composer
import ComposerWire
import CoreTypes
import EnergyBudget
import MediaCache
import Prefetch
public import Session
import Wire

/// Events as rows of words: see docs/design/session.md for the kinds and their fields.
extension FeedSession.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var reader = WordReader(words)
    guard let kind = reader.word(), let event = Self.read(kind, from: &reader), reader.isAtEnd
    else { return nil }
    self = event
  }

  private static func read(_ word: Int64, from row: inout WordReader) -> Self? {
    if let kind = EventKind(rawValue: word) { return read(kind, &row) }
    guard let kind = ComposerEventKind(rawValue: word), kind.isOfHost else { return nil }
    return Composer.Event.read(kind, from: &row).map { .composer($0) }
  }

  private static func read(_ kind: EventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .started: FeedSession.Configuration(&row).map { .started($0) }
    case .itemAppended, .itemInserted, .itemDescribed: readItem(kind, &row)
    case .retentionKnown: readRetention(&row)
    case .pageLoaded: row.flag().map { .pageLoaded(hasMore: $0) }
    case .pageFailed: .pageFailed
    case .itemRemoved: row.item().map { .itemRemoved($0) }
    case .viewportResized: row.two().map { .viewportResized(height: $0, shortEdge: $1) }
    case .dragBegan: .dragBegan
    case .dragMoved: row.word().map { .dragMoved(translation: $0) }
    case .dragEnded: row.two().map { .dragEnded(translation: $0, velocity: $1) }
    case .dragCancelled: .dragCancelled
    case .stepped: row.word().map { .stepped(pages: $0) }
    case .jumped: row.word().map { .jumped(page: $0) }
    case .wheelMoved: row.word().map { .wheelMoved(delta: $0) }
    case .settleFinished: row.word().map { .settleFinished(page: $0) }
    case .jumpedToItem: row.item().map { .jumpedToItem($0) }
    case .firstFrameReady, .playbackAdvanced, .playbackStalled, .positionChanged, .looped, .playerFailed,
      .autoplayRefused, .playbackEnded, .pictureInPictureBegan, .pictureInPictureEnded,
      .pictureInPicturePlayed:
      readPlayer(kind, &row)
    case .segmentStored, .fetchFinished, .fetchFailed: readNetwork(kind, &row)
    case .networkChanged: row.flag().map { .networkChanged(isOnline: $0) }
    case .diskFound, .diskHolds, .restoreFailed, .persistFailed, .savedForOffline, .clearRequested:
      readStorage(kind, &row)
    case .tapped: .tapped
    case .touched: row.two().map { .touched(x: $0, y: $1) }
    case .soundSet: row.flag().map { .soundSet(isOn: $0) }
    case .scrubBegan: .scrubBegan
    case .scrubMoved: row.milliseconds().map { .scrubMoved($0) }
    case .scrubEnded: row.milliseconds().map { .scrubEnded($0) }
    case .retryRequested: .retryRequested
    case .backgrounded: .backgrounded
    case .foregrounded: .foregrounded
    case .memoryWarned: .memoryWarned
    case .feedLocked: row.flag().map { .feedLocked($0) }
    case .woke: .woke
    case .firstFrameRequired: row.flag().map { .firstFrameRequired($0) }
    case .cameraOpened: .cameraOpened
    case .cameraClosed: .cameraClosed
    case .conditionsChanged: Conditions(&row).map { .conditionsChanged($0) }
    case .framesShown: readFrames(&row)
    }
  }

  /// A row that is complete but describes no clip is no malformed event: the clip is refused.
  private static func readItem(_ kind: EventKind, _ row: inout WordReader) -> Self? {
    var place: ItemID?
    if kind == .itemInserted {
      place = row.item()
      if place == nil { return nil }
    }
    guard let item = row.item(), let duration = row.milliseconds(), let count = row.small(),
      count >= 0, count <= PlaybackDescriptor.maxRenditions
    else { return nil }
    var renditions: [Rendition] = []
    renditions.reserveCapacity(Int(count))
    var isSound = true
    for _ in 0..<count {
      guard let rendition = Rendition(&row, isSound: &isSound) else { return nil }
      renditions.append(rendition)
    }
    guard isSound, let descriptor = PlaybackDescriptor(duration: duration, renditions: renditions)
    else { return .itemRefused(item) }
    if let place { return .itemInserted(item, before: place, descriptor) }
    return kind == .itemDescribed ? .itemDescribed(item, descriptor) : .itemAppended(item, descriptor)
  }

  private static func readPlayer(_ kind: EventKind, _ row: inout WordReader) -> Self? {
    guard let player = row.player(), let item = row.item() else { return nil }
    switch kind {
    case .firstFrameReady: return .firstFrameReady(player, item)
    case .playbackAdvanced: return .playbackAdvanced(player, item)
    case .playbackStalled: return .playbackStalled(player, item)
    case .positionChanged: return row.milliseconds().map { .positionChanged(player, item, $0) }
    case .looped: return .looped(player, item)
    case .playerFailed: return .playerFailed(player, item)
    case .autoplayRefused: return .autoplayRefused(player, item)
    case .playbackEnded: return .playbackEnded(player, item)
    case .pictureInPictureBegan: return .pictureInPictureBegan(player, item)
    case .pictureInPictureEnded: return row.flag().map { .pictureInPictureEnded(player, item, returns: $0) }
    case .pictureInPicturePlayed: return row.flag().map { .pictureInPicturePlayed(player, item, isOn: $0) }
    default: return nil
    }
  }

  private static func readNetwork(_ kind: EventKind, _ row: inout WordReader) -> Self? {
    guard let request = row.request() else { return nil }
    switch kind {
    case .segmentStored:
      guard let item = row.item(), let rendition = row.small(), let segment = row.small()
      else { return nil }
      return .segmentStored(request, item, rendition: rendition, segment: segment)
    case .fetchFinished:
      guard let bytes = row.bytes(), let elapsed = row.milliseconds(),
        let first = row.milliseconds()
      else { return nil }
      return .fetchFinished(request, bytes, elapsed: elapsed, firstByte: first)
    case .fetchFailed:
      return row.word().flatMap { Prefetch.FailureReason(rawValue: $0) }
        .map { .fetchFailed(request, $0) }
    default: return nil
    }
  }

  private static func readFrames(_ row: inout WordReader) -> Self? {
    guard let edge = row.small(), let shown = row.small(), let dropped = row.small() else { return nil }
    return .framesShown(shortEdge: edge, shown: shown, dropped: dropped)
  }

  private static func readRetention(_ row: inout WordReader) -> Self? {
    guard let item = row.item(), let count = row.small(), count >= 0, row.holds(Int(count)) else {
      return nil
    }
    var shares: [Int32] = []
    shares.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let share = row.small() else { return nil }
      shares.append(share)
    }
    return Retention(shares: shares).map { .retentionKnown(item, $0) }
  }

  private static func readStorage(_ kind: EventKind, _ row: inout WordReader) -> Self? {
    if kind == .clearRequested { return .storage(.clearRequested) }
    if kind == .diskFound {
      guard let budget = row.bytes(), let used = row.bytes() else { return nil }
      return .diskFound(budget: budget, used: used)
    }
    guard let item = row.item() else { return nil }
    switch kind {
    case .diskHolds:
      guard let segments = row.small(), let bytes = row.bytes(), let age = row.milliseconds(),
        let isSaved = row.flag()
      else { return nil }
      return .storage(.diskHolds(item, segments: segments, bytes, age: age, isSaved: isSaved))
    case .restoreFailed: return .storage(.restoreFailed(item))
    case .persistFailed:
      guard let segments = row.small(), let bytes = row.bytes(), let isFull = row.flag()
      else { return nil }
      return .storage(.persistFailed(item, segments: segments, bytes, isFull: isFull))
    case .savedForOffline: return row.flag().map { .storage(.savedForOffline(item, $0)) }
    default: return nil
    }
  }
}

extension FeedSession.Configuration {
  fileprivate init?(_ row: inout WordReader) {
    guard let players = row.small(), let budget = row.bytes(), let ranges = row.flag(),
      let hint = row.rate(), let reducedMotion = row.flag(), let dataSaver = row.flag()
    else { return nil }
    self.init(
      players: players, memoryBudget: budget, usesByteRanges: ranges, throughputHint: hint,
      reducedMotion: reducedMotion, dataSaver: dataSaver)
  }
}

extension Conditions {
  fileprivate init?(_ row: inout WordReader) {
    guard let battery = row.word(), let charging = row.flag(), let lowPower = row.flag(),
      let warmth = row.word(), let network = row.word(), let dataSaver = row.flag(),
      let reducedMotion = row.flag(), let autoplay = row.flag()
    else { return nil }
    self.init(
      batteryPercent: battery, isCharging: charging, lowPowerMode: lowPower, warmth: warmth,
      network: network, dataSaver: dataSaver, reducedMotion: reducedMotion, autoplay: autoplay)
  }
}

extension Rendition {
  /// `nil` if the row ends too early; `isSound` becomes false if the numbers fit no file.
  fileprivate init?(_ row: inout WordReader, isSound: inout Bool) {
    guard let edge = row.word(), let peak = row.rate(), let average = row.rate(),
      let initialization = row.byteRange(), let count = row.word(), count >= 0,
      count <= Int64(PlaybackDescriptor.maxSegments)
    else { return nil }
    var segments: [Segment] = []
    // NB: a count alone reserves nothing; the words must be there.
    if row.holds(Int(count) * 3) { segments.reserveCapacity(Int(count)) }
    for _ in 0..<Int(count) {
      guard let range = row.byteRange(), let duration = row.milliseconds() else { return nil }
      if let segment = Segment(range: range, duration: duration) {
        segments.append(segment)
      } else {
        isSound = false
      }
    }
    self.init(
      shortEdge: Int32(clamping: edge), peak: peak, average: average,
      initialization: initialization, segments: segments)
  }
}

extension WordReader {
  fileprivate mutating func two() -> (Int64, Int64)? {
    guard let one = word(), let two = word() else { return nil }
    return (one, two)
  }
}
