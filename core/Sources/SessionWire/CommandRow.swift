import ComposerWire
import CoreTypes
import Prefetch
public import Session
import Wire

/// Commands as rows of words: kind, number of fields, fields (docs/design/session.md).
extension FeedSession.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .mount(let item, let page): words.row(CommandKind.mount, item.rawValue, page)
    case .unmount(let item): words.row(CommandKind.unmount, item.rawValue)
    case .scroll(let position): words.row(CommandKind.scroll, position)
    case .settle(let page, let duration): words.row(CommandKind.settle, Int64(page), duration.rawValue)
    case .hold(let position, let duration): words.row(CommandKind.hold, position, duration.rawValue)
    case .setCurrent(let item, let page): words.row(CommandKind.setCurrent, item.rawValue, page)
    case .requestPage: words.row(CommandKind.requestPage)
    case .showEnd(let shows): words.row(CommandKind.showEnd, shows)
    case .fade(let duration): words.row(CommandKind.fade, duration.rawValue)
    case .load(let player, let item): words.row(CommandKind.load, player.rawValue, item.rawValue)
    case .play(let player): words.row(CommandKind.play, player.rawValue)
    case .pause(let player): words.row(CommandKind.pause, player.rawValue)
    case .seek(let player, let position):
      words.row(CommandKind.seek, Int64(player.rawValue), position.rawValue)
    case .release(let player): words.row(CommandKind.release, player.rawValue)
    case .setMuted(let muted): words.row(CommandKind.setMuted, muted)
    case .hearOnly(let player): words.row(CommandKind.hearOnly, player?.rawValue ?? -1)
    case .fetch(let download):
      words.append(CommandKind.fetch.rawValue)
      words.append(8)
      words.append(Int64(download.request.rawValue))
      words.append(Int64(download.item.rawValue))
      words.append(Int64(download.rendition))
      words.append(Int64(download.firstSegment))
      words.append(Int64(download.segmentCount))
      words.append(download.includesInitialization ? 1 : 0)
      words.append(download.range.offset.rawValue)
      words.append(download.range.size.rawValue)
    case .cancel(let request): words.row(CommandKind.cancel, request.rawValue)
    case .discard(let item): words.row(CommandKind.discard, item.rawValue)
    case .trim(let item, let keeping): words.row(CommandKind.trim, item.rawValue, keeping)
    case .restore(let item, let first, let count):
      words.row(CommandKind.restore.rawValue, fields: Int64(item.rawValue), Int64(first), Int64(count))
    case .persist(let item, let segments): words.row(CommandKind.persist, item.rawValue, segments)
    case .evict(let item, let keeping): words.row(CommandKind.evict, item.rawValue, keeping)
    case .evictUnknown(let bytes): words.row(CommandKind.evictUnknown, bytes.rawValue)
    case .describe(let item): words.row(CommandKind.describe, item.rawValue)
    case .forget(let item): words.row(CommandKind.forget, item.rawValue)
    case .showBuffering(let shows): words.row(CommandKind.showBuffering, shows)
    case .showPaused(let shows): words.row(CommandKind.showPaused, shows)
    case .showNetworkTrouble(let shows): words.row(CommandKind.showNetworkTrouble, shows)
    case .noticeSkipped(let item): words.row(CommandKind.noticeSkipped, item.rawValue)
    case .wake(let instant): words.row(CommandKind.wake, instant.rawValue)
    case .setRefreshRate(let rate): words.row(CommandKind.setRefreshRate, rate)
    case .like(let x, let y): words.row(CommandKind.like, x, y)
    case .showWaiting(let shows): words.row(CommandKind.showWaiting, shows)
    case .composer(let command): command.append(to: &words)
    }
  }
}
