import CoreTypes
public import Upload
import Wire

extension Upload.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .store(let snapshot):
      words.append(120)
      words.append(Int64(Snapshot.wordCount))
      words.append(contentsOf: snapshot.words)
    case .forget: words.row(121)
    case .findFile(let size, let isProduct): words.row(122, size.rawValue, isProduct.word)
    case .noticeOtherFile(let file): words.row(123, file.rawValue)
    case .compress(let call, let file, let target):
      words.row(124, fields: call.word, Int64(file.rawValue), target.rawValue)
    case .offerTrim(let call, let file, let longest, let largest):
      words.row(125, fields: call.word, Int64(file.rawValue), longest.rawValue, largest.rawValue)
    case .hash(let call, let file): words.row(126, call.rawValue, file.rawValue)
    case .stopWork(let call): words.row(127, call.rawValue)
    case .dropFile(let file): words.row(128, file.rawValue)
    case .create(let call, let key, let facts):
      words.row(
        129, fields: call.word, key.high, key.low, facts.size.rawValue, facts.duration.rawValue,
        Int64(facts.kind.rawValue), facts.hash.first, facts.hash.second, facts.hash.third, facts.hash.fourth)
    case .ask(let call): words.row(130, call.rawValue)
    case .sendBytes(let call, let file, let offset, let size):
      words.row(131, fields: call.word, Int64(file.rawValue), offset.rawValue, size.rawValue)
    case .sendPart(let call, let file, let part, let offset, let size):
      words.row(
        132, fields: call.word, Int64(file.rawValue), Int64(part), offset.rawValue, size.rawValue)
    case .commit(let call): words.row(133, call.rawValue)
    case .poll(let call): words.row(134, call.rawValue)
    case .terminate(let call): words.row(135, call.rawValue)
    case .abandon(let call): words.row(136, call.rawValue)
    case .askSignIn: words.row(137)
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
      138, fields: Int64(phase.rawValue), acknowledged.rawValue, inFlight.rawValue, total.rawValue,
      speed.rawValue, remaining?.rawValue ?? -1, Int64(attempt), waitingUntil?.rawValue ?? -1,
      Int64(permille), Int64(renditions), Int64(reason.rawValue), Int64(code), canPause.word,
      canResume.word, canRetry.word, canCancel.word)
  }
}
