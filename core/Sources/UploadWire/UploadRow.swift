public import CoreTypes
public import Room
public import Upload
import Wire

/// The upload's events and commands as rows of words: see docs/design/upload.md. Their numbers do not meet
/// those of the other machines.
extension Upload.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word(), let event = Self.read(kind, &row), row.isAtEnd else { return nil }
    self = event
  }

  private static func read(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 50: .woke
    case 120...124, 145: readSurroundings(kind, &row)
    case 125: .publishRequested
    case 126: .pauseTapped
    case 127: .resumeTapped
    case 128: .retryTapped
    case 129: .cancelTapped
    case 130...134: readWork(kind, &row)
    case 135...139: readTransfer(kind, &row)
    case 140...144: readOutcome(kind, &row)
    default: nil
    }
  }

  private static func readSurroundings(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 120:
      guard let high = row.word(), let low = row.word(), let canCompress = row.flag(),
        let canTrim = row.flag()
      else { return nil }
      return .opened(
        seed: UploadKey(high: high, low: low), canCompress: canCompress, canTrim: canTrim)
    case 121: return readSnapshot(&row)
    case 122: return row.source().map { .fileChosen($0) }
    case 123: return row.flag().map { .networkChanged(isOnline: $0) }
    case 124: return .signedIn
    case 145: return row.word().map { .uplinkMeasured(BitsPerSecond($0)) }
    default: return nil
    }
  }

  /// The row of `store`, word for word.
  private static func readSnapshot(_ row: inout WordReader) -> Self? {
    var words: [Int64] = []
    while words.count < Snapshot.wordCount, let word = row.word() { words.append(word) }
    return Snapshot(words: words).map { .restored($0) }
  }

  private static func readWork(_ kind: Int64, _ row: inout WordReader) -> Self? {
    guard let call = row.call() else { return nil }
    switch kind {
    case 130: return row.small().map { .workProgressed(call, permille: $0) }
    case 131: return row.source().map { .prepared(call, $0) }
    case 132: return .prepareFailed(call)
    case 133:
      guard let first = row.word(), let second = row.word(), let third = row.word(),
        let fourth = row.word()
      else { return nil }
      return .hashed(call, FileHash(first, second, third, fourth))
    case 134: return .fileUnreadable(call)
    default: return nil
    }
  }

  private static func readTransfer(_ kind: Int64, _ row: inout WordReader) -> Self? {
    guard let call = row.call() else { return nil }
    switch kind {
    case 135:
      guard let offset = row.bytes(), let smallest = row.bytes(), let largest = row.bytes()
      else { return nil }
      return .receiving(call, Upload.Offer(offset: offset, smallest: smallest, largest: largest))
    case 136: return readParts(call, &row)
    case 137: return row.bytes().map { .bytesSent(call, $0) }
    case 138: return row.bytes().map { .bytesTaken(call, offset: $0) }
    case 139: return .partTaken(call)
    default: return nil
    }
  }

  private static func readParts(_ call: CallID, _ row: inout WordReader) -> Self? {
    guard let size = row.bytes(), let validFor = row.milliseconds(), let count = row.small(), count >= 0,
      row.holds(Int(count))
    else { return nil }
    var stored: [Int32] = []
    for _ in 0..<count {
      guard let part = row.small() else { return nil }
      stored.append(part)
    }
    return .receivingParts(call, Upload.PartOffer(size: size, validFor: validFor, stored: stored))
  }

  private static func readOutcome(_ kind: Int64, _ row: inout WordReader) -> Self? {
    guard let call = row.call() else { return nil }
    // No request has the number 0: the server spoke unasked.
    let asked = call.rawValue == 0 ? nil : call
    switch kind {
    case 140:
      guard let permille = row.small(), let renditions = row.small() else { return nil }
      return .processing(asked, permille: permille, renditions: renditions)
    case 141: return .published(asked)
    case 142: return row.small().map { .refused(asked, code: $0) }
    case 143: return .terminated(call)
    case 144:
      guard let reason = row.small().flatMap({ Upload.Reason(rawValue: $0) }),
        (Upload.Reason.network.rawValue...Upload.Reason.addressExpired.rawValue).contains(reason.rawValue),
        let detail = row.word(), let retryAfter = row.milliseconds()
      else { return nil }
      return .failed(call, Upload.Failure(reason, detail: detail, retryAfter: retryAfter))
    default: return nil
    }
  }
}

extension WordReader {
  fileprivate mutating func call() -> CallID? { small().map { CallID($0) } }

  fileprivate mutating func source() -> SourceFile? {
    guard let file = small(), let size = bytes(), let duration = milliseconds(), let kind = small()
    else { return nil }
    return SourceFile(
      file: FileID(file), size: size, duration: duration, kind: SourceFile.Kind(rawValue: kind) ?? .unknown)
  }
}

extension Upload: Housed {
  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64]
  ) -> Bool {
    guard let event = Event(words: event) else { return false }
    handle(event, at: now) { $0.append(to: &words) }
    return true
  }
}
