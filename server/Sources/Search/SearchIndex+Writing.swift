internal import Platform

/// How an entry is kept. Everything is compared with what was kept before: an entry that is the same stays as
/// it is, and of one that differs only what differs is written, but for its postings: they say all its terms.
extension SearchIndex {
  struct Entry {
    var level: Int64
    var terms: [SearchText.Found]
    var tags: [String]
    /// Of a clip.
    var sound: String?

    var signature: TermSignature { TermSignature(terms.lazy.map(\.term)) }
  }

  /// Nil: there is nothing to find any more.
  func set(_ entry: Entry?, _ kind: Kind, _ id: String, in transaction: any Transaction) throws {
    let old = try transaction.query(
      "SELECT level, terms, tags, sound_id, signature FROM search_entries WHERE kind = ? AND id = ?",
      [.text(kind.rawValue), .text(id)]
    ).first
    if entry == nil, old == nil { return }
    let oldLevel = try old?.integer("level")
    let before = try Self.words(old, "terms")
    let after = entry?.terms.map(\.term) ?? []
    let tagsBefore = try Self.words(old, "tags")
    let soundBefore = old?.optionalText("sound_id")
    let signature = entry?.signature.value ?? .null
    let isSigned = SQLValue(old?.optionalInteger("signature")) == signature
    if let entry, oldLevel == entry.level, before == after, tagsBefore == entry.tags,
      soundBefore == entry.sound, isSigned
    {
      return
    }
    // NB: the last lock that a transaction takes. A word that goes and comes at the same time would be lost.
    try transaction.lock("search words")
    let (gone, new) = (Set(before).subtracting(after), Set(after).subtracting(before))
    // Each posting has the level, and by the signature all the terms.
    let isRewritten = oldLevel != entry?.level || !gone.isEmpty || !new.isEmpty || !isSigned
    if isRewritten, let oldLevel { try remove(before, kind, oldLevel, id, in: transaction) }
    if let entry {
      if isRewritten { try add(after, kind, entry.level, id, signature, in: transaction) }
      try transaction.execute(
        """
        INSERT INTO search_entries (kind, id, level, terms, tags, sound_id, signature) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (kind, id) DO UPDATE SET level = excluded.level, terms = excluded.terms, tags = excluded.tags,
            sound_id = excluded.sound_id, signature = excluded.signature
        """,
        [
          .text(kind.rawValue), .text(id), .integer(entry.level), .text(after.joined(separator: " ")),
          .text(entry.tags.joined(separator: " ")), SQLValue(entry.sound), signature,
        ])
    } else {
      try transaction.execute(
        "DELETE FROM search_entries WHERE kind = ? AND id = ?", [.text(kind.rawValue), .text(id)])
    }
    try useLess(gone.filter(SearchText.isWord).sorted(), kind, in: transaction)
    try useMore(
      (entry?.terms ?? []).filter { new.contains($0.term) && SearchText.isWord($0.term) }, kind,
      in: transaction)
    try count(tagsBefore, entry?.tags ?? [], in: transaction)
    if soundBefore != entry?.sound {
      try countSounds(soundBefore, entry?.sound, of: id, in: transaction)
    } else if let sound = soundBefore, before != after {
      try renewSound(sound, in: transaction)
    }
  }

  static func words(_ row: Row?, _ column: String) throws -> [String] {
    try row?.text(column).split(atByte: UInt8(ascii: " ")).map(String.init) ?? []
  }

  private func remove(
    _ terms: [String], _ kind: Kind, _ level: Int64, _ id: String, in transaction: any Transaction
  ) throws {
    for some in Portions(terms) {
      let list = SQLList(some)
      try transaction.execute(
        "DELETE FROM search_postings WHERE kind = ? AND level = ? AND id = ? AND term IN \(list.marks)",
        [.text(kind.rawValue), .integer(level), .text(id)] + list.values)
    }
  }

  private func add(
    _ terms: [String], _ kind: Kind, _ level: Int64, _ id: String, _ signature: SQLValue,
    in transaction: any Transaction
  ) throws {
    for some in Portions(terms) {
      let rows = some.map { _ in "(?, ?, ?, ?, ?)" }.joined(separator: ", ")
      try transaction.execute(
        "INSERT INTO search_postings (kind, term, level, id, signature) VALUES \(rows) ON CONFLICT DO NOTHING",
        some.flatMap { [.text(kind.rawValue), .text($0), .integer(level), .text(id), signature] })
    }
  }

  // MARK: Words

  private func useMore(
    _ words: [SearchText.Found], _ kind: Kind, in transaction: any Transaction
  ) throws {
    for some in Portions(words) {
      let rows = some.map { _ in "(?, ?, ?, 1, 0)" }.joined(separator: ", ")
      let counted = try transaction.query(
        """
        INSERT INTO search_words (kind, word, spelling, uses, level) VALUES \(rows)
        ON CONFLICT (kind, word) DO UPDATE SET uses = search_words.uses + 1 RETURNING word, uses
        """, some.flatMap { [.text(kind.rawValue), .text($0.term), .text($0.spelling)] })
      for row in counted {
        let (word, uses) = (try row.text("word"), try row.integer("uses"))
        if uses == 1 { try addForms(of: word, kind, in: transaction) }
        try level(word, kind, from: uses - 1, to: uses, in: transaction)
      }
    }
  }

  private func useLess(_ words: [String], _ kind: Kind, in transaction: any Transaction) throws {
    for some in Portions(words) {
      let list = SQLList(some)
      let counted = try transaction.query(
        "UPDATE search_words SET uses = uses - 1 WHERE kind = ? AND word IN \(list.marks) RETURNING word, uses",
        [.text(kind.rawValue)] + list.values)
      for row in counted {
        let (word, uses) = (try row.text("word"), try row.integer("uses"))
        if uses > 0 {
          try level(word, kind, from: uses + 1, to: uses, in: transaction)
          continue
        }
        try transaction.execute(
          "DELETE FROM search_words WHERE kind = ? AND word = ?", [.text(kind.rawValue), .text(word)])
        let forms = SQLList(Misspelling.forms(of: word))
        try transaction.execute(
          "DELETE FROM search_forms WHERE kind = ? AND word = ? AND form IN \(forms.marks)",
          [.text(kind.rawValue), .text(word)] + forms.values)
      }
    }
  }

  private func level(
    _ word: String, _ kind: Kind, from before: Int64, to uses: Int64, in transaction: any Transaction
  ) throws {
    let level = Level.of(uses)
    guard level != Level.of(before) else { return }
    try transaction.execute(
      "UPDATE search_words SET level = ? WHERE kind = ? AND word = ?",
      [.integer(level), .text(kind.rawValue), .text(word)])
  }

  private func addForms(of word: String, _ kind: Kind, in transaction: any Transaction) throws {
    guard Misspelling.lengths.contains(word.unicodeScalars.count) else { return }
    for some in Portions(Misspelling.forms(of: word)) {
      let rows = some.map { _ in "(?, ?, ?)" }.joined(separator: ", ")
      try transaction.execute(
        "INSERT INTO search_forms (kind, form, word) VALUES \(rows) ON CONFLICT DO NOTHING",
        some.flatMap { [.text(kind.rawValue), .text($0), .text(word)] })
    }
  }

  // MARK: Tags

  private func count(_ before: [String], _ after: [String], in transaction: any Transaction) throws {
    for tag in Set(after).subtracting(before).sorted() {
      let row = try transaction.query(
        """
        INSERT INTO search_tags (tag, clips) VALUES (?, 1)
        ON CONFLICT (tag) DO UPDATE SET clips = search_tags.clips + 1 RETURNING clips
        """, [.text(tag)])
      try setTag(
        tag, clips: try row[0].integer("clips"), before: try row[0].integer("clips") - 1, transaction)
    }
    for tag in Set(before).subtracting(after).sorted() {
      let row = try transaction.query(
        "UPDATE search_tags SET clips = clips - 1 WHERE tag = ? RETURNING clips", [.text(tag)])
      guard let clips = try row.first?.integer("clips") else { continue }
      if clips == 0 { try transaction.execute("DELETE FROM search_tags WHERE tag = ?", [.text(tag)]) }
      try setTag(tag, clips: clips, before: clips + 1, transaction)
    }
  }

  /// Most of the time one clip more or less changes nothing but the number.
  private func setTag(
    _ tag: String, clips: Int64, before: Int64, _ transaction: any Transaction
  ) throws {
    guard clips > 0 else { return try set(nil, .tag, tag, in: transaction) }
    guard before == 0 || Level.of(clips) != Level.of(before) else { return }
    let entry = Entry(level: Level.of(clips), terms: SearchText.terms(ofName: tag), tags: [])
    try set(entry, .tag, tag, in: transaction)
  }

  // MARK: Sounds

  /// A clip has another sound than before, or has one now, or no more.
  private func countSounds(
    _ before: String?, _ after: String?, of clip: String, in transaction: any Transaction
  ) throws {
    if let after {
      try transaction.execute(
        """
        INSERT INTO search_sounds (sound_id, clips, first_clip) VALUES (?, 1, ?)
        ON CONFLICT (sound_id) DO UPDATE SET clips = search_sounds.clips + 1
        """, [.text(after), .text(clip)])
    }
    if let before {
      try transaction.execute(
        "UPDATE search_sounds SET clips = clips - 1 WHERE sound_id = ?", [.text(before)])
      try transaction.execute(
        "DELETE FROM search_sounds WHERE sound_id = ? AND clips <= 0", [.text(before)])
    }
    for sound in [before, after].compactMap({ $0 }).sorted() { try renewSound(sound, in: transaction) }
  }
}
