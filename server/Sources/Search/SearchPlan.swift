internal import Platform

/// What is looked for, in the order in which it is shown: first what has every word as it was asked, then
/// what has the last one begun, then what has words that were misspelt.
struct SearchPlan {
  /// For each term that was asked, those of which an entry has one; one of the sets leads, and its postings
  /// are walked through.
  struct Stage {
    let sets: [Set<String>]
    let leading: [String]

    func fits(_ terms: Set<String>) -> Bool { sets.allSatisfy { !$0.isDisjoint(with: terms) } }
  }

  /// Terms of one question; what somebody writes beyond them is passed over.
  static let terms = 8

  let kind: SearchIndex.Kind
  /// A stage that can find nothing is nil.
  let stages: [Stage?]

  /// Nil: nothing is asked.
  init?(
    _ text: String, _ kind: SearchIndex.Kind, _ index: SearchIndex, in transaction: any Transaction
  ) throws {
    let asked = SearchText.terms(asked: text, atMost: Self.terms)
    guard let last = asked.last else { return nil }
    self.kind = kind
    let begun = try index.completions(of: last, kind, in: transaction)
    let meant = try index.meanings(of: asked, kind, in: transaction)
    let others = begun + meant.values.flatMap { $0 }
    var uses = try index.uses(of: asked, kind, in: transaction)
    for word in others { uses[word.word] = word.uses }
    let exact = asked.map { [$0] }
    var completed = exact
    completed[completed.count - 1] += begun.map(\.word)
    let misspelt = zip(asked, completed).map { $1 + (meant[$0] ?? []).map(\.word) }
    stages = [exact, completed, misspelt].enumerated().map { number, sets in
      let isNew = number == 0 || sets != [exact, completed, misspelt][number - 1]
      return isNew ? Self.stage(sets, uses) : nil
    }
  }

  private static func stage(_ sets: [[String]], _ uses: [String: Int64]) -> Stage? {
    // How many entries a pair of characters is in is not counted: few.
    func entries(_ set: [String]) -> Int64 {
      set.reduce(0) { $0 + (uses[$1] ?? (SearchText.isWord($1) ? 0 : 1)) }
    }
    guard sets.allSatisfy({ entries($0) > 0 }) else { return nil }
    let leading = sets.min { entries($0) < entries($1) } ?? []
    return Stage(
      sets: sets.map(Set.init),
      leading: leading.filter { uses[$0] != nil || !SearchText.isWord($0) })
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

  let plan: SearchPlan
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
    guard plan.stages.indices.contains(from.stage) else {
      place = nil
      return nil
    }
    guard let stage = plan.stages[from.stage] else {
      place = .top(of: from.stage + 1)
      return []
    }
    let rows = try postings(stage.leading, below: from)
    looked += rows.count
    var found: [SearchPlace] = []
    for row in rows {
      let here = SearchPlace(
        stage: from.stage, level: try row.integer("level"), id: try row.text("id"))
      let terms = Set(
        try row.text("terms").split(atByte: UInt8(ascii: " ")).map(String.init))
      // What an earlier stage has shown is not shown again.
      let isShown = plan.stages[..<from.stage].contains { $0?.fits(terms) == true }
      if !isShown, stage.fits(terms) { found.append(here) }
      place = here
    }
    if rows.count < width { place = .top(of: from.stage + 1) }
    width = min(width * 2, Self.widest)
    return found
  }

  /// Entries of any of these terms, as many as `width`, each with its terms. Each term's are found by the
  /// key, in their order, and cut before they are put together.
  private func postings(_ terms: [String], below place: SearchPlace) throws -> [Row] {
    let list = SQLList(terms).values
    let each = list.indices.map { number in
      """
      SELECT * FROM (SELECT level, id FROM search_postings WHERE kind = ? AND term = ? AND (level, id) < (?, ?)
          ORDER BY level DESC, id DESC LIMIT \(width)) of_\(number)
      """
    }.joined(separator: " UNION ")
    return try transaction.query(
      """
      SELECT level, id, (SELECT terms FROM search_entries e WHERE e.kind = ? AND e.id = found.id) AS terms
      FROM (\(each) ORDER BY level DESC, id DESC LIMIT \(width)) found ORDER BY level DESC, id DESC
      """,
      [.text(plan.kind.rawValue)]
        + list.flatMap { [.text(plan.kind.rawValue), $0, .integer(place.level), .text(place.id)] })
  }
}
