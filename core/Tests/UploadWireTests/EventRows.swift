import CoreTypes
import Upload
import UploadWire

/// The other direction of the wire, which only hosts need.
extension Upload.Event {
  var row: [Int64] {
    switch self {
    case .woke: [UploadEventKind.woke.rawValue]
    case .opened(let seed, let canCompress, let canTrim):
      [UploadEventKind.opened.rawValue, seed.high, seed.low, canCompress ? 1 : 0, canTrim ? 1 : 0]
    case .restored(let snapshot): [UploadEventKind.restored.rawValue] + snapshot.words
    case .fileChosen(let source): [UploadEventKind.fileChosen.rawValue] + source.fields
    case .networkChanged(let isOnline): [UploadEventKind.networkChanged.rawValue, isOnline ? 1 : 0]
    case .signedIn: [UploadEventKind.signedIn.rawValue]
    case .uplinkMeasured(let rate): [UploadEventKind.uplinkMeasured.rawValue, rate.rawValue]
    case .publishRequested: [UploadEventKind.publishRequested.rawValue]
    case .pauseTapped: [UploadEventKind.pauseTapped.rawValue]
    case .resumeTapped: [UploadEventKind.resumeTapped.rawValue]
    case .retryTapped: [UploadEventKind.retryTapped.rawValue]
    case .cancelTapped: [UploadEventKind.cancelTapped.rawValue]
    case .workProgressed(let call, let permille):
      [UploadEventKind.workProgressed.rawValue, Int64(call.rawValue), Int64(permille)]
    case .prepared(let call, let source):
      [UploadEventKind.prepared.rawValue, Int64(call.rawValue)] + source.fields
    case .prepareFailed(let call): [UploadEventKind.prepareFailed.rawValue, Int64(call.rawValue)]
    case .hashed(let call, let hash):
      [
        UploadEventKind.hashed.rawValue, Int64(call.rawValue), hash.first, hash.second, hash.third,
        hash.fourth,
      ]
    case .fileUnreadable(let call): [UploadEventKind.fileUnreadable.rawValue, Int64(call.rawValue)]
    case .receiving(let call, let offer):
      [
        UploadEventKind.receiving.rawValue, Int64(call.rawValue), offer.offset.rawValue,
        offer.smallest.rawValue, offer.largest.rawValue,
      ]
    case .receivingParts(let call, let offer):
      [
        UploadEventKind.receivingParts.rawValue, Int64(call.rawValue), offer.size.rawValue,
        offer.validFor.rawValue, Int64(offer.stored.count),
      ] + offer.stored.map { Int64($0) }
    case .bytesSent(let call, let bytes):
      [UploadEventKind.bytesSent.rawValue, Int64(call.rawValue), bytes.rawValue]
    case .bytesTaken(let call, let offset):
      [UploadEventKind.bytesTaken.rawValue, Int64(call.rawValue), offset.rawValue]
    case .partTaken(let call): [UploadEventKind.partTaken.rawValue, Int64(call.rawValue)]
    case .processing(let call, let permille, let renditions):
      [UploadEventKind.processing.rawValue, Int64(call?.rawValue ?? 0), Int64(permille), Int64(renditions)]
    case .published(let call): [UploadEventKind.published.rawValue, Int64(call?.rawValue ?? 0)]
    case .refused(let call, let code):
      [UploadEventKind.refused.rawValue, Int64(call?.rawValue ?? 0), Int64(code)]
    case .terminated(let call): [UploadEventKind.terminated.rawValue, Int64(call.rawValue)]
    case .failed(let call, let failure):
      [
        UploadEventKind.failed.rawValue, Int64(call.rawValue), Int64(failure.reason.rawValue), failure.detail,
        failure.retryAfter.rawValue,
      ]
    }
  }
}

extension SourceFile {
  fileprivate var fields: [Int64] {
    [Int64(file.rawValue), size.rawValue, duration.rawValue, Int64(kind.rawValue)]
  }
}
