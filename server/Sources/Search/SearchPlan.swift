internal import Platform

/// What is looked for, in the order in which it is shown: first what has every word as it was asked, then
/// what has the last one begun, then what has words that were misspelt. A stage is made when a walk gets to
/// it, since most pages are full before.
struct SearchPlan {
  /// What an entry must have: one of these terms and one of each of the others.
  struct Stage {
    /// Of the term that was asked of which there are the fewest entries. Their postings are walked through.
    let leading: [String]
    /// Of each other term that was asked, the rarest first.
    let others: [[String]]

    var all: [[String]] { [leading] + others }
  }

  /// Terms of one question; what somebody writes beyond them is passed over.
  static let terms = 8
  static let stageCount = 3
  /// A word that so many entries have is meant as it was asked: no misspelling is looked for.
  static let common: Int64 = 64

  let kind: SearchIndex.Kind
  private let index: SearchIndex
  private let asked: [String]
  /// By stage, as far as they were made: what is taken for each term that was asked, in their order. What a
  /// stage takes, those after it take too.
  private var taken: [[[String]]] = []
  private var stages: [Stage?] = []
  private var uses: [String: Int64] = [:]

  /// Nil: nothing is asked.
  init?(_ text: String, _ kind: SearchIndex.Kind, _ index: SearchIndex) {
    asked = SearchText.terms(asked: text, atMost: Self.terms)
    guard !asked.isEmpty else { return nil }
    self.kind = kind
    self.index = index
  }

  /// Nil: it can find nothing, or nothing else than the one before.
  mutating func stage(_ number: Int, in transaction: any Transaction) throws -> Stage? {
    while stages.count <= number { try makeNext(in: transaction) }
    return stages[number]
  }

  /// The last one before this that can find something. It has shown what all before it would show.
  mutating func lastStage(before number: Int, in transaction: any Transaction) throws -> Stage? {
    for before in (0..<number).reversed() {
      if let stage = try stage(before, in: transaction) { return stage }
    }
    return nil
  }

  private mutating func makeNext(in transaction: any Transaction) throws {
    var next: [[String]]
    var words: [SearchIndex.Word] = []
    switch stages.count {
    case 0:
      next = asked.map { [$0] }
      uses = try index.uses(of: asked, kind, in: transaction)
    case 1:
      next = taken[0]
      words = try index.completions(of: asked[asked.count - 1], kind, in: transaction)
      next[next.count - 1] += words.map(\.word)
    default:
      let rare = asked.filter { uses[$0, default: 0] < Self.common }
      let meant = try index.meanings(of: rare, kind, in: transaction)
      words = meant.values.flatMap { $0 }
      next = zip(asked, taken[1]).map { $1 + (meant[$0] ?? []).map(\.word) }
    }
    for word in words { uses[word.word] = word.uses }
    stages.append(next == taken.last ? nil : stage(taking: next))
    taken.append(next)
  }

  private func stage(taking terms: [[String]]) -> Stage? {
    // How many entries a pair of characters is in is not counted: few.
    func entries(_ set: [String]) -> Int64 {
      set.reduce(0) { $0 + (uses[$1] ?? (SearchText.isWord($1) ? 0 : 1)) }
    }
    let used = terms.map { $0.filter { uses[$0] != nil || !SearchText.isWord($0) } }
    let inOrder = used.sorted { entries($0) < entries($1) }
    guard let leading = inOrder.first, !leading.isEmpty else { return nil }
    return Stage(leading: leading, others: Array(inOrder.dropFirst()))
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
  /// Postings that one statement reads: first, and then. NB: few different numbers, since they are in its
  /// text, and a database keeps statements prepared by their texts.
  private static let first = 64
  private static let widest = 256

  private(set) var plan: SearchPlan
  let transaction: any Transaction
  /// Nil: everything was seen.
  private(set) var place: SearchPlace?
  private var looked = 0
  private var width = first

  init(_ plan: SearchPlan, from place: SearchPlace?, in transaction: any Transaction) {
    self.plan = plan
    self.transaction = transaction
    self.place = place ?? .top(of: 0)
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
    width = Self.widest
    return found
  }

  /// Entries of any of the leading terms, as many as `width`, each with whether it has the others as well and
  /// was not shown in a stage before. Each term's are found by the key, in their order, and cut before they
  /// are put together.
  private mutating func postings(of stage: SearchPlan.Stage, below place: SearchPlace) throws -> [Row] {
    let kind = SQLValue.text(plan.kind.rawValue)
    let leading = SQLList(stage.leading).values
    let each = leading.indices.map { number in
      """
      SELECT * FROM (SELECT level, id, signature FROM search_postings WHERE kind = ? AND term = ? AND (level, id) < (?, ?)
          ORDER BY level DESC, id DESC LIMIT \(width)) of_\(number)
      """
    }.joined(separator: " UNION ")
    let others = Self.having(stage.others, kind)
    let shown = try plan.lastStage(before: place.stage, in: transaction).map { Self.having($0.all, kind) }
    let isNew = shown.map { " AND NOT (\($0.sql))" } ?? ""
    return try transaction.query(
      """
      SELECT level, id, CASE WHEN \(others.sql)\(isNew) THEN 1 ELSE 0 END AS fits
      FROM (\(each) ORDER BY level DESC, id DESC LIMIT \(width)) found ORDER BY level DESC, id DESC
      """,
      others.values + (shown?.values ?? [])
        + leading.flatMap { [kind, $0, .integer(place.level), .text(place.id)] })
  }

  /// That an entry may have these bits. Of postings from before there were signatures it is asked by the key.
  private static let signed = "COALESCE(found.signature, -1) & ? = ?"

  /// That an entry has one term of each set. Most that have not are left out by their signature, without a
  /// look: it stands first, and in such an expression both databases go from left to right. Then by the key
  /// of postings, whose level is the entry's. To read the entry and compare its terms here takes five times
  /// as long, and common words that hardly ever stand together are compared a thousand times. And not by
  /// EXISTS, for which PostgreSQL would gather all entries of a common word first.
  private static func having(_ sets: [[String]], _ kind: SQLValue) -> (sql: String, values: [SQLValue]) {
    // Two sizes alone, for the same reason as of widths.
    let size = sets.allSatisfy { $0.count == 1 } ? 1 : 2 * (SearchIndex.others + 1)
    let marks = Array(repeating: "?", count: size).joined(separator: ", ")
    let one = """
      (SELECT 1 FROM search_postings o
          WHERE o.kind = ? AND o.term IN (\(marks)) AND o.level = found.level AND o.id = found.id LIMIT 1)
          IS NOT NULL
      """
    let bits = TermSignature(sets.filter { $0.count == 1 }.joined()).value
    return (
      sets.isEmpty ? "1 = 1" : ([signed] + sets.map { _ in one }).joined(separator: " AND "),
      sets.isEmpty
        ? []
        : [bits, bits]
          + sets.flatMap { set in [kind] + (0..<size).map { .text(set[min($0, set.count - 1)]) } }
    )
  }
}
