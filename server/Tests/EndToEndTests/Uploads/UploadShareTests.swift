import Contract
import Foundation
import LocalUploads
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Uploads

/// What counts against the room for uploads: what is there, and not what somebody says.
@Suite(.everyEngine) struct UploadShareTests {
  private let bench: TestInstance
  private let time = TestTime(ms: 1_800_000_000_000)
  private let file = [UInt8](UploadRequests.file(2 << 20))

  init() async throws { bench = try await TestInstance() }

  private func uploads(_ change: (inout UploadRules) -> Void = { _ in }) -> Uploads {
    var rules = UploadRules()
    change(&rules)
    return bench.instance.uploads(rules, time: time)
  }

  private func make(
    _ uploads: Uploads, size: Int?, from address: String = "192.0.2.7"
  ) async throws -> String {
    let new = NewUpload(sizeBytes: size, sha256: nil, type: "video/mp4")
    return try await uploads.create(
      new, key: nil, publishesItself: size == nil, by: .guest(address: address)
    ).id
  }

  private func send(
    _ count: Int, to id: String, at offset: Int = 0, announced: Int? = nil, _ uploads: Uploads
  ) async throws -> Int {
    let bytes = Array(file.prefix(count))
    let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
      for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
        continuation.yield(Array(bytes[start..<min(start + 1 << 16, bytes.count)]))
      }
      continuation.finish()
    }
    return try await uploads.append(pieces, to: id, at: offset, announced: announced)
  }

  private func refusal(_ work: () async throws -> Void) async throws -> ErrorCode? {
    do {
      try await work()
      return nil
    } catch let error as AppError {
      return error.code
    }
  }

  @Test func bytesOfAnUploadWithoutALengthCountTowardTheDay() async throws {
    let uploads = uploads { $0.bytesPerAccountPerDay = 9 << 20 }
    let (one, two) = (try await make(uploads, size: nil), try await make(uploads, size: nil))
    #expect(try await send(2 << 20, to: one, uploads) == 2 << 20)
    #expect(try await send(2 << 20, to: two, uploads) == 2 << 20)
    // Each was given room in steps, of which there are two in what a day has.
    let three = try await make(uploads, size: nil)
    #expect(try await refusal { _ = try await send(2 << 20, to: three, uploads) } == .uploadQuota)
    #expect(try await uploads.upload(three).offset == 0)
    // From another address there is a day of its own.
    let other = try await make(uploads, size: nil, from: "198.51.100.7")
    #expect(try await send(1000, to: other, uploads) == 1000)
  }

  @Test func wordsWithoutBytesShutNobodyOut() async throws {
    let uploads = uploads { $0.openBytes = 4 * Limits.sourceBytes }
    for number in 0..<40 {
      _ = try await make(uploads, size: Limits.sourceBytes, from: "192.0.2.\(number)")
    }
    let honest = try await make(uploads, size: file.count, from: "198.51.100.7")
    #expect(try await send(file.count, to: honest, uploads) == file.count)
  }

  @Test func bytesThatAreThereCountWhateverWasDeclared() async throws {
    let uploads = uploads { $0.openBytes = 5 << 20 }
    let sized = try await make(uploads, size: file.count, from: "192.0.2.1")
    #expect(try await send(file.count, to: sized, announced: file.count, uploads) == file.count)
    let unsized = try await make(uploads, size: nil, from: "192.0.2.2")
    // Two are there, and the step for the next ones does not fit beside them.
    #expect(try await refusal { _ = try await send(1000, to: unsized, uploads) } == .storageFull)
    #expect(try await uploads.upload(unsized).offset == 0)
    // What ends makes room.
    try await uploads.terminate(sized)
    #expect(try await send(1000, to: unsized, uploads) == 1000)
  }

  @Test func whatWasAnnouncedAndDidNotComeCountsNoMore() async throws {
    let uploads = uploads { $0.openBytes = 30 << 20 }
    let one = try await make(uploads, size: 40 << 20, from: "192.0.2.1")
    // It says twenty MiB and breaks off after one.
    _ = try await send(1 << 20, to: one, announced: 20 << 20, uploads)
    let two = try await make(uploads, size: 40 << 20, from: "192.0.2.2")
    #expect(try await send(1 << 20, to: two, announced: 20 << 20, uploads) == 1 << 20)
    let held = try await bench.instance.database.read { try uploads.store.openBytes(in: $0) }
    #expect(held == 2 << 20)
  }

  @Test func aRequestThatANewerOneEndsGivesItsRoomBack() async throws {
    let uploads = uploads()
    let id = try await make(uploads, size: 40 << 20)
    let (endless, more) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
    more.yield(Array(file.prefix(1000)))
    let older = Task { try await uploads.append(endless, to: id, at: 0, announced: 20 << 20) }
    while try await uploads.upload(id).offset < 1000 { await Task.yield() }
    #expect(try await uploads.settledOffset(id).offset == 1000)
    more.finish()
    _ = await older.result
    let held = try await bench.instance.database.read { try uploads.store.openBytes(in: $0) }
    #expect(held == 1000)
  }

  @Test func theReserveOfTheDiskIsLookedAtWhileBytesCome() async throws {
    let id = try await make(uploads(), size: nil)
    // The disk has filled since.
    let full = uploads { $0.reserveBytes = .max / 2 }
    #expect(try await refusal { _ = try await send(1000, to: id, full) } == .storageFull)
    #expect(try await bench.instance.receiving.count(id) == 0)
    #expect(try await send(1000, to: id, uploads()) == 1000)
    // Also within the room that it was given before.
    #expect(try await refusal { _ = try await send(1000, to: id, at: 1000, full) } == .storageFull)
    #expect(try await bench.instance.receiving.count(id) == 1000)
  }

  @Test func anUploadOfWhichNoByteCameIsOverWithinMinutes() async throws {
    let uploads = uploads()
    let (empty, begun) = (try await make(uploads, size: 5000), try await make(uploads, size: 5000))
    #expect(try await send(1, to: begun, uploads) == 1)
    // Neither questions nor a request without bytes are any.
    #expect(try await send(0, to: empty, uploads) == 0)
    time.advance(ms: UploadRules().emptyPatienceMs + 1)
    #expect(try await refusal { _ = try await uploads.upload(empty) } == .uploadExpired)
    #expect(try await uploads.upload(begun).offset == 1)
    try await uploads.sweep()
    #expect(try await uploads.upload(begun).offset == 1)
  }

  @Test func aRequestThatBringsNothingChangesNothing() async throws {
    let uploads = uploads()
    let id = try await make(uploads, size: 5000)
    #expect(try await send(10, to: id, uploads) == 10)
    let before = try await uploads.row(id)
    time.advance(ms: 30 * 60_000)
    #expect(try await refusal { _ = try await send(10, to: id, at: 7, uploads) } == .uploadOffsetMismatch)
    #expect(try await send(0, to: id, at: 10, uploads) == 10)
    #expect(try await uploads.row(id).expiresAtMs == before.expiresAtMs)
    // Bytes do, once a minute.
    #expect(try await send(5, to: id, at: 10, uploads) == 15)
    let after = try await uploads.row(id).expiresAtMs
    #expect(after == time.nowMs + UploadRules().patienceMs)
    time.advance(ms: 30_000)
    #expect(try await send(5, to: id, at: 15, uploads) == 20)
    #expect(try await uploads.row(id).expiresAtMs == after)
  }

  // MARK: Addresses

  @Test func aGuestsAddressIsCountedForADayAndKeptNowhere() async throws {
    let uploads = uploads { $0.openPerAccount = 2 }
    let id = try await make(uploads, size: file.count)
    _ = try await send(file.count, to: id, uploads)
    #expect(try await uploads.commit(id).state == .processing)
    _ = try await make(uploads, size: 5000)
    // Over midnight, by another process, it is the same address still.
    time.advance(ms: 86_400_000 - time.nowMs % 86_400_000 + 1000)
    let another = bench.instance.uploads(
      {
        var rules = UploadRules()
        rules.openPerAccount = 1
        rules.emptyPatienceMs = rules.patienceMs
        return rules
      }(), time: time)
    let kept = try await make(another, size: 5000)
    #expect(try await refusal { _ = try await make(another, size: 5000) } == .uploadQuota)
    let accounts = try await bench.instance.database.read {
      try $0.query("SELECT account FROM uploads").map { try $0.text("account") }
        + $0.query("SELECT account FROM jobs").map { try $0.text("account") }
    }
    #expect(accounts.count == 4)
    #expect(accounts.allSatisfy { $0.hasPrefix("guest:") && !$0.contains("192.0.2.7") })
    let row = try await another.row(kept).account
    #expect(Set(accounts).count == 2 && accounts.contains(row))
    // Two days later nobody can tell any more, with the whole database before them.
    time.advance(ms: 2 * 86_400_000)
    let later = DailyNames(database: bench.instance.database, time: time)
    #expect(try await later.names(of: "192.0.2.7").allSatisfy { !row.hasSuffix($0) })
    let keys = try #require(try await bench.instance.settings.value("daily_name_keys"))
    #expect(keys.utf8.split(separator: UInt8(ascii: " ")).count == 1)
  }

  @Test func aNameIsTheSameInAllProcessesAndOfADay() async throws {
    let one = DailyNames(database: bench.instance.database, time: time)
    let two = DailyNames(database: bench.instance.database, time: time)
    let today = try await one.names(of: "192.0.2.7")
    #expect(try await two.names(of: "192.0.2.7") == today)
    #expect(today.count == 1)
    #expect(try await one.names(of: "192.0.2.8") != today)
    time.advance(ms: 86_400_000)
    let tomorrow = try await one.names(of: "192.0.2.7")
    #expect(tomorrow.count == 2 && tomorrow[1] == today[0] && tomorrow[0] != today[0])
    #expect(try await two.names(of: "192.0.2.7") == tomorrow)
  }

  @Test func addressesOfBeforeAreForgottenAndAccountsKeepTheirKeys() async throws {
    let bench = try await DatabaseBench()
    let all = Instance.migrations
    try await Migrator(database: bench.database, migrations: all.filter { $0.name < "0025" }).migrate()
    try await bench.database.write {
      for (id, account) in [("u1", "guest:192.0.2.7"), ("u2", "account:mara")] {
        try $0.execute(
          """
          INSERT INTO uploads (id, account, idempotency_key, size_bytes, media_type, publishes_itself, state, details,
              created_at_ms, expires_at_ms)
          VALUES (?, ?, ?, 5000, '', 0, 'receiving', '{}', 0, ?)
          """, [.text(id), .text(account), .text("key of \(id)"), .integer(.max / 2)])
        try $0.execute(
          """
          INSERT INTO jobs (id, kind, job_key, payload, account, priority, state, attempts, run_at_ms, fencing, step,
              progress_permille, created_at_ms, updated_at_ms)
          VALUES (?, 'transcode', ?, '', ?, 0, 'queued', 0, 0, 0, '', 0, 0, 0)
          """, [.text(id), .text(id), .text(account)])
      }
    }
    try await Migrator(database: bench.database, migrations: all).migrate()
    let accounts = try await bench.database.read { transaction in
      try ["uploads", "jobs"].map { table in
        try transaction.query("SELECT account FROM \(table) ORDER BY id").map { try $0.text("account") }
      }
    }
    #expect(accounts == [["guest:u1", "account:mara"], ["guest:u1", "account:mara"]])
    let store = UploadStore(time: time)
    let (mine, theirs, open) = try await bench.database.read {
      (
        try store.find(IdempotencyKey("key of u2", of: "mara"), in: $0)?.id,
        try store.find(IdempotencyKey("key of u1", of: "mara"), in: $0)?.id, try store.openBytes(in: $0)
      )
    }
    #expect(mine == "u2" && theirs == nil && open == 10_000)
  }

  // MARK: Who can see it

  @Test func onlyAnotherVisibilityIsSaidToBeOne() async throws {
    let uploads = uploads()
    let id = try await make(uploads, size: file.count)
    #expect(try await !uploads.describe(id, ClipDetails(visibility: .unlisted)).changesAccess)
    _ = try await send(file.count, to: id, uploads)
    _ = try await uploads.commit(id)
    #expect(try await !uploads.describe(id, ClipDetails(caption: "words")).changesAccess)
    #expect(try await !uploads.describe(id, ClipDetails(visibility: .unlisted)).changesAccess)
    #expect(try await uploads.describe(id, ClipDetails(visibility: .private)).changesAccess)
    #expect(try await !uploads.describe(id, ClipDetails(visibility: .private)).changesAccess)
  }
}
