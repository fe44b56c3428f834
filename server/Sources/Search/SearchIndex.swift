internal import Contract
public import Platform

/// What is found by words: public clips by caption, tags and handle, people by handle and name, tags by
/// themselves, sounds by the words of the first clip that has them.
///
/// It decides which words lead to what, and in which order. It refuses to know who asks and what clips look
/// like. Entries change in the transaction of what they are about (`renewClip`, `renewPerson`), so nothing is
/// found that is not there, and a rollback leaves nothing behind.
///
/// It is an inverted index in plain tables, one implementation for both databases: postings lie in the order
/// in which results are shown, so a page reads as many as it shows, however many clips have the word
/// (docs/decisions/0053-an-index-in-plain-tables.md). What is missing or misspelt is looked for among words,
/// which grow slowly, not among texts.
public struct SearchIndex: Sendable {
  enum Kind: String, Sendable, CaseIterable { case clip, person, tag, sound }

  public static let migrations = [
    Migration(
      "0038_search", tables.map { $0 + " WITHOUT ROWID" } + rest,
      postgreSQL: tables + rest),
    Migration(
      "0074_sounds_in_search", [soundColumn, soundTable + " WITHOUT ROWID"],
      postgreSQL: [soundColumn, soundTable]),
    Migration(
      "0079_signatures_of_terms", signatureColumns, postgreSQL: signatureColumns + keyWithSignature),
  ]

  private static let tables = [
    // What is found. Terms and tags with a space between them; they are here to be compared with what is said
    // next. The level is how well known it is (`Level`).
    """
    CREATE TABLE search_entries (
        kind TEXT NOT NULL, id TEXT NOT NULL, level BIGINT NOT NULL, terms TEXT NOT NULL, tags TEXT NOT NULL,
        PRIMARY KEY (kind, id))
    """,
    // Read backwards: the best known first, then the newest, as ids of clips and people begin with when they
    // were made.
    """
    CREATE TABLE search_postings (
        kind TEXT NOT NULL, term TEXT NOT NULL, level BIGINT NOT NULL, id TEXT NOT NULL,
        PRIMARY KEY (kind, term, level, id))
    """,
    // Every word in use, as it was spelled first, and in how many entries it is.
    """
    CREATE TABLE search_words (
        kind TEXT NOT NULL, word TEXT NOT NULL, spelling TEXT NOT NULL, uses BIGINT NOT NULL,
        level BIGINT NOT NULL, PRIMARY KEY (kind, word))
    """,
    // What words are with a letter left out (`Misspelling`).
    """
    CREATE TABLE search_forms (
        kind TEXT NOT NULL, form TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (kind, form, word))
    """,
    "CREATE TABLE search_tags (tag TEXT NOT NULL, clips BIGINT NOT NULL, PRIMARY KEY (tag))",
    // What was there before the index was; empty once a server has run for some minutes.
    "CREATE TABLE search_backlog (kind TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (kind, id))",
  ]

  /// Of the entry of a clip.
  private static let soundColumn = "ALTER TABLE search_entries ADD COLUMN sound_id TEXT"
  /// In how many entries of clips it is, and by the words of which clip it is found.
  private static let soundTable = """
    CREATE TABLE search_sounds (
        sound_id TEXT NOT NULL, clips BIGINT NOT NULL, first_clip TEXT NOT NULL, PRIMARY KEY (sound_id))
    """

  /// `TermSignature`. What was there before has none until `reorder`, or a change; tags and sounds, which are
  /// few, until their words or their level change.
  private static let signatureColumns = ["entries", "postings"].map {
    "ALTER TABLE search_\($0) ADD COLUMN signature BIGINT"
  }
  /// So that postings are still read from the index alone.
  private static let keyWithSignature = [
    "ALTER TABLE search_postings DROP CONSTRAINT search_postings_pkey",
    "ALTER TABLE search_postings ADD PRIMARY KEY (kind, term, level, id) INCLUDE (signature)",
  ]
  private static let rest = [
    "CREATE INDEX search_words_by_level ON search_words (kind, level, word)",
    """
    INSERT INTO search_backlog (kind, id)
    SELECT 'clip', id FROM clips WHERE state = 'ready' AND visibility = 'public'
    """,
    "INSERT INTO search_backlog (kind, id) SELECT 'person', id FROM authors",
  ]

  public init() {}

  /// The clip is another than before, or is gone. Only what everybody sees is found; what moderators limit in
  /// its reach is found by whose it is alone, and makes neither its tags nor its sound known.
  ///
  /// NB: behind everything else that the transaction does to the clip, which it has locked: words are counted
  /// one transaction after the other.
  public func renewClip(_ id: String, in transaction: any Transaction) throws {
    guard let row = try clip(where: "c.id = ?", id, in: transaction) else {
      return try set(nil, .clip, id, in: transaction)
    }
    let (terms, tags) = try Self.words(of: row)
    let level = Level.ofClip(
      likes: row.optionalInteger("likes") ?? 0, views: row.optionalInteger("views") ?? 0)
    let sound = try row.integer("reach_limited") == 1 ? nil : row.optionalText("sound_id")
    try set(Entry(level: level, terms: terms, tags: tags, sound: sound), .clip, id, in: transaction)
  }

  /// The first clip that everybody sees and for which this holds.
  private func clip(
    where condition: String, _ value: String, in transaction: any Transaction
  ) throws -> Row? {
    try transaction.query(
      """
      SELECT c.id, c.caption, c.tags, c.sound_id, c.reach_limited, a.handle, n.likes, n.views FROM clips c
      JOIN authors a ON a.id = c.author_id LEFT JOIN clip_totals n ON n.clip_id = c.id
      WHERE c.state = 'ready' AND c.visibility = 'public' AND \(condition) ORDER BY c.id LIMIT 1
      """, [.text(value)]
    ).first
  }

  /// By which a clip is found.
  private static func words(of row: Row) throws -> (terms: [SearchText.Found], tags: [String]) {
    let isLimited = try row.integer("reach_limited") == 1
    let tags = try isLimited ? [] : row.text("tags").split(atByte: UInt8(ascii: " ")).map(String.init)
    // NB: a handle never changes, while a name does, for any number of clips.
    let handle = try row.text("handle")
    let names = tags + (handle == Author.guestHandle ? [] : [handle])
    var found = try isLimited ? [] : SearchText.terms(of: row.text("caption"))
    // Most tags stand in the caption as well.
    var known = Set(found.map(\.term))
    for term in names.flatMap(SearchText.terms(ofName:)) where known.insert(term.term).inserted {
      found.append(term)
    }
    return (found, tags)
  }

  /// The person has another name than before, or is gone.
  public func renewPerson(_ id: String, in transaction: any Transaction) throws {
    try transaction.lock(id)
    let row = try transaction.query(
      """
      SELECT a.handle, a.name, n.followers FROM authors a LEFT JOIN author_totals n ON n.author_id = a.id
      WHERE a.id = ?
      """, [.text(id)]
    ).first
    // The author that all guests share is nobody whom one could look for.
    guard let row, try row.text("handle") != Author.guestHandle else {
      return try set(nil, .person, id, in: transaction)
    }
    let handle = SearchText.terms(ofName: try row.text("handle"))
    let known = Set(handle.map(\.term))
    let name = SearchText.terms(of: try row.text("name")).filter { !known.contains($0.term) }
    let level = Level.of(row.optionalInteger("followers") ?? 0)
    try set(Entry(level: level, terms: handle + name, tags: []), .person, id, in: transaction)
  }

  // MARK: Sounds

  /// The sound has other clips than before, or the first of them has other words. What only one clip has is
  /// not found.
  func renewSound(_ id: String, in transaction: any Transaction) throws {
    let known = try transaction.query(
      "SELECT clips, first_clip FROM search_sounds WHERE sound_id = ?", [.text(id)]
    ).first
    let first = try clip(where: "c.reach_limited = 0 AND c.sound_id = ?", id, in: transaction)
    guard let known, let first else { return try set(nil, .sound, id, in: transaction) }
    let firstID = try first.text("id")
    if try known.text("first_clip") != firstID {
      try transaction.execute(
        "UPDATE search_sounds SET first_clip = ? WHERE sound_id = ?", [.text(firstID), .text(id)])
    }
    let clips = try known.integer("clips")
    guard clips >= 2 else { return try set(nil, .sound, id, in: transaction) }
    let entry = Entry(level: Level.of(clips), terms: try Self.words(of: first).terms, tags: [])
    try set(entry, .sound, id, in: transaction)
  }
}

/// How well known something is: steps of four times as much, so that what is nearly as well known stands in
/// the order of its age, and an entry moves a few times in its life only.
enum Level {
  static let most: Int64 = 15

  static func of(_ count: Int64) -> Int64 {
    let magnitude = UInt64(max(0, count)) + 1
    return min(most, Int64((UInt64.bitWidth - 1 - magnitude.leadingZeroBitCount) / 2))
  }

  /// A like says as much as four views.
  static func ofClip(likes: Int64, views: Int64) -> Int64 {
    max(of(views), likes > 0 ? min(most, of(likes) + 1) : 0)
  }
}
