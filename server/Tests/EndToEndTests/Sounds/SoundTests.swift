import Accounts
import Contract
import FFmpeg
import Foundation
import Logging
import Platform
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Sounds

/// Which clips are found to have the same sound, on every database.
@Suite(.everyEngine) struct SoundTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  // MARK: What is kept

  private func sound(of clip: String) async throws -> String? {
    try await bench.instance.database.read {
      try $0.query("SELECT sound_id FROM clips WHERE id = ?", [.text(clip)]).first?.optionalText("sound_id")
    }
  }

  private func listed() async throws -> [String] {
    try await bench.instance.database.read {
      try $0.query("SELECT clip_id FROM clip_sounds WHERE listed_number IS NOT NULL ORDER BY clip_id")
        .map { try $0.text("clip_id") }
    }
  }

  private func entry(of clip: String) async throws -> SoundIndex.Entry? {
    let index = bench.instance.indexes.sounds
    return try await bench.instance.database.read { try index.entry(of: clip, in: $0) }
  }

  /// Of a clip that waits to be looked up.
  private func isAsked(_ clip: String) async throws -> Bool {
    try await bench.instance.queue.job(kind: SoundHandler.kind, key: clip)?.state == .queued
  }

  // MARK: What happens

  private static func print(_ seed: UInt64, _ count: Int = 80) -> [UInt32] {
    var random = SplitMix(state: seed)
    return (0..<count).map { _ in UInt32(truncatingIfNeeded: random.next()) }
  }

  /// The same with one bit of each another one.
  private static func again(_ print: [UInt32]) -> [UInt32] {
    print.enumerated().map { $1 ^ 1 << UInt32($0 % 32) }
  }

  private func hear(_ print: [UInt32], in clip: String, on instance: Instance? = nil) async throws {
    let instance = instance ?? bench.instance
    try await instance.database.write { [index = instance.indexes.sounds] transaction in
      try transaction.lock(clip)
      try index.settle(clip, SoundPrint(print), in: transaction)
    }
  }

  private func publish(
    _ caption: String, _ print: [UInt32], _ visibility: Visibility = .public, by author: String? = nil
  ) async throws -> String {
    let clip = try await bench.instance.publishBare(caption, visibility: visibility, by: author)
    try await hear(print, in: clip)
    return clip
  }

  private struct NoEar: SoundPrinting {
    let isAbleToPrint = true
    func soundPrint(of rendition: URL, in folder: URL) async throws -> SoundPrint {
      throw AppError(.internalError)
    }
  }

  /// The jobs, with clips that were listened to already.
  private var worker: Worker {
    let rendition = Rendition(
      name: "360", url: "/media/x.mp4", width: 360, height: 640, frameRate: 30,
      codecs: "avc1.64001e,mp4a.40.2", peakBps: 1, averageBps: 1,
      initialization: ByteRange(offset: 0, size: 1), segments: [])
    let instance = bench.instance
    let handler = SoundHandler(
      printing: NoEar(), index: instance.indexes.sounds, database: instance.database, media: instance.media,
      workFolder: instance.workFolder
    ) { _ in Playback(durationMs: 10_000, hlsUrl: "/media/x.m3u8", renditions: [rendition]) }
    return Worker(
      queue: instance.queue, handlers: [handler],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private func work() async throws {
    while try await worker.runNext() {}
  }

  // MARK: Sounds come into being

  @Test func aSoundIsThereWithTheSecondClipThatHasIt() async throws {
    let print = Self.print(1)
    let first = try await publish("first", print)
    #expect(try await sound(of: first) == nil)
    #expect(try await listed() == [first])
    let second = try await publish("second", Self.again(print))
    let shared = try #require(try await sound(of: first))
    #expect(try await sound(of: second) == shared)
    // A cut, and one that begins before.
    let third = try await publish("third", Array(Self.again(print)[20..<60]))
    let fourth = try await publish("fourth", Self.print(2, 30) + Self.again(print)[..<50])
    for clip in [third, fourth] { #expect(try await sound(of: clip) == shared) }
    let other = try await publish("other", Self.print(3))
    #expect(try await sound(of: other) == nil)
    #expect(try await listed() == [first, other], "one of each sound is compared with what comes")
    #expect(try await bench.count("sound_hashes") == 160)
  }

  @Test func askedAgainNothingChanges() async throws {
    let clips = [try await publish("first", Self.print(1)), try await publish("second", Self.print(1))]
    let shared = try await sound(of: clips[0])
    for clip in clips {
      try await hear(Self.print(9), in: clip)
      try await bench.instance.database.write { [requests = SoundRequests(queue: bench.instance.queue)] in
        try requests.requestSound(of: clip, in: $0)
      }
    }
    try await work()
    for clip in clips { #expect(try await sound(of: clip) == shared) }
    #expect(try await listed() == [clips[0]])
    #expect(try await bench.count("sound_hashes") == 80)
    #expect(try await bench.count("clip_sounds") == 2)
  }

  @Test func whereThereIsNothingToRecogniseNobodyAsksAgain() async throws {
    for print in [[], Self.print(1, 15), Array(repeating: UInt32(7), count: 400)] {
      let clip = try await publish("\(print.count)", print)
      let kept = try #require(try await entry(of: clip))
      #expect(kept.print == nil)
      try await bench.instance.database.write { [clips = bench.instance.clips] in
        _ = try clips.describe(clip, caption: "another", tags: nil, visibility: nil, in: $0)
      }
      #expect(try await !isAsked(clip))
      #expect(try await sound(of: clip) == nil)
    }
    #expect(try await listed().isEmpty)
    #expect(try await bench.count("sound_hashes") == 0)
    // Bare clips have no sound at all.
    let silent = try await bench.publishBare("silent")
    #expect(try await !isAsked(silent))
    #expect(try await entry(of: silent) == nil)
  }

  @Test func clipsThatAreHeardAtOnceHaveOneSound() async throws {
    let print = Self.print(1)
    var clips: [String] = []
    for number in 0..<8 { clips.append(try await bench.publishBare("\(number)")) }
    let processes = [bench.instance, try await bench.another()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, clip) in clips.enumerated() {
        group.addTask { try await hear(print, in: clip, on: processes[number % 2]) }
      }
      try await group.waitForAll()
    }
    var sounds: Set<String?> = []
    for clip in clips { sounds.insert(try await sound(of: clip)) }
    #expect(sounds.count == 1 && !sounds.contains(nil))
    #expect(try await listed().count == 1)
  }

  // MARK: Clips that are not for everybody

  @Test func nobodyLearnsWhatAPrivateClipSharesItsSoundWith() async throws {
    let hidden = try await publish("hidden", Self.print(1), .private)
    let unlisted = try await publish("unlisted", Self.print(1), .unlisted)
    let shown = try await publish("shown", Self.print(1))
    for clip in [hidden, unlisted, shown] { #expect(try await sound(of: clip) == nil) }
    #expect(try await listed() == [shown])
    try await bench.instance.clips.setVisibility(of: hidden, to: .public)
    #expect(try await isAsked(hidden))
    try await work()
    let shared = try #require(try await sound(of: shown))
    #expect(try await sound(of: hidden) == shared)
    #expect(try await sound(of: unlisted) == nil)
  }

  @Test func whoeverLeavesASoundIsFollowedByTheOldestAndCanComeBack() async throws {
    let print = Self.print(1)
    var clips: [String] = []
    for name in ["a", "b", "c"] { clips.append(try await publish(name, print)) }
    let shared = try #require(try await sound(of: clips[0]))
    let store = bench.instance.clips
    try await store.setVisibility(of: clips[0], to: .private)
    #expect(try await sound(of: clips[0]) == nil)
    #expect(try await listed().isEmpty)
    #expect(try await bench.count("sound_hashes") == 0)
    #expect(try await isAsked(clips[1]))
    #expect(try await !isAsked(clips[2]))
    try await work()
    #expect(try await listed() == [clips[1]])
    #expect(try await sound(of: clips[1]) == shared)
    // Nothing is to be handed over where another one is listed.
    try await store.setVisibility(of: clips[2], to: .unlisted)
    #expect(try await sound(of: clips[2]) == nil)
    #expect(try await !isAsked(clips[1]))
    try await store.setVisibility(of: clips[0], to: .public)
    try await work()
    #expect(try await sound(of: clips[0]) == shared)
    #expect(try await listed() == [clips[1]])
  }

  @Test func whatModeratorsPutBeforeNobodyHasNoSoundMeanwhile() async throws {
    let clips = [try await publish("a", Self.print(1)), try await publish("b", Self.print(1))]
    let (store, database) = (bench.instance.clips, bench.instance.database)
    let shared = try #require(try await sound(of: clips[1]))
    let isLimited = try await database.write { try store.limitReach(of: clips[1], in: $0) }
    #expect(isLimited)
    #expect(try await sound(of: clips[1]) == nil)
    #expect(try await sound(of: clips[0]) == shared)
    try await database.write { try store.liftReachLimit(of: clips[1], in: $0) }
    try await work()
    #expect(try await sound(of: clips[1]) == shared)
  }

  /// Those of the old sound were asked too late: others have made another one of it.
  @Test func twoSoundsThatAreOneBecomeOne() async throws {
    let print = Self.print(1)
    var clips: [String] = []
    for name in ["a", "b", "c"] { clips.append(try await publish(name, print)) }
    let old = try #require(try await sound(of: clips[0]))
    try await bench.instance.clips.setVisibility(of: clips[0], to: .private)
    let new = [try await publish("d", print), try await publish("e", print)]
    let shared = try #require(try await sound(of: new[0]))
    #expect(shared != old)
    try await work()
    for clip in [clips[1], clips[2]] + new { #expect(try await sound(of: clip) == shared) }
    #expect(try await listed() == [new[0]])
  }

  // MARK: Ends

  @Test func aDeletedClipHandsItsPlaceOnAndLeavesNothing() async throws {
    var clips: [String] = []
    for name in ["a", "b", "c"] { clips.append(try await publish(name, Self.print(1))) }
    let shared = try #require(try await sound(of: clips[0]))
    for (place, clip) in clips.enumerated() {
      try await bench.instance.database.write { [store = bench.instance.clips] in
        try store.delete(clip, in: $0)
      }
      #expect(try await entry(of: clip) == nil)
      #expect(try await bench.count("sound_hashes") == 0)
      try await work()
      #expect(try await listed() == Array(clips[(place + 1)...].prefix(1)))
      for other in clips[(place + 1)...] { #expect(try await sound(of: other) == shared) }
    }
    #expect(try await bench.count("clip_sounds") == 0)
    #expect(try await bench.count("sound_hashes") == 0)
    #expect(try await bench.instance.queue.open().isEmpty)
  }

  @Test func aDeletedAccountLeavesNothingAndWhatOthersHaveStays() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let mara = try await accounts.join("mara").id
    let paul = try await accounts.join("paul").id
    for name in ["a", "b"] { _ = try await publish(name, Self.print(1), by: mara) }
    let other = try await publish("c", Self.print(1), by: paul)
    _ = try await publish("d", Self.print(2), by: mara)
    let shared = try #require(try await sound(of: other))
    try await accounts.delete(mara, AccountDeletion(password: NewAccount("mara").password))
    #expect(try await bench.count("clip_sounds") == 1)
    #expect(try await bench.count("sound_hashes") == 0)
    try await work()
    #expect(try await sound(of: other) == shared)
    #expect(try await listed() == [other])
    let open = try await bench.instance.queue.open()
    #expect(!open.contains { $0.kind == SoundHandler.kind })
  }

  // MARK: The job

  @Test func aRenditionThatIsGoneIsAFailureAsAnyOther() async throws {
    let clip = try await bench.publishBare("a")
    try await bench.instance.database.write { [requests = SoundRequests(queue: bench.instance.queue)] in
      try requests.requestSound(of: clip, in: $0)
      try requests.requestSound(of: clip, in: $0)
    }
    #expect(try await worker.runNext())
    let job = try #require(try await bench.instance.queue.job(kind: SoundHandler.kind, key: clip))
    #expect(job.state == .queued && job.attempts == 1 && job.priority >= 1_000_000)
    #expect(job.failureDetail == "The clip's smallest rendition is gone.")
    #expect(try await entry(of: clip) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path).isEmpty)
  }

  @Test func whereNothingMakesPrintsNoWorkerTakesTheJob() {
    #expect(bench.instance.listening(by: bench.tools).map(\.kind) == [SoundHandler.kind])
    #expect(bench.instance.listening(by: WatchedTools(real: bench.tools)).isEmpty)
  }

  @Test func clipsOfTheTimeBeforeAreListenedTo() async throws {
    let old = try await DatabaseBench.upgraded(past: "0071_sounds_of_clips", with: [])
    let keys = try await old.database.read {
      try $0.query("SELECT job_key FROM jobs WHERE kind = 'sound' ORDER BY job_key").map {
        try $0.text("job_key")
      }
    }
    #expect(keys == ["c", "d"])
  }
}

/// By real files and the real ffmpeg.
extension SoundTests {
  /// Two voices whose notes follow no pattern that one hears.
  private static func tune(_ one: Int, _ other: Int) -> String {
    func voice(_ pitch: Int, _ rate: Int, _ notes: Int, _ one: Int, _ other: Int) -> String {
      let step = "floor(\(rate)*t)"
      let note = "mod(\(one)*\(step)*\(step)+\(other)*\(step),\(notes))"
      return "0.3*sin(2*PI*t*\(pitch)*pow(2,\(note)/12))"
    }
    return "aevalsrc='\(voice(220, 4, 24, one, other))+\(voice(330, 3, 19, other, 5))':s=44100:d=12"
  }

  private func take(
    _ name: String, _ sound: String, seconds: Int = 12, kbps: Int = 128
  ) async throws -> String {
    let file = try await bench.make(
      "\(name).mp4",
      "-f lavfi -i color=gray:s=96x64:r=5:d=\(seconds) -f lavfi -i \(sound) -c:v libx264 -preset ultrafast "
        + "-pix_fmt yuv420p -c:a aac -b:a \(kbps)k -shortest -f mp4")
    let clip = try await bench.take(file)
    let worker = try #require(bench.instance.soundWorker(tools: try FFmpegTools()))
    while try await worker.runNext() {}
    return clip
  }

  @Test func twoTakesOfOneSoundAreFoundAndNothingElse() async throws {
    let whole = try await take("whole", Self.tune(7, 3))
    let cut = try await take(
      "cut", Self.tune(7, 3) + ",atrim=3:11,asetpts=PTS-STARTPTS,volume=0.4", kbps: 64)
    let shared = try #require(try await sound(of: whole))
    #expect(try await sound(of: cut) == shared)
    let print = try #require(try await entry(of: whole)?.print)
    #expect((70..<80).contains(print.subfingerprints.count))
    let other = try await take("other", Self.tune(5, 11))
    #expect(try await sound(of: other) == nil)
    #expect(try await listed() == [whole, other])
    for (name, sound) in [("silence", "anullsrc=d=6"), ("tone", "sine=440:duration=6")] {
      let clip = try await take(name, sound)
      let kept = try #require(try await entry(of: clip), "\(name)")
      #expect(kept.print == nil && kept.listedNumber == nil && kept.soundID == nil, "\(name)")
    }
    // Too short to recognise anything in.
    let short = try await take("short", Self.tune(7, 3) + ",atrim=0:4", seconds: 4)
    #expect(try await entry(of: short) == nil)
    #expect(try await bench.instance.queue.open().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path).isEmpty)
  }
}
