internal import Foundation
internal import Platform
internal import Ranking

/// Keeps the ranker of this process up with the database: events, clips, people who left.
///
/// Whoever asks for a page asks it first, so that the page reflects what was committed before. Of many who
/// ask at once, one reads. While people do something it reads on by itself, so that little is left to learn
/// when somebody asks.
actor LogReader {
  static let batch = 500
  /// Events that are learned in one turn of the engine, about a millisecond: pages come in between. Not where
  /// a batch is full, since then pages wait for what comes behind it in any case.
  private static let learnedAtOnce = 20
  /// A transaction is nearly always over by then, and clocks are nearly always as near.
  private static let unsettledMs: Int64 = 500
  /// A transaction is over by then, whatever it does, and clocks of servers are no farther apart.
  static let lateMs: Int64 = 60_000
  /// How often it is looked for what came late.
  static let lookbackMs: Int64 = 10_000

  private let database: any Database
  private let time: any TimeSource
  private let engine: RankingEngine
  private let snapshots: SnapshotStore
  private let log: EventLog
  private let limit: Int
  private let pause: @Sendable () async throws -> Void
  private let soon: @Sendable () async throws -> Void

  /// What is done one after the other: the last of it, and a reading that has not begun.
  private var last: Task<Void, Never>?
  private var waiting: Task<Void, any Error>?
  /// Whether it will read on by itself.
  private var readsOn = false
  private var isLoaded = false
  /// The last event that was learned, and those of the last minutes.
  private var position = ""
  private var recent: Set<String> = []
  private var lookedBackMs: Int64 = .min
  /// When it was begun to look for who left and what came back, the last time that it went well.
  private var checkedMs: Int64 = 0
  private var clipNumber: Int64 = 0
  /// Clips that were met since a reading of all began; nil: none is under way.
  private var met: Set<EntityID>?
  /// Since the last snapshot.
  private(set) var learned = 0

  /// - Parameters:
  ///   - limit: clips that one statement reads.
  ///   - pause: between two such statements where there is time. It is about as long as one of them takes.
  ///   - soon: from events that were found until it is looked for more. If it throws, nothing more is read
  ///     before somebody asks.
  init(
    database: any Database, time: any TimeSource, engine: RankingEngine, snapshots: SnapshotStore,
    limit: Int = clipsOfARead,
    pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(50)) },
    soon: @escaping @Sendable () async throws -> Void = LogReader.soon
  ) {
    self.database = database
    self.time = time
    self.engine = engine
    self.snapshots = snapshots
    self.limit = limit
    self.pause = pause
    self.soon = soon
    log = EventLog(time: time)
  }

  /// Comes back when all that was committed before the call is learned, but for what became visible behind a
  /// later event: the next look back finds that, and of `viewer` this finds it too.
  func follow(for viewer: String? = nil) async throws {
    try await catchUp()
    guard let viewer else { return }
    let since = EventLog.firstID(at: time.nowMs - Self.unsettledMs)
    let ids = try await database.read { [log, position] in
      try log.ids(after: since, upTo: position, of: viewer, in: $0)
    }
    guard ids.contains(where: { !recent.contains($0) }) else { return }
    try await inTurn { try await $0.learnLate(ids) }.value
  }

  private func catchUp() async throws {
    if let waiting { return try await waiting.value }
    let task = inTurn { reader in
      // What is committed from here on may be missed by this one.
      reader.waiting = nil
      try await reader.read()
    }
    waiting = task
    try await task.value
  }

  /// Five milliseconds: of 1,000 events a second a page finds three that it has to wait for.
  static let soon: @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(5)) }

  /// What fails here is dropped: who asks next reads again, and hears if that fails too.
  private func readOn() {
    guard !readsOn else { return }
    readsOn = true
    Task { [weak self, soon] in
      try await soon()
      try await self?.catchUpAgain()
    }
  }

  private func catchUpAgain() async throws {
    readsOn = false
    try await catchUp()
  }

  /// Everything that is needed to go on elsewhere; nil: nothing is loaded.
  func state() async throws -> SavedRanking? {
    waiting = nil
    // NB: in turn, so that no event is in the model alone, or in what says what is in it.
    let making = inTurn { reader in
      // Nobody else holds it: letting go of a million clips takes its time as well.
      try await reader.takeState().map { taken in Task.detached { await taken.saved() } }
    }
    return try await making.value?.value
  }

  private func takeState() async throws -> TakenRanking? {
    guard isLoaded else { return nil }
    // A process that was held up may be here before it has looked who left meanwhile.
    try await forgetWhoLeft(sinceMs: unknownMs)
    guard let (ranker, trust, judgement) = await engine.state() else { return nil }
    learned = 0
    // A server whose clock is ahead makes ids that others do not reach for long. Whoever goes on from here
    // reads from a minute ago, and knows by `recent` what of that is in the model.
    let settled = min(position, EventLog.firstID(at: time.nowMs - Self.lateMs))
    return TakenRanking(
      position: settled, recent: recent, ranker: ranker, trust: trust, judgement: judgement)
  }

  /// Reads all clips again: whatever was changed or taken away, and nobody told of. Pages and events come in
  /// between: with a million clips it takes a minute. Does nothing while all clips are being read anyway.
  func refresh() async throws {
    guard isLoaded, met == nil else { return }
    met = []
    defer { met = nil }
    // NB: making room for a million one growth at a time would hold up others.
    let count = await engine.clipCount
    met?.reserveCapacity(count)
    var number: Int64? = 0
    while let last = number {
      number = try await inTurn { reader in
        let some = try await reader.clips(after: last)
        await reader.add(some.compactMap(\.clip))
        return some.count == reader.limit ? some.last?.number : nil
      }.value
      if number != nil { try await pause() }
    }
    let gone = await Self.missing(engine.clipIDs, in: met ?? [])
    for start in stride(from: 0, to: gone.count, by: Self.removedAtOnce) {
      let some = gone[start..<min(start + Self.removedAtOnce, gone.count)]
      try await inTurn { reader in
        // Those that came back meanwhile stay.
        try await reader.readReturnedClips(sinceMs: reader.unknownMs)
        let met = reader.met ?? []
        await reader.engine.remove(some.filter { !met.contains($0) })
      }.value
      try await pause()
    }
  }

  private func inTurn<Value: Sendable>(
    _ work: @escaping @Sendable (isolated LogReader) async throws -> Value
  ) -> Task<Value, any Error> {
    let before = last
    let task = Task {
      await before?.value
      return try await work(self)
    }
    last = Task { _ = try? await task.value }
    return task
  }

  // MARK: Reading

  private func read() async throws {
    if !isLoaded { try await load() }
    let begin = position
    while true {
      let events = try await database.read { [log, position] in
        try log.events(after: position, limit: Self.batch, in: $0)
      }
      // NB: clips behind events, and before they are learned: what an event is about was there before it.
      try await readNewClips()
      await learn(events)
      if let last = events.last { position = last.id }
      if events.count < Self.batch { break }
    }
    if position > begin { readOn() }
    let nowMs = time.nowMs
    guard lookedBackMs > nowMs || nowMs - max(lookedBackMs, 0) >= Self.lookbackMs else { return }
    try await lookBack(nowMs)
    lookedBackMs = nowMs
  }

  private func learn(_ events: [EventLog.Event]) async {
    // What is older is read once, on the way from `position`; but that of a snapshot is a minute back, and
    // what of that minute is learned is in `recent`.
    let old = EventLog.firstID(at: time.nowMs - 2 * Self.lateMs)
    let new = events.filter { !recent.contains($0.id) && ($0.id <= old || recent.insert($0.id).inserted) }
    guard !new.isEmpty else { return }
    learned += new.count
    let turn = events.count < Self.batch ? Self.learnedAtOnce : Self.batch
    for start in stride(from: 0, to: new.count, by: turn) {
      await engine.learn(Array(new[start..<min(start + turn, new.count)]))
    }
  }

  private func load() async throws {
    let nowMs = time.nowMs
    var saved = try await snapshots.last()
    // The clock of whoever wrote it was ahead. Nobody knows which events before its position are not in it.
    if let position = saved?.position, position > EventLog.firstID(at: nowMs + Self.lateMs) { saved = nil }
    // NB: what is not in a model that cannot be used is learned from the events.
    let isUsed = await engine.load(saved, nowMs: nowMs)
    position = isUsed ? saved?.position ?? "" : ""
    recent = isUsed ? Set(saved?.recent ?? []) : []
    try await loadClips()
    try await forgetWhoLeft(sinceMs: 0)
    checkedMs = nowMs
    isLoaded = true
  }

  /// What became visible behind the last event that was learned, but has an id of before it.
  private func lookBack(_ nowMs: Int64) async throws {
    let since = EventLog.firstID(at: nowMs - Self.lateMs)
    let (upTo, log) = (position, log)
    let ids = try await database.read { try log.ids(after: since, upTo: upTo, in: $0) }
    try await learnLate(ids)
    let old = EventLog.firstID(at: nowMs - 2 * Self.lateMs)
    recent = recent.filter { $0 > old }
    let sinceMs = unknownMs
    try await readReturnedClips(sinceMs: sinceMs)
    try await forgetWhoLeft(sinceMs: sinceMs)
    checkedMs = nowMs
  }

  /// Those of a list that are not learned yet.
  private func learnLate(_ ids: [String]) async throws {
    let late = ids.filter { !recent.contains($0) }
    // As in `read`: what an event is about was there before it.
    if !late.isEmpty { try await readNewClips() }
    for start in stride(from: 0, to: late.count, by: Self.batch) {
      let some = Array(late[start..<min(start + Self.batch, late.count)])
      await learn(try await database.read { [log] in try log.events(some, in: $0) })
    }
  }

  /// Since when people may have left, and clips come back, of which this process does not know: however long
  /// it was held up. What is found again is only done again.
  private var unknownMs: Int64 { min(checkedMs, time.nowMs) - 2 * Self.lateMs }

  private func forgetWhoLeft(sinceMs: Int64) async throws {
    let left = try await database.read { [time] in
      try ErasureLog(time: time).noted(.viewer, sinceMs: sinceMs, in: $0)
    }
    if !left.isEmpty { await engine.forget(left) }
  }

  // MARK: Clips

  private static let columns =
    "id, author_id, tags, sound_id, language, duration_ms, created_at_ms, published_number"
  private static let isShown = "state = 'ready' AND visibility = 'public' AND reach_limited = 0"
  /// Clips that one statement reads.
  static let clipsOfARead = 2_000
  /// A page waits for as long as so many take: each is looked for among all that are still new.
  private static let removedAtOnce = 50

  typealias NumberedClip = (clip: Ranking.Clip?, number: Int64)

  /// Those that may be put before people, behind a number, in its order; at most `limit`.
  static func shownClips(
    after number: Int64, limit: Int = clipsOfARead, in transaction: any Transaction
  ) throws -> [NumberedClip] {
    try clips(
      "\(isShown) AND published_number > ? ORDER BY published_number LIMIT \(limit)",
      [.integer(number)], in: transaction)
  }

  private static func clips(
    _ condition: String, _ values: [SQLValue], in transaction: any Transaction
  ) throws -> [NumberedClip] {
    try transaction.query("SELECT \(columns) FROM clips WHERE \(condition)", values).map { row in
      (try clip(row), row.optionalInteger("published_number") ?? 0)
    }
  }

  private func readNewClips() async throws {
    var some = try await clips(after: clipNumber)
    while let last = some.last {
      let isMore = some.count == limit
      // Read while these are taken in: half the time of a start.
      async let next = isMore ? clips(after: last.number) : []
      await add(some.compactMap(\.clip))
      clipNumber = max(clipNumber, last.number)
      some = try await next
    }
  }

  private func clips(after number: Int64) async throws -> [NumberedClip] {
    try await database.read { [limit] in try Self.shownClips(after: number, limit: limit, in: $0) }
  }

  private func add(_ clips: [Ranking.Clip]) async {
    await engine.add(clips)
    met?.formUnion(clips.map(\.id))
  }

  private func readReturnedClips(sinceMs: Int64) async throws {
    let clips = try await database.read {
      try Self.clips(
        "(returned_at_ms >= ? OR changed_at_ms >= ?) AND \(Self.isShown)",
        [.integer(sinceMs), .integer(sinceMs)], in: $0)
    }
    if !clips.isEmpty { await add(clips.compactMap(\.clip)) }
  }

  /// Before anything is asked for: in one go.
  private func loadClips() async throws {
    clipNumber = 0
    met = []
    defer { met = nil }
    try await readNewClips()
    await engine.remove(Self.missing(engine.clipIDs, in: met ?? []))
  }

  /// Elsewhere than the reader, which has others to answer: of a million it takes a while.
  @concurrent private static func missing(
    _ ids: [EntityID], in met: Set<EntityID>
  ) async -> [EntityID] {
    ids.filter { !met.contains($0) }
  }

  private static func clip(_ row: Row) throws -> Ranking.Clip? {
    guard let id = EntityID(uuid: try row.text("id")) else { return nil }
    return Ranking.Clip(
      id: id, author: EntityID(of: try row.text("author_id")),
      tags: try row.text("tags").split(atByte: UInt8(ascii: " ")).map { StableHash.of(String($0)) },
      sound: row.optionalText("sound_id").map { StableHash.of($0) },
      language: row.optionalText("language").map { StableHash.of($0) },
      duration: row.optionalInteger("duration_ms") ?? 0, publishedAt: try row.integer("created_at_ms"))
  }
}
