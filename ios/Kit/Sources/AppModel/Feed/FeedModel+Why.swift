internal import Contract
internal import Playback

/// Why the clip on the screen is shown, and what follows.
extension FeedModel {
  public var why: WhyThis? { currentClip.map { WhyThis($0, in: host?.feed.list.tab) } }

  public func choose(_ choice: WhyThis.Choice) {
    switch choice {
    case .notInterested: dismissals?.notInterested()
    case .less(let wish, let name): dismissals?.less(wish, name: name)
    case .lessOfSound(let id): dismissals?.lessOfSound(id)
    case .because(let clip): Task { await open(clip) }
    case .similar: openSimilar()
    case .taste: onTaste?()
    }
  }

  public func openSimilar() {
    if let clip = currentClip { onSimilar?(clip) }
  }
}
