internal import CoreTypes
internal import MediaCache
internal import Prefetch

/// What is stored: the cache decides what goes, the prefetch hears of it.
extension FeedSession {
  mutating func store(
    _ item: ItemID, rendition: Int32, segment: Int32, _ emit: (Command) -> Void
  ) {
    // What nobody has asked for, or no descriptor names, has no size: it does not count.
    let size = prefetch.size(of: item, rendition: rendition, segment: segment)
    if size > .zero {
      send(cache: .segmentStored(item, rendition: rendition, segment: segment, size), emit)
    }
    send(prefetch: .segmentStored(item, rendition: rendition, segment: segment), emit)
  }

  @inline(never) mutating func send(cache event: MediaCache.Event, _ emit: (Command) -> Void) {
    let before = cache.room
    var news: [Prefetch.Event] = []
    cache.handle(event, at: clock.now) { command in
      if let event = Prefetch.Event(command) { news.append(event) }
      if let command = Command(command) { emit(command) }
    }
    for event in news { send(prefetch: event, emit) }
    if cache.room != before { send(prefetch: .roomChanged(cache.room), emit) }
  }
}

extension Prefetch.Event {
  fileprivate init?(_ command: MediaCache.Command) {
    switch command {
    case .discard(let item, let keeping): self = .discarded(item, keeping: keeping)
    case .restore(let item, _, _): self = .restoring(item, true)
    case .restoringEnded(let item): self = .restoring(item, false)
    case .persist, .evict, .evictUnknown: return nil
    }
  }
}

extension FeedSession.Command {
  /// `nil` for what is meant for another machine.
  fileprivate init?(_ command: MediaCache.Command) {
    switch command {
    case .discard(let item, let keeping):
      self = keeping > 0 ? .trim(item, keeping: keeping) : .discard(item)
    case .restore(let item, let first, let count): self = .restore(item, first: first, count: count)
    case .persist(let item, let segments): self = .persist(item, segments: segments)
    case .evict(let item, let keeping): self = .evict(item, keeping: keeping)
    case .evictUnknown(let bytes): self = .evictUnknown(bytes)
    case .restoringEnded: return nil
    }
  }
}
