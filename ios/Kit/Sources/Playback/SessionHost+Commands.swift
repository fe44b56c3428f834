internal import Contract
internal import CoreTypes
internal import Foundation
internal import MediaStore
internal import Session

extension SessionHost {
  func carryOut(_ command: FeedSession.Command) {
    switch command {
    // Whoever puts another list in its place says what that one still has.
    case .requestPage where feed.isChanging: break
    case .requestPage:
      // At once, and not in a task: what the last visit left is there with the first frame of the app.
      feed.resume()
      Task { await feed.requestPage() }
    case .load(let player, let item): load(player, item)
    case .play(let player):
      attached[player.rawValue]?.isPlaying = true
      port(player)?.play()
    case .pause(let player):
      attached[player.rawValue]?.isPlaying = false
      port(player)?.pause()
    case .seek(let player, let position):
      attached[player.rawValue]?.position = position
      port(player)?.seek(to: position)
    case .release(let player): release(player)
    case .setMuted(let isMuted):
      self.isMuted = isMuted
      applySound()
      ports.screen.show(command, in: self)
    case .hearOnly(let player):
      heard = player
      applySound()
    case .fetch(let download): downloads.fetch(download)
    case .cancel(let request): downloads.cancel(request)
    case .discard(let item): ports.memory.trim(item.rawValue, keeping: 0)
    case .trim(let item, let keeping): ports.memory.trim(item.rawValue, keeping: keeping)
    case .restore(let item, let first, let count): disk?.restore(item, first, count)
    case .persist(let item, let segments): disk?.persist(item, segments)
    case .evict(let item, let keeping): disk?.evict(item, keeping)
    case .evictUnknown(let bytes): disk?.evictUnknown(bytes.rawValue)
    case .describe(let item): feed.describe(item)
    case .forget(let item):
      feed.forget(item)
      ports.memory.forget(item.rawValue)
    case .wake(let instant): ports.clock.wake(at: instant) { [weak self] in self?.report(.woke) }
    case .noticeSkipped(let item):
      feed.leaveOut(item)
      ports.screen.show(command, in: self)
    case .mount, .unmount, .scroll, .settle, .hold, .fade, .setCurrent, .showEnd, .showBuffering, .showPaused,
      .showNetworkTrouble, .setRefreshRate, .like, .showWaiting, .composer:
      ports.screen.show(command, in: self)
    }
  }

  func playerReported(_ report: PlayerReport, _ player: PlayerID) {
    let item = report.item
    ports.screen.playerReported(report, in: self)
    switch report.event {
    case .firstFrameReady:
      if attached[player.rawValue]?.item == item { attached[player.rawValue]?.hasPicture = true }
      self.report(.firstFrameReady(player, item))
    case .playbackAdvanced: self.report(.playbackAdvanced(player, item))
    case .playbackStalled: self.report(.playbackStalled(player, item))
    case .positionChanged(let position):
      if attached[player.rawValue]?.item == item { attached[player.rawValue]?.position = position }
      self.report(.positionChanged(player, item, position))
    case .looped: self.report(.looped(player, item))
    case .playbackEnded: self.report(.playbackEnded(player, item))
    case .failed: self.report(.playerFailed(player, item))
    case .autoplayRefused: self.report(.autoplayRefused(player, item))
    case .pictureInPictureBegan: self.report(.pictureInPictureBegan(player, item))
    case .pictureInPictureEnded(let returns):
      self.report(.pictureInPictureEnded(player, item, returns: returns))
    case .pictureInPicturePlayed(let isOn): self.report(.pictureInPicturePlayed(player, item, isOn: isOn))
    case .framesShown(let shortEdge, let shown, let dropped):
      self.report(.framesShown(shortEdge: shortEdge, shown: shown, dropped: dropped))
    }
  }

  private func port(_ player: PlayerID) -> (any PlayerPort)? {
    ports.players.indices.contains(Int(player.rawValue)) ? ports.players[Int(player.rawValue)] : nil
  }

  private func load(_ player: PlayerID, _ item: ItemID) {
    guard let clip = feed.clip(item), let port = port(player) else { return }
    let load = ports.addressing.open(clip)
    let old = attached.updateValue(Attached(item: item, load: load), forKey: player.rawValue)
    port.load(media(of: clip, load))
    if let old { ports.addressing.close(old.load) }
  }

  /// The same clip again, from where it stands: what the player was promised does not come.
  func loadAgain(_ stale: MediaLoad) {
    guard let (number, old) = attached.first(where: { $0.value.load == stale }),
      let clip = feed.clip(old.item), let port = port(PlayerID(number))
    else { return }
    var new = old
    new.load = ports.addressing.open(clip)
    new.hasPicture = false
    attached[number] = new
    port.load(media(of: clip, new.load))
    if new.position > .zero { port.seek(to: new.position) }
    if new.isPlaying { port.play() }
    ports.addressing.close(stale)
  }

  private func media(of clip: FeedClip, _ load: MediaLoad) -> PlayerMedia {
    let origin = URL(string: clip.clip.playback.hlsUrl, relativeTo: ports.base)?.absoluteURL ?? ports.base
    return PlayerMedia(
      item: clip.item, address: load.address, origin: origin, duration: clip.duration,
      frameRate: clip.renditions[0].frameRate)
  }

  private func release(_ player: PlayerID) {
    port(player)?.release()
    if let old = attached.removeValue(forKey: player.rawValue) { ports.addressing.close(old.load) }
  }

  private func applySound() {
    for (number, player) in ports.players.enumerated() {
      player.setMuted(isMuted || (heard != nil && heard != PlayerID(Int32(number))))
    }
  }
}
