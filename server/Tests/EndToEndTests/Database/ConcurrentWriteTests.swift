import Captions
import Comments
import Contract
import Foundation
import Platform
import Synchronization
import Testing
import Uploads
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// What several processes write at the same time, store by store.
@Suite(.everyEngine) struct ConcurrentWriteTests {
  let bench: TestInstance
  /// Two processes on one database.
  let processes: [Instance]

  init() async throws {
    bench = try await TestInstance()
    processes = [bench.instance, try await bench.another()]
  }

  /// What each came to; errors are told as their codes.
  private func atOnce<Value: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int, Instance) async throws -> Value
  ) async throws -> [Result<Value, AppError>] {
    try await withThrowingTaskGroup(of: Result<Value, AppError>.self) { group in
      for number in 0..<count {
        let instance = processes[number % processes.count]
        group.addTask {
          do { return .success(try await work(number, instance)) } catch let error as AppError {
            return .failure(error)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func numbers(_ sql: String) async throws -> [Int64] {
    try await bench.instance.database.read { try $0.query(sql).map { try $0.integer("n") } }
  }

  private func comments(on clip: String) async throws -> Int {
    try await bench.instance.database.read { try Counters.clips.count(.comments, of: clip, in: $0) }
  }

  @Test func clipsBecomeVisibleInTheOrderOfTheirNumbersHoweverManyPublishAtOnce() async throws {
    let isOver = Flag()
    async let published = atOnce(40) { number, instance in try await instance.publishBare("\(number)") }
    let reader = Task {
      var looks = 0
      while !isOver.isSet {
        let seen = try await numbers(
          "SELECT published_number AS n FROM clips WHERE published_number IS NOT NULL ORDER BY published_number"
        )
        // A gap would be filled later, behind the back of a reader who has gone by.
        #expect(seen == (0..<seen.count).map { Int64($0) + 1 })
        looks += 1
      }
      return looks
    }
    for result in try await published { _ = try result.get() }
    isOver.set()
    #expect(try await reader.value > 0)
    #expect(try await numbers("SELECT COUNT(*) AS n FROM clips WHERE published_number <= 40") == [40])
  }

  @Test func clipsThatBecomePublicAtOnceGetNumbersOfTheirOwn() async throws {
    var ids: [String] = []
    for number in 0..<12 {
      ids.append(try await bench.instance.publishBare("\(number)", visibility: .private))
    }
    let all = ids
    for result in try await atOnce(
      12, { try await $1.clips.setVisibility(of: all[$0], to: .public) })
    { try result.get() }
    #expect(
      try await numbers("SELECT published_number AS n FROM clips ORDER BY published_number")
        == Array(13...24))
  }

  @Test func theSameContentBroughtByManyAtOnceIsOneClip() async throws {
    let hash = ContentHash.of(Array("the same".utf8))
    let results = try await atOnce(16) { number, instance in
      try await instance.clips.register(
        .init(sourceHash: hash, caption: "\(number)", authorHandle: "me\(number % 3)", authorName: "Me"))
    }
    let made = try results.map { try $0.get() }
    #expect(Set(made.map(\.clip.clipID)).count == 1)
    #expect(made.count(where: \.isNew) == 1)
    #expect(try await numbers("SELECT COUNT(*) AS n FROM jobs") == [1])
  }

  @Test func commentsAreNumberedWithoutGapsAndCountedExactly() async throws {
    let clips = [try await bench.publishBare("a"), try await bench.publishBare("b")]
    let results = try await atOnce(60) { number, instance in
      // Each comes twice, as when an answer was lost.
      try await instance.comments(.open).add(
        "\(number / 2)", to: clips[number / 2 % 2], idempotencyKey: "key-of-writer-\(number / 2)")
    }
    #expect(Set(try results.map { try $0.get().id }).count == 30)
    for clip in clips {
      let numbers = try await bench.instance.database.read {
        try $0.query("SELECT number FROM comments WHERE clip_id = ? ORDER BY number", [.text(clip)])
          .map { try $0.integer("number") }
      }
      #expect(numbers == Array(1...15))
    }
    for clip in clips { #expect(try await comments(on: clip) == 15) }
  }

  @Test func aCommentThatManyRemoveIsRemovedOnce() async throws {
    let clip = try await bench.publishBare("a")
    let comments = try await bench.instance.comments(.open)
    let id = try await comments.add("rude", to: clip, idempotencyKey: "key-of-writer").id
    _ = try await comments.add("kind", to: clip, idempotencyKey: "key-of-another")
    let results = try await atOnce(8) { try await $1.comments(.open).remove(id) }
    #expect(results.count { (try? $0.get()) != nil } == 1)
    #expect(try await self.comments(on: clip) == 1)
  }

  @Test func reactionsAreCountedExactly() async throws {
    let clip = try await bench.publishBare("a")
    let results = try await atOnce(40) { try await $1.comments(.open).react(.fire, to: clip) }
    // Each is told what was there when it looked; nobody waits for another.
    #expect(try results.map { try $0.get().count }.allSatisfy { (1...40).contains($0) })
    #expect(try await bench.instance.comments(.open).react(.fire, to: clip).count == 41)
  }

  @Test func aQuotaIsExactAndAKeyMakesOneUpload() async throws {
    var rules = UploadRules()
    rules.openPerAccount = 5
    let results = try await atOnce(20) { [rules] number, instance in
      try await instance.uploads(rules).create(
        NewUpload(sizeBytes: 1000 + number / 2, sha256: nil, type: "video/mp4"),
        key: IdempotencyKey("key-of-writer-\(number / 2)", of: "writer"), publishesItself: false,
        by: .guest(address: "somewhere"))
    }
    let ids = results.compactMap { try? $0.get().id }
    #expect(Set(ids).count == 5)
    #expect(try await numbers("SELECT COUNT(*) AS n FROM uploads") == [5])
    for case .failure(let error) in results { #expect(error.code == .uploadQuota) }
  }

  @Test func whatManySayOfOneUploadIsAllKept() async throws {
    let upload = try await bench.instance.uploads(UploadRules()).create(
      NewUpload(sizeBytes: 1000, sha256: nil, type: "video/mp4"), key: nil,
      publishesItself: false, by: .guest(address: "somewhere"))
    let said = [
      ClipDetails(caption: "words"), ClipDetails(tags: ["one"]), ClipDetails(visibility: .unlisted),
    ]
    for result in try await atOnce(
      3, { try await $1.uploads(UploadRules()).describe(upload.id, said[$0]) })
    { _ = try result.get() }
    let details = try await bench.instance.uploads(UploadRules()).upload(upload.id).details
    #expect(details == ClipDetails(caption: "words", tags: ["one"], visibility: .unlisted))
  }

  @Test func captionsOfSeveralLanguagesAddedAtOnceAreAllThere() async throws {
    let clip = try await bench.publishBare("a")
    let file = Array("WEBVTT\n\n00:00.000 --> 00:00.500\nHello\n".utf8)
    let languages = ["de", "en", "fr", "it", "ja", "nl", "pt", "sv"]
    for result in try await atOnce(
      8, { try await $1.captions.put(file, to: clip, language: languages[$0], label: nil) })
    { _ = try result.get() }
    #expect(try await bench.instance.captions.list(of: clip).map(\.language) == languages)
  }

  @Test func whoChangesAClipAndWhoEndsItsJobDoNotWaitForEachOther() async throws {
    let clip = try await bench.publishBare("a")
    for round in 1...6 {
      try await bench.instance.database.write { [bench] in
        try bench.instance.clips.describe(
          clip, caption: nil, tags: nil, visibility: nil, coverMs: round, in: $0)
      }
      let job = try #require(try await bench.instance.queue.claim(kinds: ["cover"]))
      for result in try await atOnce(
        2,
        { number, instance in
          if number == 0 {
            try await instance.database.write {
              try instance.clips.describe(
                clip, caption: "\(round)", tags: nil, visibility: nil, coverMs: 100 + round, in: $0)
            }
          } else {
            try await instance.queue.complete(job) {
              try instance.clips.cover(clip, with: nil, at: nil, of: nil, in: $0)
            }
          }
        })
      { try result.get() }
      // Whichever came first, the last choice is still to be made.
      #expect(try await bench.instance.queue.job(kind: "cover", key: clip)?.state == .queued, "\(round)")
    }
  }

  @Test func everyJobIsTakenByOneWorker() async throws {
    for number in 0..<30 {
      try await bench.instance.database.write { [bench] in
        try bench.instance.queue.enqueue(kind: "test", key: "\(number)", payload: "", in: $0)
      }
    }
    // Of a clock that stands: on a busy machine a lease may end before the last job is taken, and its job is
    // due again.
    let time = TestTime(ms: SystemTime().nowMs)
    let taken = try await atOnce(8) { _, instance in
      let queue = JobQueue(database: instance.database, time: time)
      var keys: [String] = []
      var misses = 0
      while misses < 3 {
        if let job = try await queue.claim(kinds: ["test"]) {
          keys.append(job.key)
        } else {
          misses += 1
        }
      }
      return keys
    }
    #expect(try taken.flatMap { try $0.get() }.sorted() == (0..<30).map(String.init).sorted())
  }

  @Test func secretsAreMadeOnceForAllProcesses() async throws {
    let secrets = try await atOnce(8) { number, instance in
      try await instance.settings.value("secret", orCreate: { "\(number)" })
    }
    #expect(Set(try secrets.map { try $0.get() }).count == 1)
    let seals = try await atOnce(8) { _, instance in
      try await SealKeys(database: instance.database, time: SystemTime()).make(
        clip: "a", reader: .holder, expires: 1)
    }
    #expect(Set(try seals.map { try $0.get() }).count == 1)
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
}
