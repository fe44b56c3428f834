import CoreTypes
import Upload

/// The other direction of the wire, which only hosts need.
extension Upload.Event {
  var row: [Int64] {
    switch self {
    case .woke: [50]
    case .opened(let seed, let canCompress, let canTrim):
      [120, seed.high, seed.low, canCompress ? 1 : 0, canTrim ? 1 : 0]
    case .restored(let snapshot): [121] + snapshot.words
    case .fileChosen(let source): [122] + source.fields
    case .networkChanged(let isOnline): [123, isOnline ? 1 : 0]
    case .signedIn: [124]
    case .uplinkMeasured(let rate): [145, rate.rawValue]
    case .publishRequested: [125]
    case .pauseTapped: [126]
    case .resumeTapped: [127]
    case .retryTapped: [128]
    case .cancelTapped: [129]
    case .workProgressed(let call, let permille): [130, Int64(call.rawValue), Int64(permille)]
    case .prepared(let call, let source): [131, Int64(call.rawValue)] + source.fields
    case .prepareFailed(let call): [132, Int64(call.rawValue)]
    case .hashed(let call, let hash):
      [133, Int64(call.rawValue), hash.first, hash.second, hash.third, hash.fourth]
    case .fileUnreadable(let call): [134, Int64(call.rawValue)]
    case .receiving(let call, let offer):
      [
        135, Int64(call.rawValue), offer.offset.rawValue, offer.smallest.rawValue, offer.largest.rawValue,
      ]
    case .receivingParts(let call, let offer):
      [
        136, Int64(call.rawValue), offer.size.rawValue, offer.validFor.rawValue, Int64(offer.stored.count),
      ] + offer.stored.map { Int64($0) }
    case .bytesSent(let call, let bytes): [137, Int64(call.rawValue), bytes.rawValue]
    case .bytesTaken(let call, let offset): [138, Int64(call.rawValue), offset.rawValue]
    case .partTaken(let call): [139, Int64(call.rawValue)]
    case .processing(let call, let permille, let renditions):
      [140, Int64(call?.rawValue ?? 0), Int64(permille), Int64(renditions)]
    case .published(let call): [141, Int64(call?.rawValue ?? 0)]
    case .refused(let call, let code): [142, Int64(call?.rawValue ?? 0), Int64(code)]
    case .terminated(let call): [143, Int64(call.rawValue)]
    case .failed(let call, let failure):
      [
        144, Int64(call.rawValue), Int64(failure.reason.rawValue), failure.detail,
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
