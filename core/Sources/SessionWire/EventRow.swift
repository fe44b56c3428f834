import Composer
import ComposerWire
import CoreTypes
import EnergyBudget
import MediaCache
import Prefetch
public import Session
import Wire

/// Events as rows of words: see docs/design/session.md for the kinds and their fields.
extension Session.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var reader = WordReader(words)
    guard let kind = reader.word(), let event = Self.read(kind, from: &reader), reader.isAtEnd
    else { return nil }
    self = event
  }

  private static func read(_ kind: Int64, from row: inout WordReader) -> Self? {
    switch kind {
    case 1...8: readFeed(kind, &row)
    case 10...19: readPager(kind, &row)
    case 20...29, 82: readPlayer(kind, &row)
    case 30...33: readNetwork(kind, &row)
    case 40...53: readPerson(kind, &row)
    case 54...59: readStorage(kind, &row)
    case 80: readTouch(&row)
    case 81: row.flag().map { .firstFrameRequired($0) }
    case 61...74: Composer.Event.read(kind, from: &row).map { .composer($0) }
    default: nil
    }
  }

  private static func readFeed(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 1: Session.Configuration(&row).map { .started($0) }
    case 2, 6, 7: readItem(kind, &row)
    case 8: readRetention(&row)
    case 3: row.flag().map { .pageLoaded(hasMore: $0) }
    case 4: .pageFailed
    case 5: row.item().map { .itemRemoved($0) }
    default: nil
    }
  }

  /// A row that is complete but describes no clip is no malformed event: the clip is refused.
  private static func readItem(_ kind: Int64, _ row: inout WordReader) -> Self? {
    var place: ItemID?
    if kind == 6 {
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
    return kind == 7 ? .itemDescribed(item, descriptor) : .itemAppended(item, descriptor)
  }

  private static func readPager(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 10:
      guard let height = row.word(), let edge = row.word() else { return nil }
      return .viewportResized(height: height, shortEdge: edge)
    case 11: return .dragBegan
    case 12: return row.word().map { .dragMoved(translation: $0) }
    case 13:
      guard let translation = row.word(), let velocity = row.word() else { return nil }
      return .dragEnded(translation: translation, velocity: velocity)
    case 14: return .dragCancelled
    case 15: return row.word().map { .stepped(pages: $0) }
    case 16: return row.word().map { .jumped(page: $0) }
    case 17: return row.word().map { .wheelMoved(delta: $0) }
    case 18: return row.word().map { .settleFinished(page: $0) }
    case 19: return row.item().map { .jumpedToItem($0) }
    default: return nil
    }
  }

  private static func readPlayer(_ kind: Int64, _ row: inout WordReader) -> Self? {
    guard let player = row.player(), let item = row.item() else { return nil }
    switch kind {
    case 20: return .firstFrameReady(player, item)
    case 21: return .playbackAdvanced(player, item)
    case 22: return .playbackStalled(player, item)
    case 23: return row.milliseconds().map { .positionChanged(player, item, $0) }
    case 24: return .looped(player, item)
    case 25: return .playerFailed(player, item)
    case 26: return .autoplayRefused(player, item)
    case 27: return .playbackEnded(player, item)
    case 28: return .pictureInPictureBegan(player, item)
    case 29: return row.flag().map { .pictureInPictureEnded(player, item, returns: $0) }
    case 82: return row.flag().map { .pictureInPicturePlayed(player, item, isOn: $0) }
    default: return nil
    }
  }

  private static func readNetwork(_ kind: Int64, _ row: inout WordReader) -> Self? {
    if kind == 33 { return row.flag().map { .networkChanged(isOnline: $0) } }
    guard let request = row.request() else { return nil }
    switch kind {
    case 30:
      guard let item = row.item(), let rendition = row.small(), let segment = row.small()
      else { return nil }
      return .segmentStored(request, item, rendition: rendition, segment: segment)
    case 31:
      guard let bytes = row.bytes(), let elapsed = row.milliseconds(),
        let first = row.milliseconds()
      else { return nil }
      return .fetchFinished(request, bytes, elapsed: elapsed, firstByte: first)
    case 32:
      return row.word().flatMap { Prefetch.FailureReason(rawValue: $0) }
        .map { .fetchFailed(request, $0) }
    default: return nil
    }
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

  private static func readStorage(_ kind: Int64, _ row: inout WordReader) -> Self? {
    if kind == 59 { return .storage(.clearRequested) }
    if kind == 54 {
      guard let budget = row.bytes(), let used = row.bytes() else { return nil }
      return .diskFound(budget: budget, used: used)
    }
    guard let item = row.item() else { return nil }
    switch kind {
    case 55:
      guard let segments = row.small(), let bytes = row.bytes(), let age = row.milliseconds(),
        let isSaved = row.flag()
      else { return nil }
      return .storage(.diskHolds(item, segments: segments, bytes, age: age, isSaved: isSaved))
    case 56: return .storage(.restoreFailed(item))
    case 57:
      guard let segments = row.small(), let bytes = row.bytes(), let isFull = row.flag()
      else { return nil }
      return .storage(.persistFailed(item, segments: segments, bytes, isFull: isFull))
    case 58: return row.flag().map { .storage(.savedForOffline(item, $0)) }
    default: return nil
    }
  }

  private static func readTouch(_ row: inout WordReader) -> Self? {
    guard let x = row.word(), let y = row.word() else { return nil }
    return .touched(x: x, y: y)
  }

  private static func readPerson(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 40: .tapped
    case 41: row.flag().map { .soundSet(isOn: $0) }
    case 42: .scrubBegan
    case 43: row.milliseconds().map { .scrubMoved($0) }
    case 44: row.milliseconds().map { .scrubEnded($0) }
    case 45: .retryRequested
    case 46: .backgrounded
    case 47: .foregrounded
    case 48: .memoryWarned
    case 49: row.flag().map { .feedLocked($0) }
    case 50: .woke
    case 51: .cameraOpened
    case 52: .cameraClosed
    case 53: Conditions(&row).map { .conditionsChanged($0) }
    default: nil
    }
  }
}

extension Session.Configuration {
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
