internal import Contract
internal import Ranking

/// An impression that was learned.
struct LearnedImpression {
  let viewer: EntityID
  let clip: EntityID
  let atMs: Int64
  /// What it counted for others, above 0 and at most 1.
  let trust: Float
  let lesson: Lesson
}

extension Ranker {
  /// Learns from what somebody did. Nil: it was no impression, or is not learned.
  func learn(
    _ event: EventLog.Event, trusting model: inout TrustModel, behind recent: inout RecentActions
  ) -> LearnedImpression? {
    let viewer = EntityID(of: event.viewer)
    let atMs = EventLog.ms(of: event.id)
    switch event.kind {
    case .forget:
      forget(viewer)
      recent.forget(viewer)
      return nil
    case .merge:
      if let guest = event.subject.map({ EntityID(of: $0) }) {
        merge(guest, into: viewer)
        recent.merge(guest, into: viewer)
      }
      return nil
    case .unlike:
      if let clip = EntityID(uuid: event.clip) {
        takeBack(clip, by: viewer)
        recent.takeBack(.like, on: clip, by: viewer)
      }
      return nil
    default: break
    }
    // Nothing that authors do with their own clips counts.
    guard let id = EntityID(uuid: event.clip), let known = clip(id), viewer != known.author else {
      return nil
    }
    let trust = model.trust(of: event.origin, on: id, at: atMs)
    guard event.kind == .watch else {
      observe(event.kind.actions, on: id, by: viewer, at: atMs, trust: trust)
      recent.note(event.kind.actions, on: id, by: viewer, atMs: atMs)
      return nil
    }
    let impression = Impression(
      viewer: viewer, clip: id, at: atMs, watched: event.watchedMs ?? known.duration,
      observed: recent.take(on: id, by: viewer, atMs: atMs), surface: event.source?.surface ?? 0, trust: trust
    )
    return learn(from: impression).map {
      LearnedImpression(viewer: viewer, clip: id, atMs: atMs, trust: trust, lesson: $0)
    }
  }
}

extension EventLog.Event {
  /// Nothing is kept of addresses, so all are of one network.
  fileprivate var origin: Origin {
    Origin(isGuest: accountSinceMs == nil, since: accountSinceMs, addressGroup: nil)
  }
}

extension EventLog.Kind {
  fileprivate var actions: Actions {
    switch self {
    case .like: .like
    case .bookmark: .bookmark
    case .share: .share
    case .comment: .comment
    case .follow: .follow
    case .notInterested: .notInterested
    case .watch, .unlike, .forget, .merge: []
    }
  }
}

extension WatchEvent.Source {
  /// A small number for the ranker, which never changes its meaning.
  fileprivate var surface: UInt8 {
    switch self {
    case .feed, .forYou, .following, .latest: 0
    case .link: 1
    case .likes: 2
    case .bookmarks: 3
    case .author: 4
    case .other, .trending, .similar, .own: 5
    case .search: 6
    }
  }
}
