import Contract
import CoreTypes
import Foundation
import Playback
import Synchronization

/// An ordinary app beside the host: three players on the server's own HLS, the clip on the screen, the one
/// before, and the next one, which is loaded as soon as the current one plays. No core, no store, no disk:
/// what comes when is the players' to say. The person, the feed and the link are those of an evening.
@MainActor final class PlainPool {
  /// One of the three players.
  private struct Slot {
    let player: DecodingPlayer
    var index: Int?
    var load = 0
    var hasFirst = false
    var isShown = false
    var isMoving = false
    var position = Milliseconds.zero
  }

  /// What a range of a file is.
  private struct Place: Hashable {
    let index: Int
    let rendition: Int
    /// −1 is the initialisation section.
    let segment: Int
  }

  private struct Visit {
    let began: Instant
    let isFirst: Bool
    var isServed = false
    var isShown = false
  }

  private let options: Evening.Options
  private let profile: Link.Profile
  private let link: Link
  private let clock = SystemClock()
  private let transport: HTTPTransport
  private let pageBytes = PageBytes()
  private let source: EndlessFeed
  private let relay: Relay
  private let inbox: Inbox
  private var person: Person
  private var clips: [Clip] = []
  private var cursor: String?
  private var paging: Task<Void, Never>?
  private var slots: [Slot]
  private var current = 0
  private var loads = 0
  private var visit: Visit?
  private var waits = Inspector.Waits()
  private var left = 0
  private var stalls = 0
  private var lateDecoders = 0
  /// By load, since a player begins with nothing: the segments that it has got.
  private var served: [Int: Set<Int>] = [:]
  private var servedBytes: [Place: Int] = [:]
  private var watched: [Int: Milliseconds] = [:]

  init(_ options: Evening.Options, _ profile: Link.Profile) {
    self.options = options
    self.profile = profile
    let link = Link(profile)
    self.link = link
    transport = HTTPTransport(base: options.handset.server)
    source = EndlessFeed(client: Client(transport: transport), link: link, bytes: pageBytes)
    let inbox = Inbox()
    relay = Relay(transport, base: options.handset.server, link: link, served: { inbox.add($0) })
    self.inbox = inbox
    person = Person(seed: options.seed, pace: options.pace)
    slots = (0..<3).map { [clock] _ in Slot(player: DecodingPlayer(clock: clock)) }
  }

  func run() async throws -> Figures {
    try await relay.start()
    for number in slots.indices {
      slots[number].player.report = { [weak self] in self?.reported($0, number) }
    }
    let ticker = Task { [weak self] in
      while !Task.isCancelled {
        self?.tick()
        try? await Task.sleep(for: .milliseconds(12))
      }
    }
    await turnPage()
    show(0, at: clock.now)
    for _ in 0..<options.swipes {
      try await Task.sleep(for: person.dwell())
      let up = person.flicksUp()
      let next = current + (up ? 1 : -1)
      if clips.indices.contains(next) { show(next, at: clock.now) }
    }
    try await Task.sleep(for: person.dwell())
    ticker.cancel()
    for slot in slots { slot.player.release() }
    await relay.stop()
    await relay.ledger.settled()
    transport.invalidate()
    let media = relay.ledger.all
    return Figures(
      phone: "plain pool", link: profile.name, swipes: options.swipes, waits: waits, left: left,
      stalls: stalls, lateDecoders: lateDecoders,
      requests: media.count + relay.texts.count + pageBytes.pages, bytes: await link.bytes,
      unseen: max(0, media.reduce(0) { $0 + $1.bytes } - shownBytes))
  }

  /// The clip on the screen is another one.
  private func show(_ index: Int, at now: Instant) {
    if let visit, !visit.isServed, !visit.isFirst {
      left += 1
      waits.player.append((now - visit.began).rawValue)
    }
    visit = Visit(began: now, isFirst: visit == nil)
    current = index
    let number = attach(index)
    for (other, slot) in slots.enumerated() where other != number { slot.player.pause() }
    slots[number].player.play()
    if slots[number].isMoving { preload() }
    if clips.count - index <= 4, paging == nil {
      paging = Task {
        await turnPage()
        paging = nil
      }
    }
    tick()
  }

  /// The player that has the clip, or the one whose clip is farthest away gets it.
  private func attach(_ index: Int) -> Int {
    if let number = slots.firstIndex(where: { $0.index == index }) { return number }
    let number = slots.indices.max { distance(of: slots[$0]) < distance(of: slots[$1]) } ?? 0
    relay.forget(slots[number].load)
    served[slots[number].load] = nil
    loads += 1
    let clip = clips[index]
    slots[number] = Slot(player: slots[number].player, index: index, load: loads)
    let address = relay.address(of: clip.playback.hlsUrl, load: loads)
    slots[number].player.load(
      PlayerMedia(
        item: ItemID(Int32(index)), address: address, origin: address,
        duration: Milliseconds(Int64(clip.playback.durationMs)),
        frameRate: clip.playback.renditions.first?.frameRate ?? 0))
    return number
  }

  private func distance(of slot: Slot) -> Int { slot.index.map { abs($0 - current) } ?? .max }

  private func preload() {
    if clips.indices.contains(current + 1) { _ = attach(current + 1) }
  }

  private func turnPage() async {
    guard let page = try? await source.page(of: .latest, after: cursor, limit: 10) else { return }
    clips += page.items
    cursor = page.nextCursor
  }

  private func reported(_ report: PlayerReport, _ number: Int) {
    let index = Int(report.item.rawValue)
    let isCurrent = index == current
    switch report.event {
    case .firstFrameReady: slots[number].isShown = true
    case .playbackAdvanced:
      slots[number].isMoving = true
      if isCurrent { preload() }
    case .playbackStalled where isCurrent:
      if hasBytes(slots[number]) { lateDecoders += 1 } else { stalls += 1 }
    case .positionChanged(let position):
      slots[number].position = position
      watched[index] = max(watched[index] ?? .zero, position)
    case .looped: watched[index] = Milliseconds(.max)
    case .failed:
      // Once more, as an app does whose item has failed.
      slots[number].index = nil
      if isCurrent { slots[attach(index)].player.play() }
    default: break
    }
  }

  /// Whether the player has got what it needs half a second from where it stands.
  private func hasBytes(_ slot: Slot) -> Bool {
    guard let index = slot.index else { return false }
    let starts = starts(of: index)
    let last = starts.lastIndex { $0 <= slot.position + Milliseconds(500) } ?? 0
    return [last, max(0, last - 1)].allSatisfy { served[slot.load]?.contains($0) == true }
  }

  private func starts(of index: Int) -> [Milliseconds] {
    var start: Int64 = 0
    return (clips[index].playback.renditions.first?.segments ?? []).map { segment in
      defer { start += Int64(segment.durationMs) }
      return Milliseconds(start)
    }
  }

  private func tick() {
    for slot in slots { slot.player.tick() }
    for segment in inbox.takeAll() { take(segment) }
    guard var visit, let slot = slots.first(where: { $0.index == current }) else { return }
    let waited = (clock.now - visit.began).rawValue
    if !visit.isServed, slot.hasFirst {
      visit.isServed = true
      if !visit.isFirst { waits.player.append(waited) }
    }
    if !visit.isShown, slot.isShown {
      visit.isShown = true
      if !visit.isFirst { waits.frame.append(waited) }
    }
    self.visit = visit
  }

  private func take(_ segment: Relay.Served) {
    guard let number = slots.firstIndex(where: { $0.load == segment.load }), let index = slots[number].index,
      let place = place(of: segment, in: index)
    else { return }
    servedBytes[place] = segment.range.count
    if place.segment >= 0 {
      slots[number].hasFirst = true
      served[segment.load, default: []].insert(place.segment)
    }
  }

  private func place(of segment: Relay.Served, in index: Int) -> Place? {
    for (number, rendition) in clips[index].playback.renditions.enumerated()
    where URL(string: rendition.url)?.path == segment.path {
      if rendition.initialization.offset == segment.range.lowerBound {
        return Place(index: index, rendition: number, segment: -1)
      }
      return rendition.segments.firstIndex { $0.offset == segment.range.lowerBound }
        .map { Place(index: index, rendition: number, segment: $0) }
    }
    return nil
  }

  /// As of an evening: a player got them whole, once, and the picture got there.
  private var shownBytes: Int {
    servedBytes.reduce(0) { sum, served in
      guard let watched = watched[served.key.index] else { return sum }
      if served.key.segment < 0 { return sum + served.value }
      return starts(of: served.key.index)[served.key.segment] <= watched ? sum + served.value : sum
    }
  }
}

/// Segments that players have got, from whatever thread.
private final class Inbox: Sendable {
  private let segments = Mutex<[Relay.Served]>([])

  func add(_ segment: Relay.Served) { segments.withLock { $0.append(segment) } }

  func takeAll() -> [Relay.Served] {
    segments.withLock { segments in
      defer { segments = [] }
      return segments
    }
  }
}
