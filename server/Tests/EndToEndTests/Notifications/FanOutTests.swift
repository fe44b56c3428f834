import Accounts
import Contract
import Maintenance
import Social
import Synchronization
import Testing
import Videos

@testable import Composition
@testable import Notifications
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

/// Followers hear of a clip, on each database.
@Suite(.everyEngine) struct FanOutTests {
  /// Accounts that were told, in their order.
  private final class Phones: NewClipPushing {
    let told = Mutex<[String]>([])

    func tell(
      _ account: String, newClip clipID: String, by author: String, in transaction: any Transaction
    ) throws {
      told.withLock { $0.append(account) }
    }
  }

  private struct Killed: Error {}

  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)
  private let accounts: Accounts
  private let store: NotificationStore
  private let social: SocialStore
  private let ada: Viewer
  private let bob: Viewer
  private let cleo: Viewer

  init() async throws {
    bench = try await TestInstance()
    let instance = bench.instance
    accounts = try await instance.accounts(hashing: CountingPasswords(), time: clock)
    store = instance.notifications(on: instance.database, time: clock)
    social = instance.social(on: instance.database, time: clock)
    ada = try await accounts.join("ada")
    bob = try await accounts.join("bob")
    cleo = try await accounts.join("cleo")
  }

  /// As what lets everybody see a clip says it.
  private func announce(_ clip: String) async throws {
    let (announcements, clips) = (bench.instance.announcements(time: clock), bench.instance.clips)
    clock.advance(ms: 10)
    try await bench.instance.database.write { try announcements.published(clip, in: clips, $0) }
  }

  @discardableResult
  private func publish(_ caption: String) async throws -> String {
    let clip = try await bench.publishBare(caption, by: ada.id)
    try await announce(clip)
    return clip
  }

  private func work() async throws {
    let worker = bench.instance.fanOutWorker(time: clock)
    while try await worker.runNext() {}
  }

  /// `*` in front of what is new.
  private func told(_ viewer: Viewer) async throws -> [String] {
    try await store.page(of: viewer.id, cursor: nil, limit: 20).page.items.map { entry in
      let people = entry.people.map(\.name).joined(separator: ",")
      return "\(entry.isNew ? "*" : "")\(entry.kind) \(people)/\(entry.count) \(entry.clip?.caption ?? "")"
    }
  }

  private func set(_ visibility: Visibility, of clip: String) async throws {
    try await bench.instance.database.write {
      _ = try $0.execute(
        "UPDATE clips SET visibility = ? WHERE id = ?", [.text(visibility.rawValue), .text(clip)])
    }
  }

  // MARK: Who hears of what

  @Test func followersHearOfAClipOnceAndClipsOfADayAreOneEntry() async throws {
    _ = try await social.follow(ada.id, by: bob.id)
    let one = try await publish("one")
    try await work()
    #expect(try await told(bob) == ["*new_clip ada/1 one"])
    #expect(try await told(cleo) == [])
    #expect(try await told(ada) == [])
    #expect(try await store.unseen(of: bob.id).unseen == 1)
    // Once more, as after it was private for a while.
    try await announce(one)
    #expect(try await !bench.instance.fanOutWorker(time: clock).runNext())
    let mark = try await store.page(of: bob.id, cursor: nil, limit: 20).page.mark
    _ = try await store.markSeen(upTo: mark, by: bob.id)
    #expect(try await told(bob) == ["new_clip ada/1 one"])
    // At midnight a new entry begins.
    if clock.nowMs % NotificationStore.dayMs > NotificationStore.dayMs - 60_000 { clock.advance(ms: 120_000) }
    let today = try await publish("two")
    try await work()
    #expect(try await told(bob).first?.hasSuffix("two") == true)
    clock.advance(ms: NotificationStore.dayMs)
    try await publish("three")
    try await work()
    let entries = try await told(bob)
    #expect(entries.first == "*new_clip ada/1 three" && entries.count >= 2)
    try await set(.private, of: today)
    #expect(try await told(bob).allSatisfy { !$0.hasSuffix("two") })
  }

  @Test func itIsAnnouncedWhenItIsConvertedAndWhenADraftIsMadePublic() async throws {
    _ = try await social.follow(ada.id, by: bob.id)
    let (instance, time) = (bench.instance, clock)
    let news = instance.news(live: instance.live(bus: nil), time: time)
    let published = ClipsWithNews(
      clips: instance.clips, news: news, announcements: instance.announcements(time: time))
    let drafts = ClipsOfUploads(
      clips: instance.clips, queue: instance.queue, feed: instance.feed(on: instance.database),
      webhooks: instance.webhooks(time: time), announcements: instance.announcements(time: time))
    let one = try await bench.publishBare("one", by: ada.id)
    let two = try await instance.publishBare("two", visibility: .private, by: ada.id)
    let rendition = Rendition(
      name: "360", url: "/media/x.mp4", width: 360, height: 640, frameRate: 30, codecs: "avc1.64001e",
      peakBps: 1, averageBps: 1, initialization: ByteRange(offset: 0, size: 1), segments: [])
    try await instance.database.write { transaction in
      try transaction.execute("UPDATE clips SET state = 'processing' WHERE id = ?", [.text(one)])
      try published.publish(
        one, poster: Poster(url: "/media/x.jpg", width: 1, height: 1, placeholder: ""),
        playback: Playback(durationMs: 1000, hlsUrl: "/media/x.m3u8", renditions: [rendition]),
        playlists: [], in: transaction)
    }
    try await work()
    #expect(try await told(bob) == ["*new_clip ada/1 one"])
    clock.advance(ms: 10)
    for visibility in [Visibility.unlisted, .public, .private, .public] {
      try await instance.database.write {
        _ = try drafts.describe(two, ClipDetails(visibility: visibility), in: $0)
      }
    }
    try await work()
    #expect(try await told(bob).first?.hasSuffix(" two") == true)
    #expect(try await bench.count("announced_clips") == 2)
  }

  @Test func whatIsNotPublicIsToldToNobody() async throws {
    _ = try await social.follow(ada.id, by: bob.id)
    let hidden = try await bench.instance.publishBare("hidden", visibility: .private, by: ada.id)
    try await announce(hidden)
    try await work()
    #expect(try await bench.count("announced_clips") == 0)
    let clip = try await publish("one")
    try await work()
    for visibility in [Visibility.private, .unlisted] {
      try await set(visibility, of: clip)
      #expect(try await told(bob) == [])
      #expect(try await store.unseen(of: bob.id).unseen == 0)
    }
    try await set(.public, of: clip)
    #expect(try await told(bob) == ["*new_clip ada/1 one"])
  }

  @Test func whoUnfollowedOrIsBlockedHearsNothing() async throws {
    for viewer in [bob, cleo] { _ = try await social.follow(ada.id, by: viewer.id) }
    _ = try await social.follow(ada.id, by: "a-guest")
    try await publish("one")
    _ = try await social.unfollow(ada.id, by: bob.id)
    try await work()
    #expect(try await told(bob) == [])
    #expect(try await told(cleo) == ["*new_clip ada/1 one"])
    #expect(try await bench.count("notifications") == 1, "a guest has no list")
    _ = try await social.block(cleo.id, by: ada.id)
    #expect(try await told(cleo) == [])
    try await publish("two")
    try await work()
    #expect(try await bench.count("notifications") == 1)
  }

  @Test func itCanBeSwitchedOffInTheListAndOnForDevices() async throws {
    for viewer in [bob, cleo] { _ = try await social.follow(ada.id, by: viewer.id) }
    _ = try await store.change(
      NotificationSettingsChange(items: [.init(kind: NotificationKind.newClip, list: false, push: true)]),
      of: bob.id)
    try await publish("one")
    let devices = Phones()
    try await run(FanOut(store: store, devices: devices) { _ in })
    #expect(try await told(bob) == [])
    #expect(try await told(cleo) == ["*new_clip ada/1 one"])
    #expect(devices.told.withLock { $0 } == [bob.id])
  }

  @Test func whatAnAccountAnnouncedGoesWithIt() async throws {
    _ = try await social.follow(ada.id, by: bob.id)
    try await publish("one")
    try await work()
    try await accounts.delete(ada.id, AccountDeletion(password: NewAccount("ada").password))
    #expect(try await bench.count("announced_clips") == 0)
    #expect(try await told(bob) == [])
  }

  @Test func whatWasKeptOfAClipGoesWithTheSecondLook() async throws {
    _ = try await social.follow(ada.id, by: bob.id)
    let (one, two) = (try await publish("one"), try await publish("two"))
    try await work()
    try await bench.instance.database.write { [clips = bench.instance.clips] in
      try clips.delete(one, in: $0)
    }
    // What was deleted is written down by the clock of the machine, which goes on.
    clock.advance(ms: ErasureLog.settledMs + 3_600_000)
    try await bench.instance.secondLook(at: clock).run()
    let left = try await bench.instance.database.read {
      try $0.query("SELECT clip_id FROM announced_clips", []).map { try $0.text("clip_id") }
    }
    #expect(left == [two])
    #expect(try await told(bob).map { $0.hasSuffix("new_clip ada/1 two") } == [true])
  }

  // MARK: The job

  /// As a worker does one.
  private func run(_ handler: FanOut) async throws {
    let queue = bench.instance.queue
    let job = try #require(try await queue.claim(kinds: [FanOut.kind]))
    try await queue.complete(job, try await handler.run(job, under: JobLease(job, in: queue, JobProgress())))
  }

  /// So many accounts that follow, who want it on devices; their ids in order.
  private func followers(_ count: Int) async throws -> [String] {
    let ids = (0..<count).map { "fan-\(String(10_000 + $0))" }
    let author = ada.id
    try await bench.instance.database.write { transaction in
      for id in ids {
        try transaction.execute(
          "INSERT INTO authors (id, handle, name, created_at_ms) VALUES (?, ?, ?, 1)",
          [.text(id), .text(id), .text(id)])
        try transaction.execute(
          "INSERT INTO follows (viewer_id, author_id, id, created_at_ms) VALUES (?, ?, ?, 1)",
          [.text(id), .text(author), .text(id)])
        try transaction.execute(
          "INSERT INTO notification_readers (account, seen_ms, switches) VALUES (?, 0, 'push.new_clip=1')",
          [.text(id)])
      }
    }
    return ids
  }

  @Test func whoIsKilledInTheMiddleTellsNobodyTwiceAndForgetsNobody() async throws {
    let ids = try await followers(2 * FanOut.batch + 3)
    try await publish("one")
    let devices = Phones()
    let queue = bench.instance.queue
    let job = try #require(try await queue.claim(kinds: [FanOut.kind]))
    let lease = JobLease(job, in: queue, JobProgress())
    await #expect(throws: Killed.self) {
      _ = try await FanOut(store: store, devices: devices) { _ in throw Killed() }.run(job, under: lease)
    }
    #expect(try await bench.count("notifications") == FanOut.batch)
    // Somebody goes away meanwhile, and the process is found dead.
    let gone = ids[ids.count - 1]
    _ = try await social.unfollow(ada.id, by: gone)
    try await queue.release(job)
    try await run(FanOut(store: store, devices: devices) { _ in })
    #expect(devices.told.withLock { $0.sorted() } == Array(ids.dropLast()))
    #expect(try await bench.count("notifications") == ids.count - 1)
    #expect(try await !bench.instance.fanOutWorker(time: clock).runNext())
    // Whoever comes back late has lost it.
    await #expect(throws: JobQueue.LostLease.self) { try await lease.checkpoint { _ in } }
  }

  @Test func anAccountKeepsTheNewestRows() async throws {
    _ = try await social.follow(ada.id, by: bob.id)
    let (id, most) = (bob.id, Limits.notifications)
    try await bench.instance.database.write { transaction in
      for number in 0..<most {
        try transaction.execute(
          "INSERT INTO notifications (account, about, id, kind, at_ms) VALUES (?, ?, ?, 'of tomorrow', ?)",
          [.text(id), .text("x/\(number)"), .text("\(number)"), SQLValue(number + 1)])
      }
    }
    try await publish("one")
    try await work()
    #expect(try await bench.count("notifications") == most)
    #expect(try await told(bob) == ["*new_clip ada/1 one"])
  }
}
