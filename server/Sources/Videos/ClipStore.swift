public import Contract
internal import Foundation
public import Platform

/// Asks for work on a clip, in the transaction that makes it necessary.
public protocol TranscodeRequesting: Sendable {
  /// `account` is whose turn among others it takes.
  func requestTranscode(clipID: String, source: String, account: String, in transaction: any Transaction)
    throws
  /// The clip's cover is to be made, or made anew. Any number of times before the work begins is once; asked
  /// for in the transaction that ends the work, it is done again.
  func requestCover(clipID: String, in transaction: any Transaction) throws
  /// The clip goes: no work on it is begun any more, and what runs cannot end well.
  func withdraw(clipID: String, in transaction: any Transaction) throws
}

/// Hears of what changes about clips and authors by which they are found: text, tags, names, who sees them,
/// and their end. Called in the transaction of the change, behind it, with the clip locked.
public protocol ClipIndexing: Sendable {
  func clipChanged(_ clipID: String, in transaction: any Transaction) throws
  func authorChanged(_ authorID: String, in transaction: any Transaction) throws
}

/// Clips and their authors. A public clip is one content: the same bytes are never two of them. A clip that
/// is not public stands for itself, since whoever brings the same bytes must neither see nor change what
/// somebody else keeps.
///
/// A clip is invisible (`processing`) until something of it can be played and all of that is stored;
/// `publish` makes it visible in one step, `extend` replaces what it is played from by more.
///
/// Whatever changes a clip, but for adding to its counts, locks it first; see `Transaction.lock`.
public struct ClipStore: Sendable {
  public enum State: String, Sendable { case processing, ready, refused }

  /// What an import brings beside the bytes.
  public struct Draft: Sendable {
    public var sourceHash: String
    public var caption: String
    public var authorHandle: String
    public var authorName: String
    /// Names a clip that the product makes itself, so that it is never made twice; nil for people's clips.
    public var origin: String?
    /// Beside those in the caption.
    public var tags: [String] = []
    public var visibility = Visibility.public
    /// As in `ClipDetails`.
    public var coverMs: Int?
    public var isForAdults = false
    /// Whose turn its conversion takes; empty for the operator's own.
    public var account = ""
    /// The author who has an account; nil: whoever has the handle.
    public var authorID: String?
    /// AI made it here, which it says for ever.
    public var isGenerated = false
    /// A tag of BCP 47; nil: it is not known.
    public var language: String?

    public init(
      sourceHash: String, caption: String, authorHandle: String, authorName: String, origin: String? = nil
    ) {
      self.sourceHash = sourceHash
      self.caption = caption
      self.authorHandle = authorHandle
      self.authorName = authorName
      self.origin = origin
    }
  }

  public struct Registered: Sendable, Equatable {
    public let clipID: String
    public let state: State
  }

  public static let migrations = [
    Migration(
      "0003_clips",
      [
        """
        CREATE TABLE authors (
            id TEXT PRIMARY KEY, handle TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created_at_ms BIGINT NOT NULL)
        """,
        """
        CREATE TABLE clips (
            id TEXT PRIMARY KEY, author_id TEXT NOT NULL REFERENCES authors (id), caption TEXT NOT NULL,
            source_hash TEXT NOT NULL UNIQUE, origin TEXT UNIQUE, state TEXT NOT NULL,
            created_at_ms BIGINT NOT NULL,
            published_number BIGINT UNIQUE, duration_ms BIGINT, width BIGINT, height BIGINT,
            poster TEXT, playback TEXT,
            likes BIGINT NOT NULL DEFAULT 0, comments BIGINT NOT NULL DEFAULT 0,
            shares BIGINT NOT NULL DEFAULT 0, views BIGINT NOT NULL DEFAULT 0)
        """,
      ]),
    Migration(
      "0009_clip_details",
      [
        "ALTER TABLE clips ADD COLUMN visibility TEXT NOT NULL DEFAULT 'public'",
        // Words with a space between them; a tag has none in it.
        "ALTER TABLE clips ADD COLUMN tags TEXT NOT NULL DEFAULT ''",
      ]),
    Migration(
      "0010_covers",
      [
        // What was chosen, and what was made of it so far.
        "ALTER TABLE clips ADD COLUMN cover_ms BIGINT",
        "ALTER TABLE clips ADD COLUMN cover TEXT",
        // A storyboard for each clip of the time before there were any, behind all other work.
        """
        INSERT INTO jobs (id, kind, job_key, payload, account, priority, state, attempts, run_at_ms, fencing, step,
                          progress_permille, created_at_ms, updated_at_ms)
        SELECT 'storyboard-' || id, 'storyboard', id, '', '', 1000000, 'queued', 0, 0, 0, '', 0, created_at_ms,
            created_at_ms
        FROM clips WHERE state = 'ready'
        """,
      ]),
    Migration(
      "0012_kept_contents",
      [
        // As `describe` does when a clip stops being public.
        """
        UPDATE clips SET source_hash = source_hash || '/' || id
        WHERE visibility <> 'public' AND source_hash NOT LIKE '%/%'
        """,
        "ALTER TABLE clips ADD COLUMN was_public BIGINT NOT NULL DEFAULT 1",
      ]),
    Migration(
      "0016_feed_order",
      [
        // When a clip came back to its old place in the feed, so that nobody who passed that place misses it.
        "ALTER TABLE clips ADD COLUMN returned_at_ms BIGINT",
        "CREATE INDEX clips_returned ON clips (returned_at_ms) WHERE returned_at_ms IS NOT NULL",
        // NB: with the columns of its condition, without which SQLite reads the whole clip to see that it
        // holds.
        """
        CREATE INDEX clips_in_feed ON clips (published_number, id, state, visibility)
        WHERE state = 'ready' AND visibility = 'public'
        """,
        // The newest number that was ever given out: one is never given again, whatever is deleted.
        "CREATE TABLE feed_numbers (name TEXT PRIMARY KEY, last BIGINT NOT NULL)",
        """
        INSERT INTO feed_numbers (name, last)
        SELECT 'published', COALESCE(MAX(published_number), 0) FROM clips
        """,
      ]),
    Migration(
      "0023_quick_playback", [],
      postgreSQL: [
        // What every page unpacks is packed by lz4 from now on, where the server has it: quicker than what
        // PostgreSQL takes by itself, and no larger.
        """
        DO $$ BEGIN
            EXECUTE 'ALTER TABLE clips ALTER COLUMN playback SET COMPRESSION lz4';
        EXCEPTION WHEN syntax_error OR feature_not_supported THEN NULL;
        END $$
        """
      ]),
    Migration(
      "0024_quick_authors", [],
      postgreSQL: [
        // The author of each clip of a page is somewhere else: by a hash found in one look instead of one for
        // each level of the primary key.
        "CREATE INDEX authors_by_hash ON authors USING hash (id)"
      ]),
    Migration(
      "0030_hidden_clips",
      // Who could see a clip before the operator hid it with its author.
      ["ALTER TABLE clips ADD COLUMN hidden_visibility TEXT"]),
    Migration(
      "0034_removed_clips",
      // Who could see a clip before its owner deleted it, for as long as it can be had back.
      ["ALTER TABLE clips ADD COLUMN removed_visibility TEXT"]),
    Migration(
      "0040_clips_of_author",
      [
        // What those made whom somebody follows, without a look at anybody else's.
        """
        CREATE INDEX clips_of_author ON clips (author_id, published_number, id, state, visibility)
        WHERE state = 'ready' AND visibility = 'public'
        """
      ]),
    Migration(
      "0060_generated_clips",
      ["ALTER TABLE clips ADD COLUMN ai_generated BIGINT NOT NULL DEFAULT 0"]),
    Migration(
      "0036_clip_tags",
      tagTable + [
        // Each word of the text, one after the other.
        """
        INSERT INTO clip_tags (tag, clip_id)
        WITH RECURSIVE split (clip_id, word, rest) AS (
            SELECT id, '', tags || ' ' FROM clips WHERE tags <> ''
            UNION ALL
            SELECT clip_id, substr(rest, 1, instr(rest, ' ') - 1), substr(rest, instr(rest, ' ') + 1)
            FROM split WHERE rest <> '')
        SELECT DISTINCT word, clip_id FROM split WHERE word <> ''
        """
      ],
      postgreSQL: tagTable + [
        """
        INSERT INTO clip_tags (tag, clip_id)
        SELECT DISTINCT word, id FROM clips CROSS JOIN LATERAL unnest(string_to_array(tags, ' ')) AS word
        WHERE word <> ''
        """
      ]),
  ]

  /// The tags of `clips.tags`, to find the clips by. An id begins with when it was made: a tag's clips are in
  /// that order.
  private static let tagTable = [
    """
    CREATE TABLE clip_tags (
        tag TEXT NOT NULL, clip_id TEXT NOT NULL REFERENCES clips (id) ON DELETE CASCADE, PRIMARY KEY (tag, clip_id))
    """,
    "CREATE INDEX clip_tags_of ON clip_tags (clip_id)",
  ]

  let database: any Database
  let time: any TimeSource
  let transcoding: any TranscodeRequesting
  let captioning: (any CaptionRequesting)?
  let changes: FeedChanges
  let indexing: (any ClipIndexing)?
  public let blobs: ClipBlobs

  public init(
    database: any Database, time: any TimeSource, transcoding: any TranscodeRequesting,
    captioning: (any CaptionRequesting)? = nil, changes: FeedChanges, indexing: (any ClipIndexing)? = nil
  ) {
    self.changes = changes
    self.indexing = indexing
    self.database = database
    self.time = time
    self.transcoding = transcoding
    self.captioning = captioning
    blobs = ClipBlobs(database: database, time: time)
  }

  /// Registers the content and asks for its conversion; if the content is known, returns the clip that it is.
  /// `isNew`: the clip is that of whoever brings it. One that was refused before gets another try, since the
  /// reason may have gone with an update: as the same clip for whose it was, with what is said now; as a clip
  /// of their own for everybody else.
  public func register(_ draft: Draft) async throws -> (clip: Registered, isNew: Bool) {
    try await database.write { try register(draft, in: $0) }
  }

  public func register(_ draft: Draft, in transaction: any Transaction) throws -> (
    clip: Registered, isNew: Bool
  ) {
    let isShared = draft.visibility == .public
    // Who else brings the same waits, and finds this clip.
    if isShared { try transaction.lock(draft.sourceHash) }
    var known = isShared ? try find(draft.sourceHash, in: transaction) : nil
    if let known, known.state == .ready { return (known, false) }
    if let refused = known, refused.state == .refused, try !isTheirs(refused, draft, in: transaction) {
      try transaction.lock(refused.clipID)
      // NB: whoever brought it first goes on owning the clip that was refused, and nothing of the new one.
      try changes.execute(
        "UPDATE clips SET source_hash = source_hash || '/' || id WHERE id = ?", [.text(refused.clipID)],
        in: transaction)
      known = nil
    }
    let id = known?.clipID ?? Identifier.make(at: time)
    try transaction.lock(id)
    if known?.state == .refused {
      try changes.execute("UPDATE clips SET state = 'processing' WHERE id = ?", [.text(id)], in: transaction)
      try describe(
        id, caption: draft.caption, tags: draft.tags, visibility: draft.visibility, coverMs: draft.coverMs,
        forAdults: draft.isForAdults, language: draft.language, in: transaction)
    } else if known == nil {
      try transaction.execute(
        """
        INSERT INTO clips (id, author_id, caption, source_hash, origin, state, created_at_ms, was_public, ai_generated,
            language)
        VALUES (?, ?, ?, ?, ?, 'processing', ?, ?, ?, ?)
        """,
        [
          .text(id), .text(try author(draft, in: transaction)), .text(draft.caption),
          .text(isShared ? draft.sourceHash : "\(draft.sourceHash)/\(id)"),
          SQLValue(draft.origin), .integer(time.nowMs), SQLValue(isShared ? 1 : 0),
          SQLValue(draft.isGenerated ? 1 : 0), SQLValue(Self.language(of: draft.language)),
        ])
      try describe(
        id, caption: draft.caption, tags: draft.tags, visibility: draft.visibility, coverMs: draft.coverMs,
        forAdults: draft.isForAdults, in: transaction)
    }
    try transcoding.requestTranscode(
      clipID: id, source: draft.sourceHash, account: draft.account, in: transaction)
    return (Registered(clipID: id, state: .processing), known?.state != .processing)
  }

  /// Whether who brings a content that was refused is certainly who brought it then. Guests are all of one
  /// author.
  private func isTheirs(
    _ clip: Registered, _ draft: Draft, in transaction: any Transaction
  ) throws -> Bool {
    guard draft.origin == nil else { return true }
    guard draft.authorID != nil || draft.account.isEmpty else { return false }
    let author = try transaction.query("SELECT author_id FROM clips WHERE id = ?", [.text(clip.clipID)])
    return try author.first?.text("author_id") == self.author(draft, in: transaction)
  }

  public func find(sourceHash: String) async throws -> Registered? {
    try await database.read { try find(sourceHash, in: $0) }
  }

  public func find(origin: String) async throws -> Registered? {
    try await database.read {
      try $0.query("SELECT id, state FROM clips WHERE origin = ?", [.text(origin)]).first.map(registered)
    }
  }

  public func find(clipID: String) async throws -> Registered? {
    try await database.read {
      try $0.query("SELECT id, state FROM clips WHERE id = ?", [.text(clipID)]).first.map(registered)
    }
  }

  /// How many clips there are that a person can see or soon will.
  public func count() async throws -> Int {
    try await database.read {
      Int(try $0.query("SELECT COUNT(*) AS n FROM clips WHERE state <> 'refused'")[0].integer("n"))
    }
  }

  /// What can be seen of the clip; nil while nothing can.
  public func playback(of clipID: String) async throws -> Playback? {
    let row = try await database.read {
      try $0.query("SELECT playback FROM clips WHERE id = ? AND state = 'ready'", [.text(clipID)]).first
    }
    return try row.map { try WireCoding.decode(from: Data(try $0.text("playback").utf8)) }
  }

  /// Makes the clip visible, as the newest of the feed. `playlists` are blobs that only the master playlist
  /// names.
  public func publish(
    _ clipID: String, poster: Poster, playback: Playback, playlists: [BlobName] = [],
    in transaction: any Transaction
  ) throws {
    try transaction.lock(clipID)
    let number = try nextNumber(in: transaction)
    guard
      try describe(
        clipID, "state = 'ready', published_number = \(number)", where: .processing, poster, playback,
        playlists,
        in: transaction)
    else { throw AppError(.clipNotFound, "the clip \(clipID) does not wait for its media") }
    try indexing?.clipChanged(clipID, in: transaction)
  }

  /// The place of a clip that is new in the feed.
  ///
  /// NB: the row is locked until the transaction ends, so clips become visible in the order of their numbers:
  /// a walk through the feed that has passed a number has missed nothing behind it.
  func nextNumber(in transaction: any Transaction) throws -> Int64 {
    try transaction.execute("UPDATE feed_numbers SET last = last + 1 WHERE name = 'published'")
    return try transaction.query("SELECT last FROM feed_numbers WHERE name = 'published'")[0].integer("last")
  }

  /// Replaces what a visible clip is played from; its place in the feed stays.
  public func extend(
    _ clipID: String, poster: Poster, playback: Playback, playlists: [BlobName] = [],
    in transaction: any Transaction
  ) throws {
    try transaction.lock(clipID)
    guard
      try describe(clipID, "state = 'ready'", where: .ready, poster, playback, playlists, in: transaction)
    else { throw AppError(.clipNotFound, "the clip \(clipID) cannot be seen any more") }
  }

  private func describe(
    _ clipID: String, _ assignments: String, where state: State, _ poster: Poster, _ playback: Playback,
    _ playlists: [BlobName], in transaction: any Transaction
  ) throws -> Bool {
    let best = playback.renditions[playback.renditions.count - 1]
    let (posterText, playbackText) = (try json(poster), try json(playback))
    let changed = try changes.execute(
      """
      UPDATE clips SET \(assignments), duration_ms = ?, width = ?, height = ?, poster = ?, playback = ?
      WHERE id = ? AND state = ?
      """,
      [
        SQLValue(playback.durationMs), SQLValue(best.width), SQLValue(best.height), .text(posterText),
        .text(playbackText), .text(clipID), .text(state.rawValue),
      ], in: transaction)
    guard changed == 1 else { return false }
    try renewCaptions(of: clipID, in: transaction)
    // Those of the row, since it may have a cover and captions as well.
    try blobs.set(try named(by: clipID, in: transaction).union(playlists), of: clipID, in: transaction)
    // The best rendition is another one now.
    if try coverWanted(of: clipID, in: transaction) != nil {
      try transcoding.requestCover(clipID: clipID, in: transaction)
    }
    return true
  }

  /// False: it did not wait for its media, and stays as it is.
  @discardableResult
  public func refuse(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    try transaction.lock(clipID)
    return try changes.execute(
      "UPDATE clips SET state = 'refused' WHERE id = ? AND state = 'processing'", [.text(clipID)],
      in: transaction) == 1
  }

  /// A clip that was refused is being made again.
  public func reopen(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    try changes.execute(
      "UPDATE clips SET state = 'processing' WHERE id = ? AND state = 'refused'", [.text(clipID)],
      in: transaction)
  }

  /// Throws `clip_not_found` if there is no such clip, or if nobody can see it, or nobody but its owner.
  public func requireVisible(_ clipID: String, in transaction: any Transaction) throws {
    let rows = try transaction.query(
      "SELECT id FROM clips WHERE id = ? AND state = 'ready' AND visibility <> 'private'", [.text(clipID)])
    guard !rows.isEmpty else { throw AppError(.clipNotFound) }
  }

  /// Whose clip it is, the id of an author. Throws as `requireVisible` does.
  public func author(ofVisible clipID: String, in transaction: any Transaction) throws -> String {
    let row = try transaction.query(
      "SELECT author_id FROM clips WHERE id = ? AND state = 'ready' AND visibility <> 'private'",
      [.text(clipID)]
    ).first
    guard let row else { throw AppError(.clipNotFound) }
    return try row.text("author_id")
  }

  /// Whether everybody can see it.
  public func isPublic(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT id FROM clips WHERE id = ? AND state = 'ready' AND visibility = 'public'", [.text(clipID)]
    ).isEmpty
  }

  /// Whether AI made it here. `ai_generated` is 1 of such a clip, 2 of one whose source says that AI made it
  /// elsewhere, and 0 of all others.
  public func isGenerated(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query("SELECT id FROM clips WHERE id = ? AND ai_generated = 1", [.text(clipID)]).isEmpty
  }

  public func isGenerated(_ clipID: String) async throws -> Bool {
    try await database.read { try isGenerated(clipID, in: $0) }
  }

  /// From now on the clip says that AI made it, by the word of its source.
  public func setMadeByAI(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    try changes.execute(
      "UPDATE clips SET ai_generated = 2 WHERE id = ? AND ai_generated = 0", [.text(clipID)],
      in: transaction)
  }

  /// Whose clip it is, the id of an author, whoever can see it; nil: there is none.
  public func author(of clipID: String, in transaction: any Transaction) throws -> String? {
    try transaction.query("SELECT author_id FROM clips WHERE id = ?", [.text(clipID)]).first?
      .text("author_id")
  }

  /// The captions of those of these clips that are the author's and will never be seen.
  public func failures(
    _ clipIDs: [String], of author: String, in transaction: any Transaction
  ) throws -> [String: String] {
    guard !clipIDs.isEmpty else { return [:] }
    let list = SQLList(clipIDs)
    let rows = try transaction.query(
      """
      SELECT id, caption FROM clips
      WHERE id IN \(list.marks) AND author_id = ? AND state = 'refused' AND removed_visibility IS NULL
      """, list.values + [.text(author)])
    return try rows.reduce(into: [:]) { $0[try $1.text("id")] = try $1.text("caption") }
  }

  /// Those of these clips that others than their owner can see.
  public func visible(among clipIDs: [String], in transaction: any Transaction) throws -> Set<String> {
    guard !clipIDs.isEmpty else { return [] }
    let list = SQLList(clipIDs)
    let rows = try transaction.query(
      "SELECT id FROM clips WHERE id IN \(list.marks) AND state = 'ready' AND visibility <> 'private'",
      list.values)
    return Set(try rows.map { try $0.text("id") })
  }

  public func hasAuthor(_ id: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query("SELECT id FROM authors WHERE id = ?", [.text(id)]).isEmpty
  }

  private func find(_ hash: String, in transaction: any Transaction) throws -> Registered? {
    try transaction.query("SELECT id, state FROM clips WHERE source_hash = ?", [.text(hash)]).first.map(
      registered)
  }

  private func registered(_ row: Row) throws -> Registered {
    Registered(clipID: try row.text("id"), state: State(rawValue: try row.text("state")) ?? .refused)
  }

  private func author(_ draft: Draft, in transaction: any Transaction) throws -> String {
    if let id = draft.authorID {
      let known = try transaction.query("SELECT id FROM authors WHERE id = ?", [.text(id)])
      guard !known.isEmpty else { throw AppError(.accountNotFound) }
      return id
    }
    let made = try transaction.execute(
      "INSERT INTO authors (id, handle, name, created_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT (handle) DO NOTHING",
      [
        .text(Identifier.make(at: time)), .text(draft.authorHandle), .text(draft.authorName),
        .integer(time.nowMs),
      ])
    let id = try transaction.query("SELECT id FROM authors WHERE handle = ?", [.text(draft.authorHandle)])[0]
      .text("id")
    if made == 1 { try indexing?.authorChanged(id, in: transaction) }
    return id
  }

  func json(_ value: some Encodable) throws -> String {
    String(decoding: try WireCoding.encode(value), as: UTF8.self)
  }
}
