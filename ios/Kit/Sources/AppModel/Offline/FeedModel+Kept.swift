public import Contract
internal import Playback
internal import Session

extension FeedModel {
  /// More would make a feed of its own.
  static let mostWatched = 20

  /// Plays these clips next, in their order: they are put on top of the feed, if they are not in it, and the
  /// first is gone to. Clips that are on this device play without a network.
  public func watch(_ clips: [Clip]) {
    guard let host, let first = clips.first else { return }
    for clip in clips.prefix(Self.mostWatched).reversed() { _ = host.feed.insert(clip) }
    guard let item = host.feed.item(of: first.id) else { return announcements.post(.clipSkipped) }
    host.report(.jumpedToItem(item))
  }
}
