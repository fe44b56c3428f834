internal import Platform

/// Looking among words: what a beginning may become, and what may have been meant. Each is one statement
/// whose cost does not depend on how many words there are.
extension SearchIndex {
  struct Word {
    let word: String
    let spelling: String
    let uses: Int64
  }

  /// Words that are tried for one that was asked, at most.
  static let others = 7
  /// Words of one form that are looked at. Among a million words a form of three letters has some hundred.
  private static let ofForms = 256

  /// Those that begin with this, the most used first; without the word itself.
  func completions(
    of beginning: String, _ kind: Kind, limit: Int = others, in transaction: any Transaction
  ) throws -> [Word] {
    guard SearchText.isWord(beginning) else { return [] }
    // Level by level, so that no more is read than is wanted, however many begin like this. NB: nothing but
    // what the index of levels holds, or SQLite goes through all that begin like this, for each level.
    let levels = (0...Level.most).reversed().map { level in
      """
      SELECT * FROM (SELECT word FROM search_words
          WHERE kind = ? AND level = \(level) AND word > ? AND word < ? ORDER BY word LIMIT \(limit)) of_\(level)
      """
    }.joined(separator: " UNION ALL ")
    let values: [SQLValue] = [
      .text(kind.rawValue), .text(beginning), .text(beginning + "\u{10FFFF}"),
    ]
    return try words(
      """
      SELECT w.word, w.spelling, w.uses FROM (\(levels)) found
      JOIN search_words w ON w.kind = ? AND w.word = found.word
      ORDER BY w.level DESC, w.uses DESC, w.word LIMIT \(limit)
      """,
      (0...Level.most).flatMap { _ in values } + [.text(kind.rawValue)], in: transaction)
  }

  /// Those that are one slip away from these, by the word that was asked; the most used first.
  func meanings(
    of asked: [String], _ kind: Kind, in transaction: any Transaction
  ) throws -> [String: [Word]] {
    let asked = asked.filter {
      SearchText.isWord($0) && Misspelling.asked.contains($0.unicodeScalars.count)
    }
    guard !asked.isEmpty else { return [:] }
    let forms = SQLList(Array(Set(asked.flatMap(Misspelling.forms)).sorted()))
    let near = try words(
      """
      SELECT DISTINCT w.word, w.spelling, w.uses, w.level FROM search_forms f
      JOIN search_words w ON w.kind = f.kind AND w.word = f.word
      WHERE f.kind = ? AND f.form IN \(forms.marks)
      ORDER BY w.level DESC, w.uses DESC, w.word LIMIT \(Self.ofForms * asked.count)
      """, [.text(kind.rawValue)] + forms.values, in: transaction)
    return asked.reduce(into: [:]) { meanings, word in
      meanings[word] = Array(near.filter { Misspelling.isOneSlip(word, $0.word) }.prefix(Self.others))
    }
  }

  /// In how many entries each of these words is; those that are in none are left out.
  func uses(
    of terms: [String], _ kind: Kind, in transaction: any Transaction
  ) throws -> [String: Int64] {
    guard !terms.isEmpty else { return [:] }
    let list = SQLList(terms)
    let found = try words(
      "SELECT word, spelling, uses FROM search_words WHERE kind = ? AND word IN \(list.marks)",
      [.text(kind.rawValue)] + list.values, in: transaction)
    return Dictionary(found.map { ($0.word, $0.uses) }) { first, _ in first }
  }

  private func words(
    _ sql: String, _ values: [SQLValue], in transaction: any Transaction
  ) throws -> [Word] {
    try transaction.query(sql, values).map {
      Word(word: try $0.text("word"), spelling: try $0.text("spelling"), uses: try $0.integer("uses"))
    }
  }
}
