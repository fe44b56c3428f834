import CoreTypes
public import Upload
import Wire

extension Upload.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .store(let snapshot):
      words.append(UploadCommandKind.store.rawValue)
      words.append(Int64(Snapshot.wordCount))
      words.append(contentsOf: snapshot.words)
    case .forget: words.row(UploadCommandKind.forget)
    case .findFile(let size, let isProduct):
      words.row(UploadCommandKind.findFile, size.rawValue, isProduct.word)
    case .noticeOtherFile(let file): words.row(UploadCommandKind.noticeOtherFile, file.rawValue)
    case .compress(let call, let file, let target):
      words.row(
        UploadCommandKind.compress.rawValue, fields: call.word, Int64(file.rawValue), target.rawValue)
    case .offerTrim(let call, let file, let longest, let largest):
      words.row(
        UploadCommandKind.offerTrim.rawValue, fields: call.word, Int64(file.rawValue), longest.rawValue,
        largest.rawValue)
    case .hash(let call, let file): words.row(UploadCommandKind.hash, call.rawValue, file.rawValue)
    case .stopWork(let call): words.row(UploadCommandKind.stopWork, call.rawValue)
    case .dropFile(let file): words.row(UploadCommandKind.dropFile, file.rawValue)
    case .create(let call, let key, let facts):
      words.row(
        UploadCommandKind.create.rawValue, fields: call.word, key.high, key.low, facts.size.rawValue,
        facts.duration.rawValue,
        Int64(facts.kind.rawValue), facts.hash.first, facts.hash.second, facts.hash.third, facts.hash.fourth)
    case .ask(let call): words.row(UploadCommandKind.ask, call.rawValue)
    case .sendBytes(let call, let file, let offset, let size):
      words.row(
        UploadCommandKind.sendBytes.rawValue, fields: call.word, Int64(file.rawValue), offset.rawValue,
        size.rawValue)
    case .sendPart(let call, let file, let part, let offset, let size):
      words.row(
        UploadCommandKind.sendPart.rawValue, fields: call.word, Int64(file.rawValue), Int64(part),
        offset.rawValue, size.rawValue)
    case .commit(let call): words.row(UploadCommandKind.commit, call.rawValue)
    case .poll(let call): words.row(UploadCommandKind.poll, call.rawValue)
    case .terminate(let call): words.row(UploadCommandKind.terminate, call.rawValue)
    case .abandon(let call): words.row(UploadCommandKind.abandon, call.rawValue)
    case .askSignIn: words.row(UploadCommandKind.askSignIn)
    case .show(let screen): screen.append(to: &words)
    }
  }
}

extension CallID {
  fileprivate var word: Int64 { Int64(rawValue) }
}

extension Upload.Screen {
  fileprivate func append(to words: inout [Int64]) {
    words.row(
      UploadCommandKind.show.rawValue, fields: Int64(phase.rawValue), acknowledged.rawValue,
      inFlight.rawValue, total.rawValue,
      speed.rawValue, remaining?.rawValue ?? -1, Int64(attempt), waitingUntil?.rawValue ?? -1,
      Int64(permille), Int64(renditions), Int64(reason.rawValue), Int64(code), canPause.word,
      canResume.word, canRetry.word, canCancel.word)
  }
}
