public import CoreTypes
public import MachineHost
public import Upload
import Wire

/// The upload's events and commands as rows of words: see docs/design/upload.md. Their numbers do not meet
/// those of the other machines.
extension Upload.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word().flatMap({ UploadEventKind(rawValue: $0) }), let event = Self.read(kind, &row),
      row.isAtEnd
    else { return nil }
    self = event
  }

  private static func read(_ kind: UploadEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .woke: .woke
    case .opened: readOpened(&row)
    case .restored: readSnapshot(&row)
    case .fileChosen: row.source().map { .fileChosen($0) }
    case .networkChanged: row.flag().map { .networkChanged(isOnline: $0) }
    case .signedIn: .signedIn
    case .uplinkMeasured: row.word().map { .uplinkMeasured(BitsPerSecond($0)) }
    case .publishRequested: .publishRequested
    case .pauseTapped: .pauseTapped
    case .resumeTapped: .resumeTapped
    case .retryTapped: .retryTapped
    case .cancelTapped: .cancelTapped
    case .workProgressed, .prepared, .prepareFailed, .hashed, .fileUnreadable: readWork(kind, &row)
    case .receiving, .receivingParts, .bytesSent, .bytesTaken, .partTaken: readTransfer(kind, &row)
    case .processing, .published, .refused, .terminated, .failed: readOutcome(kind, &row)
    }
  }

  private static func readOpened(_ row: inout WordReader) -> Self? {
    guard let high = row.word(), let low = row.word(), let canCompress = row.flag(), let canTrim = row.flag()
    else { return nil }
    return .opened(seed: UploadKey(high: high, low: low), canCompress: canCompress, canTrim: canTrim)
  }

  /// The row of `store`, word for word.
  private static func readSnapshot(_ row: inout WordReader) -> Self? {
    var words: [Int64] = []
    while words.count < Snapshot.wordCount, let word = row.word() { words.append(word) }
    return Snapshot(words: words).map { .restored($0) }
  }

  private static func readWork(_ kind: UploadEventKind, _ row: inout WordReader) -> Self? {
    guard let call = row.call() else { return nil }
    switch kind {
    case .workProgressed: return row.small().map { .workProgressed(call, permille: $0) }
    case .prepared: return row.source().map { .prepared(call, $0) }
    case .prepareFailed: return .prepareFailed(call)
    case .hashed:
      guard let first = row.word(), let second = row.word(), let third = row.word(),
        let fourth = row.word()
      else { return nil }
      return .hashed(call, FileHash(first, second, third, fourth))
    case .fileUnreadable: return .fileUnreadable(call)
    default: return nil
    }
  }

  private static func readTransfer(_ kind: UploadEventKind, _ row: inout WordReader) -> Self? {
    guard let call = row.call() else { return nil }
    switch kind {
    case .receiving:
      guard let offset = row.bytes(), let smallest = row.bytes(), let largest = row.bytes()
      else { return nil }
      return .receiving(call, Upload.Offer(offset: offset, smallest: smallest, largest: largest))
    case .receivingParts: return readParts(call, &row)
    case .bytesSent: return row.bytes().map { .bytesSent(call, $0) }
    case .bytesTaken: return row.bytes().map { .bytesTaken(call, offset: $0) }
    case .partTaken: return .partTaken(call)
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

  private static func readOutcome(_ kind: UploadEventKind, _ row: inout WordReader) -> Self? {
    guard let call = row.call() else { return nil }
    // No request has the number 0: the server spoke unasked.
    let asked = call.rawValue == 0 ? nil : call
    switch kind {
    case .processing:
      guard let permille = row.small(), let renditions = row.small() else { return nil }
      return .processing(asked, permille: permille, renditions: renditions)
    case .published: return .published(asked)
    case .refused: return row.small().map { .refused(asked, code: $0) }
    case .terminated: return .terminated(call)
    case .failed:
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

extension Upload: HostedMachine {
  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64]
  ) -> Bool {
    guard let event = Event(words: event) else { return false }
    handle(event, at: now) { $0.append(to: &words) }
    return true
  }
}
