internal import Platform

/// What is looked for, in the order in which it is shown: first what has every word as it was asked, then
/// what has the last one begun, then what has words that were misspelt. A stage is made when a walk gets to
/// it, since most pages are full before.
struct SearchPlan {
  struct Stage {
    /// For each term that was asked, those of which an entry has one; the rarest first, whose postings are
    /// walked through.
    let sets: [[String]]
  }

  /// Terms of one question; what somebody writes beyond them is passed over.
  static let terms = 8
  static let stageCount = 3
  /// A word that so many entries have is meant as it was asked.
  static let common: Int64 = 64

  let kind: SearchIndex.Kind
  private let index: SearchIndex
  private let asked: [String]
  /// As far as they were made.
  private var sets: [[[String]]] = []
  private var made: [Stage?] = []
  private var uses: [String: Int64] = [:]

  /// Nil: nothing is asked.
  init?(_ text: String, _ kind: SearchIndex.Kind, _ index: SearchIndex) {
    asked = SearchText.terms(asked: text, atMost: Self.terms)
    guard !asked.isEmpty else { return nil }
    self.kind = kind
    self.index = index
  }

  /// Nil: it can find nothing.
  mutating func stage(_ number: Int, in transaction: any Transaction) throws -> Stage? {
    while made.count <= number { try makeNext(in: transaction) }
    return made[number]
  }

  /// Those before this one that can find something.
  mutating func stages(before number: Int, in transaction: any Transaction) throws -> [Stage] {
    try (0..<number).compactMap { try stage($0, in: transaction) }
  }

  private mutating func makeNext(in transaction: any Transaction) throws {
    var next: [[String]]
    var others: [SearchIndex.Word] = []
    switch made.count {
    case 0:
      next = asked.map { [$0] }
      uses = try index.uses(of: asked, kind, in: transaction)
    case 1:
      next = sets[0]
      others = try index.completions(of: asked[asked.count - 1], kind, in: transaction)
      next[next.count - 1] += others.map(\.word)
    default:
      let rare = asked.filter { uses[$0, default: 0] < Self.common }
      let meant = try index.meanings(of: rare, kind, in: transaction)
      others = meant.values.flatMap { $0 }
      next = zip(asked, sets[1]).map { $1 + (meant[$0] ?? []).map(\.word) }
    }
    for word in others { uses[word.word] = word.uses }
    made.append(next == sets.last ? nil : stage(of: next))
    sets.append(next)
  }

  private func stage(of sets: [[String]]) -> Stage? {
    // How many entries a pair of characters is in is not counted: few.
    func entries(_ set: [String]) -> Int64 {
      set.reduce(0) { $0 + (uses[$1] ?? (SearchText.isWord($1) ? 0 : 1)) }
    }
    let used = sets.map { $0.filter { uses[$0] != nil || !SearchText.isWord($0) } }
    return used.contains(where: \.isEmpty) ? nil : Stage(sets: used.sorted { entries($0) < entries($1) })
  }
}

/// Where a walk through a plan stands: below this entry of this stage.
struct SearchPlace: Equatable, LosslessStringConvertible {
  var stage: Int
  var level: Int64
  var id: String

  /// Above everything in a stage.
  static func top(of stage: Int) -> SearchPlace {
    SearchPlace(stage: stage, level: Level.most + 1, id: "")
  }

  init(stage: Int, level: Int64, id: String) { (self.stage, self.level, self.id) = (stage, level, id) }

  init?(_ text: String) {
    let parts = text.split(atByte: UInt8(ascii: "/"), maxSplits: 2, omittingEmpty: false)
    guard parts.count == 3, let stage = SafeInteger.read(parts[0]), let level = SafeInteger.read(parts[1])
    else { return nil }
    self.init(stage: stage, level: Int64(level), id: String(parts[2]))
  }

  var description: String { "\(stage)/\(level)/\(id)" }
}

/// Goes through the stages of a plan, from a place on.
struct SearchWalk {
  /// Postings that one request looks at, whatever was asked: two common words that never stand together must
  /// not be looked for to the end. A page that is short then says where to go on.
  static let looked = 1024
  private static let widest = 256

  private(set) var plan: SearchPlan
  let transaction: any Transaction
  /// Nil: everything was seen.
  private(set) var place: SearchPlace?
  private var looked = 0
  private var width: Int

  init(_ plan: SearchPlan, from place: SearchPlace?, width: Int, in transaction: any Transaction) {
    self.plan = plan
    self.transaction = transaction
    self.place = place ?? .top(of: 0)
    self.width = width
  }

  /// The next ones, in their order; maybe none, though there are more. Nil: there are no more, or this was
  /// enough for one request, and then `place` says where to go on.
  mutating func next() throws -> [SearchPlace]? {
    guard let from = place, looked < Self.looked else { return nil }
    guard (0..<SearchPlan.stageCount).contains(from.stage) else {
      place = nil
      return nil
    }
    guard let stage = try plan.stage(from.stage, in: transaction) else {
      place = .top(of: from.stage + 1)
      return []
    }
    let rows = try postings(of: stage, below: from)
    looked += rows.count
    var found: [SearchPlace] = []
    for row in rows {
      let here = SearchPlace(
        stage: from.stage, level: try row.integer("level"), id: try row.text("id"))
      if try row.integer("fits") != 0 { found.append(here) }
      place = here
    }
    if rows.count < width { place = .top(of: from.stage + 1) }
    width = min(width * 2, Self.widest)
    return found
  }

  /// Entries of any of the leading terms, as many as `width`, each with whether it has the others as well and
  /// was not shown in a stage before. Each term's are found by the key, in their order, and cut before they
  /// are put together.
  private mutating func postings(of stage: SearchPlan.Stage, below place: SearchPlace) throws -> [Row] {
    let (kind, leading) = (SQLValue.text(plan.kind.rawValue), stage.sets[0])
    let each = leading.indices.map { number in
      """
      SELECT * FROM (SELECT level, id FROM search_postings WHERE kind = ? AND term = ? AND (level, id) < (?, ?)
          ORDER BY level DESC, id DESC LIMIT \(width)) of_\(number)
      """
    }.joined(separator: " UNION ")
    let others = Self.having(stage.sets.dropFirst(), kind)
    let shown = try plan.stages(before: place.stage, in: transaction).map { Self.having($0.sets, kind) }
    let fits = [others.sql] + shown.map { "NOT (\($0.sql))" }
    return try transaction.query(
      """
      SELECT level, id, CASE WHEN \(fits.joined(separator: " AND ")) THEN 1 ELSE 0 END AS fits
      FROM (\(each) ORDER BY level DESC, id DESC LIMIT \(width)) found ORDER BY level DESC, id DESC
      """,
      others.values + shown.flatMap(\.values)
        + leading.flatMap { [kind, .text($0), .integer(place.level), .text(place.id)] })
  }

  /// That an entry has one term of each set. NB: by the key of postings, whose level is the entry's. To read
  /// the entry and compare its terms here takes five times as long, and common words that hardly ever stand
  /// together are compared a thousand times. And not by EXISTS, for which PostgreSQL would gather all entries
  /// of a common word first.
  private static func having(
    _ sets: some Collection<[String]>, _ kind: SQLValue
  ) -> (sql: String, values: [SQLValue]) {
    let all = sets.map { set in
      let list = SQLList(set)
      return (
        """
        (SELECT 1 FROM search_postings o
            WHERE o.kind = ? AND o.term IN \(list.marks) AND o.level = found.level AND o.id = found.id LIMIT 1)
            IS NOT NULL
        """, [kind] + list.values
      )
    }
    return (all.isEmpty ? "1 = 1" : all.map(\.0).joined(separator: " AND "), all.flatMap(\.1))
  }
}
