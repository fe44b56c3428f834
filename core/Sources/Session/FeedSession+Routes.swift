internal import CoreTypes
internal import FeedPager
internal import PlayerPool
internal import Prefetch

/// Which events and commands of the session are those of one machine.

extension FeedPager.Event {
  init?(_ event: FeedSession.Event) {
    switch event {
    case .pageLoaded(let hasMore): self = .pageLoaded(hasMore: hasMore)
    case .pageFailed: self = .pageFailed
    case .dragMoved(let translation): self = .dragMoved(translation: translation)
    case .dragEnded(let translation, let velocity):
      self = .dragEnded(translation: translation, velocity: velocity)
    case .dragCancelled: self = .dragCancelled
    case .stepped(let pages): self = .stepped(pages: pages)
    case .jumped(let page): self = .jumped(page: page)
    case .jumpedToItem(let item): self = .jumpedToItem(item)
    case .wheelMoved(let delta): self = .wheelMoved(delta: delta)
    case .firstFrameRequired(let isRequired): self = .firstFrameRequired(isRequired)
    default: return nil
    }
  }
}

extension PlayerPool.Event {
  init?(_ event: FeedSession.Event) {
    switch event {
    case .firstFrameReady(let player, let item): self = .firstFrameReady(player, item)
    case .playbackAdvanced(let player, let item): self = .playbackAdvanced(player, item)
    case .playbackStalled(let player, let item): self = .playbackStalled(player, item)
    case .playbackEnded(let player, let item): self = .playbackEnded(player, item)
    case .playerFailed(let player, let item): self = .playerFailed(player, item)
    case .autoplayRefused(let player, let item): self = .autoplayRefused(player, item)
    case .soundSet(let isOn): self = .soundSet(isOn: isOn)
    case .scrubMoved(let position): self = .scrubMoved(position)
    case .scrubEnded(let position): self = .scrubEnded(position)
    case .looped(let player, let item): self = .looped(player, item)
    case .pictureInPictureBegan(let player, let item): self = .pictureInPictureBegan(player, item)
    case .pictureInPicturePlayed(let player, let item, let isOn):
      self = .pictureInPicturePlayed(player, item, isOn: isOn)
    default: return nil
    }
  }
}

extension Prefetch.Event {
  init?(_ event: FeedSession.Event) {
    switch event {
    case .fetchFinished(let request, let bytes, let elapsed, let firstByte):
      self = .fetchFinished(request, bytes, elapsed: elapsed, firstByte: firstByte)
    case .fetchFailed(let request, let reason): self = .fetchFailed(request, reason)
    default: return nil
    }
  }
}

extension FeedSession.Command {
  init(_ command: FeedPager.Command) {
    switch command {
    case .mount(let item, let page): self = .mount(item, page: page)
    case .unmount(let item): self = .unmount(item)
    case .scroll(let position): self = .scroll(position)
    case .settle(let page, let duration): self = .settle(page: page, duration: duration)
    case .hold(let position, let duration): self = .hold(position, duration: duration)
    case .fade(let duration): self = .fade(duration)
    case .setCurrent(let item, let page): self = .setCurrent(item, page: page)
    case .requestPage: self = .requestPage
    case .showEnd(let shows): self = .showEnd(shows)
    case .showWaiting(let shows): self = .showWaiting(shows)
    case .forget(let item): self = .forget(item)
    }
  }

  /// `nil` for what is meant for another machine.
  init?(_ command: PlayerPool.Command) {
    switch command {
    case .load(let player, let item): self = .load(player, item)
    case .play(let player): self = .play(player)
    case .pause(let player): self = .pause(player)
    case .seek(let player, let position): self = .seek(player, position)
    case .release(let player): self = .release(player)
    case .setMuted(let muted): self = .setMuted(muted)
    case .hearOnly(let player): self = .hearOnly(player)
    case .showBuffering(let shows): self = .showBuffering(shows)
    case .showPaused(let shows): self = .showPaused(shows)
    case .readinessChanged, .itemFailed: return nil
    }
  }

  /// `nil` for what is meant for another machine.
  init?(_ command: Prefetch.Command) {
    switch command {
    case .fetch(let download): self = .fetch(download)
    case .cancel(let request): self = .cancel(request)
    case .itemGone: return nil
    }
  }
}
