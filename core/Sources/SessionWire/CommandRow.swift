import ComposerWire
import CoreTypes
import Prefetch
public import Session
import Wire

/// Commands as rows of words: kind, number of fields, fields (docs/design/session.md).
extension Session.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .mount(let item, let page): words.row(1, item.rawValue, page)
    case .unmount(let item): words.row(2, item.rawValue)
    case .scroll(let position): words.row(3, position)
    case .settle(let page, let duration): words.row(4, Int64(page), duration.rawValue)
    case .hold(let position, let duration): words.row(5, position, duration.rawValue)
    case .setCurrent(let item, let page): words.row(6, item.rawValue, page)
    case .requestPage: words.row(7)
    case .showEnd(let shows): words.row(8, shows)
    case .fade(let duration): words.row(9, duration.rawValue)
    case .load(let player, let item): words.row(10, player.rawValue, item.rawValue)
    case .play(let player): words.row(11, player.rawValue)
    case .pause(let player): words.row(12, player.rawValue)
    case .seek(let player, let position):
      words.row(13, Int64(player.rawValue), position.rawValue)
    case .release(let player): words.row(14, player.rawValue)
    case .setMuted(let muted): words.row(15, muted)
    case .hearOnly(let player): words.row(16, player?.rawValue ?? -1)
    case .fetch(let download):
      words.append(20)
      words.append(8)
      words.append(Int64(download.request.rawValue))
      words.append(Int64(download.item.rawValue))
      words.append(Int64(download.rendition))
      words.append(Int64(download.firstSegment))
      words.append(Int64(download.segmentCount))
      words.append(download.includesInitialization ? 1 : 0)
      words.append(download.range.offset.rawValue)
      words.append(download.range.size.rawValue)
    case .cancel(let request): words.row(21, request.rawValue)
    case .discard(let item): words.row(22, item.rawValue)
    case .trim(let item, let keeping): words.row(25, item.rawValue, keeping)
    case .restore(let item, let first, let count):
      words.row(26, fields: Int64(item.rawValue), Int64(first), Int64(count))
    case .persist(let item, let segments): words.row(27, item.rawValue, segments)
    case .evict(let item, let keeping): words.row(28, item.rawValue, keeping)
    case .evictUnknown(let bytes): words.row(29, bytes.rawValue)
    case .describe(let item): words.row(23, item.rawValue)
    case .forget(let item): words.row(24, item.rawValue)
    case .showBuffering(let shows): words.row(30, shows)
    case .showPaused(let shows): words.row(31, shows)
    case .showNetworkTrouble(let shows): words.row(32, shows)
    case .noticeSkipped(let item): words.row(33, item.rawValue)
    case .wake(let instant): words.row(34, instant.rawValue)
    case .setRefreshRate(let rate): words.row(35, rate)
    case .like(let x, let y): words.row(36, x, y)
    case .showWaiting(let shows): words.row(37, shows)
    case .composer(let command): command.append(to: &words)
    }
  }
}
