import CoreTesting
import CoreTypes
import Testing
import Upload

@Suite struct UploadInvariantTests {
  /// Lost, late, doubled, cut and reordered requests; a server that forgets; kills; a person who pauses,
  /// cancels, goes offline and changes the file.
  @Test func holdOnALinkThatDoesItsWorst() {
    var cuts = 0
    var kills = 0
    var endings: [Upload.Phase: Int] = [:]
    forEachSeed(12_000) { seed, generator in
      var world = UploadWorld(seed: seed)
      for _ in 0..<generator.next(below: 240) where world.watch.broken == nil {
        if generator.next(below: 4) == 0 { world.disturb() }
        if !world.step() { world.disturb() }
      }
      world.isFair = true
      var steps = 0
      while !world.watch.hasEnded, steps < 4_000, world.watch.broken == nil {
        if steps % 40 == 0 { world.urge() }
        _ = world.step()
        steps += 1
      }
      // What is under way still arrives, and changes nothing.
      for _ in 0..<200 where world.step() {}
      check(&world)
      #expect(world.watch.broken == nil, "\(world.watch.broken ?? ""), seed \(seed)")
      cuts += world.watch.cuts
      kills += world.kills
      endings[world.watch.screen.phase, default: 0] += 1
    }
    // Sequences in which nothing happens prove nothing.
    #expect(cuts > 35_000 && kills > 10_000, "\(cuts) cuts, \(kills) kills")
    #expect(endings[.published, default: 0] > 9_000 && endings[.cancelled, default: 0] > 200, "\(endings)")
  }

  private func check(_ world: inout UploadWorld) {
    let commits = world.server.commits
    let screen = world.watch.screen
    world.watch.require(commits.count <= 1, "\(commits.count) clips of one upload")
    world.watch.require(commits.values.allSatisfy { $0 }, "other bytes than the file's")
    switch screen.phase {
    case .published: world.watch.require(commits.count == 1, "published and not committed")
    case .refused: world.watch.require(commits.count == 1 && world.server.refusesClips, "refused for nothing")
    case .cancelled: world.watch.require(commits.isEmpty, "cancelled and committed")
    default: world.watch.require(false, "it never ends: \(screen)")
    }
  }

  /// Answers that nobody asked for, numbers from nowhere, at times that jump.
  @Test func holdForEventsThatMakeNoSense() {
    forEachSeed(10_000) { seed, generator in
      var upload = Upload()
      var watch = UploadWatch()
      var now = Instant(0)
      for _ in 0..<60 {
        let event = randomEvent(&generator)
        now = max(now, now + Milliseconds(generator.hostileInteger(around: 40_000)))
        if now > Instant(1 << 60) { now = Instant(0) }
        watch.note(event)
        upload.handle(event, at: now) { command in
          if case .sendBytes = command { return }
          watch.follow(command)
        }
        watch.settle(upload.nextWake, now)
      }
      let ignored = ["sent while paused", "terminated without being cancelled"]
      #expect(watch.broken.map { ignored.contains($0) } ?? true, "\(watch.broken ?? ""), seed \(seed)")
    }
  }

  private func randomEvent(_ generator: inout SeededGenerator) -> Upload.Event {
    let call = CallID(Int32(1 + generator.next(below: 9)))
    let bytes = Bytes(generator.hostileInteger(around: 3 << 20))
    let some = Milliseconds(generator.hostileInteger(around: 30_000))
    switch generator.next(below: 28) {
    case 0...2: return .opened(seed: UploadKey(high: 1, low: 2), canCompress: true, canTrim: true)
    case 3, 4:
      return .fileChosen(
        SourceFile(file: FileID(1), size: Bytes(abs(bytes.rawValue / 2)), duration: some, kind: .webm))
    case 5, 6: return .prepared(call, SourceFile(file: FileID(2), size: bytes, duration: some, kind: .mp4))
    case 7: return .prepareFailed(call)
    case 8...10: return .hashed(call, FileHash(1, 2, 3, 4))
    case 11, 12: return .receiving(call, Upload.Offer(offset: bytes, smallest: bytes, largest: bytes))
    case 13, 14:
      let stored = [Int32(clamping: generator.hostileInteger(around: 4))]
      return .receivingParts(call, Upload.PartOffer(size: bytes, validFor: some, stored: stored))
    case 15: return .bytesSent(call, bytes)
    case 16: return .bytesTaken(call, offset: bytes)
    case 17, 18: return .partTaken(call)
    case 19: return .processing(call, permille: -5, renditions: .min)
    case 20:
      let reason = Upload.Reason(rawValue: Int32(1 + generator.next(below: 11)))!
      return .failed(call, Upload.Failure(reason, detail: bytes.rawValue, retryAfter: some))
    case 21: return .publishRequested
    case 22: return [.pauseTapped, .resumeTapped, .cancelTapped][Int(generator.next(below: 3))]
    case 23: return .retryTapped
    case 24: return .fileUnreadable(call)
    case 25: return .uplinkMeasured(BitsPerSecond(bytes.rawValue))
    case 26: return .workProgressed(call, permille: Int32(clamping: some.rawValue))
    default: return .woke
    }
  }
}
