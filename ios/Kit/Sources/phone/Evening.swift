import Contract
import CoreTypes
import Device
import Foundation
import MediaProxy
import MediaStore
import Persistence
import Playback
import Session

/// A person with a phone over one kind of link, for so many swipes.
@MainActor final class Evening {
  struct Options {
    var handset = Handset.Options()
    var swipes = 40
    var seed: UInt64 = 1
    var pace = 1.0
    /// After how many swipes the app goes to the background for a moment: then clips are kept on disk.
    var leavesEvery = 40
    /// Memory that the whole program may have more at the end than at swipe 100. It holds what the budget of
    /// memory has left at that time, and what the allocator keeps of it.
    var growth = 32 * 1_048_576
    /// Whether it says what it is about to save and what it has saved, for whoever kills it.
    var tells = false
  }

  private let options: Options
  private let profile: Link.Profile
  private let link: Link
  private let ledger = Ledger()
  private let transport: HTTPTransport
  private let pageBytes = PageBytes()
  private var person: Person
  /// Of the link's deaths.
  private var weather: SeededGenerator
  private var residentAtHundred = 0

  init(_ options: Options, _ profile: Link.Profile) {
    self.options = options
    self.profile = profile
    link = Link(profile)
    person = Person(seed: options.seed, pace: options.pace)
    weather = SeededGenerator(seed: options.seed &+ 1)
    transport = HTTPTransport(base: options.handset.server)
  }

  func run() async throws -> Figures {
    let phone = try Handset(
      options.handset, transport: ShapedTransport(base: transport, link: link, ledger: ledger),
      source: EndlessFeed(client: Client(transport: transport), link: link, bytes: pageBytes))
    phone.start()
    tell("started")
    for swipe in 0..<options.swipes {
      try await Task.sleep(for: person.dwell())
      let up = person.flicksUp()
      if phone.inspector.current != nil { phone.flick(up: up) }
      if swipe % 25 == 24 { phone.device.onNotice?(.memoryWarned) }
      if swipe % options.leavesEvery == options.leavesEvery - 1 { try await phone.leave() }
      if profile.dies, swipe % 6 == 5 { try await die(phone) }
      save(swipe, phone)
      if await phone.store.used > options.handset.diskBudget {
        phone.inspector.violated("disk over its budget")
      }
      if swipe == 99 { residentAtHundred = Figures.residentBytes }
    }
    try await Task.sleep(for: person.dwell())
    let resident = Figures.residentBytes
    await phone.stop()
    await ledger.settled()
    phone.inspector.audit(ledger, linkBytes: await link.bytes - pageBytes.count)
    if residentAtHundred > 0, resident > residentAtHundred + options.growth {
      phone.inspector.violated("memory grew from swipe 100 on")
    }
    if await phone.store.verify() > 0 { phone.inspector.violated("wrong bytes on disk") }
    transport.invalidate()
    return await figures(of: phone, resident: resident)
  }

  private func figures(of phone: Handset, resident: Int) async -> Figures {
    let inspector = phone.inspector
    let mediaBytes = ledger.all.reduce(0) { $0 + $1.bytes }
    return Figures(
      phone: "core", link: profile.name, swipes: options.swipes, waits: inspector.waits,
      left: inspector.left, stalls: inspector.stalls, lateDecoders: inspector.lateDecoders,
      requests: ledger.all.count + pageBytes.pages, bytes: await link.bytes,
      unseen: max(0, mediaBytes - inspector.shownBytes),
      host: Figures.Host(
        usage: phone.proxy.usage, restored: phone.restored, skipped: phone.screen.notices,
        largestMemory: inspector.largestMemory, disk: await phone.store.size, resident: resident,
        residentAtHundred: residentAtHundred),
      violations: inspector.violations)
  }

  /// What the next visit begins with, and a text that somebody types.
  private func save(_ swipe: Int, _ phone: Handset) {
    guard let current = phone.inspector.current else { return }
    let upcoming = phone.host.feed.upcoming(from: current, most: LastFeed.most)
    if let feed = LastFeed(upcoming, at: Date()) {
      tell("feed \(feed.shown)")
      if phone.library.lastFeed.save(feed) { tell("feed saved") }
    }
    var drafts = phone.library.drafts.load() ?? Drafts()
    drafts["clip"] = Draft(place: "clip", text: "\(swipe)")
    tell("draft \(swipe)")
    if phone.library.drafts.save(drafts) { tell("draft saved") }
  }

  private func tell(_ line: String) {
    if options.tells { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
  }

  private func die(_ phone: Handset) async throws {
    await link.cut(true)
    let lasts = 2_000 + weather.next(below: 4_000)
    // Half of the time the system notices.
    let isNoticed = weather.next(below: 2) == 0
    if isNoticed { phone.setOnline(false) }
    Task { [link] in
      try? await Task.sleep(for: .milliseconds(lasts))
      await link.cut(false)
      if isNoticed { phone.setOnline(true) }
    }
  }
}
