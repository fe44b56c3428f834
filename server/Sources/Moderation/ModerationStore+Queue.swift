public import Contract
internal import Foundation
internal import Platform

// What there is to do for moderators.
extension ModerationStore {
  /// Open ones the gravest first, then those of most people, then the newest; appeals in the order in which
  /// they came; closed ones the last decided first. Throws `invalid_cursor`.
  ///
  /// NB: a case that rises while it is read may come twice, and one that sinks may be left out.
  public func cases(_ state: ModerationCase.State, cursor: String?, limit: Int) async throws -> CasePage {
    let list = WordsList(keys: cursorKeys, name: "cases/\(state.rawValue)")
    let query = try QueuePlace.query(state, behind: try list.place(of: cursor))
    var page = try await database.read { transaction in
      let rows = try transaction.query(
        "SELECT * FROM moderation_cases WHERE state = ? \(query.sql) LIMIT ?",
        [.text(state.rawValue)] + query.values + [SQLValue(limit + 1)])
      let shown = Array(rows.prefix(limit))
      let summaries = try summaries(shown, in: transaction)
      var items = summaries.makeIterator()
      return try list.page(of: rows, limit: limit, place: { try QueuePlace.words(state, $0) }) { _ in
        guard let item = items.next() else { throw AppError(.internalError) }
        return item
      }
    }
    page.items = try await withClips(page.items)
    return page
  }

  /// Of these rows, in their order; their clips are added by `withClips`.
  func summaries(_ rows: [Row], in transaction: any Transaction) throws -> [ModerationCase] {
    guard !rows.isEmpty else { return [] }
    let faces = try faces(rows.map { $0.optionalText("person_viewer_id") }, in: transaction)
    let list = SQLList(try rows.map { try $0.text("id") })
    let reasons = try transaction.query(
      "SELECT case_id, reason, reports FROM moderation_reasons WHERE case_id IN \(list.marks)", list.values)
    let counts = try Dictionary(grouping: reasons) { try $0.text("case_id") }
    var gone: [ReportedKind: Set<String>] = [:]
    for (kind, rows) in try Dictionary(grouping: rows, by: Self.kind) {
      gone[kind] = try things.gone(kind, among: try rows.map { try $0.text("subject_id") }, in: transaction)
    }
    return try rows.map { row in
      let (kind, subject) = (try Self.kind(row), try row.text("subject_id"))
      return ModerationCase(
        id: try row.text("id"), kind: kind, subjectID: subject, clipID: row.optionalText("clip_id"),
        person: row.optionalText("person_viewer_id").flatMap { faces[$0] }, text: try row.text("text"),
        reasons: try Self.reasons(counts[try row.text("id")] ?? []),
        reporters: Int(try row.integer("reporters")),
        state: ModerationCase.State(rawValue: try row.text("state")) ?? .closed,
        isGone: gone[kind]?.contains(subject) ?? false, openedAt: Self.date(try row.integer("opened_at_ms")),
        reportedAt: Self.date(try row.integer("reported_at_ms")))
    }
  }

  private static func reasons(_ rows: [Row]) throws -> [ReasonCount] {
    try rows.map { row in
      ReasonCount(
        reason: ReportReason(rawValue: try row.text("reason")) ?? .other,
        count: Int(try row.integer("reports")))
    }.sorted {
      ($1.reason.gravity, $1.count, $0.reason.rawValue) < ($0.reason.gravity, $0.count, $1.reason.rawValue)
    }
  }

  func withClips(_ cases: [ModerationCase]) async throws -> [ModerationCase] {
    let clips = try await things.clips(Set(cases.compactMap(\.clipId)).sorted())
    return cases.map { one in
      var one = one
      one.clip = one.clipId.flatMap { clips[$0] }
      return one
    }
  }
}

/// A place in the queue: what it is in the order of, and the case.
private enum QueuePlace {
  static func words(_ state: ModerationCase.State, _ row: Row) throws -> String {
    switch state {
    case .open: "\(try row.integer("gravity"))/\(try row.integer("reporters"))/\(try row.text("id"))"
    case .appealed, .closed: "\(try row.integer("changed_at_ms"))/\(try row.text("id"))"
    }
  }

  /// Throws `invalid_cursor`.
  static func query(
    _ state: ModerationCase.State, behind place: String?
  ) throws -> (sql: String, values: [SQLValue]) {
    let parts = place?.split(atByte: UInt8(ascii: "/")).map(String.init)
    let values = try parts.map { parts in
      guard parts.count == (state == .open ? 3 : 2) else { throw AppError(.invalidCursor) }
      let numbers = try parts.dropLast().map { part in
        guard let number = SafeInteger.read(part) else { throw AppError(.invalidCursor) }
        return SQLValue.integer(Int64(number))
      }
      return numbers + [.text(parts[parts.count - 1])]
    }
    let behind = values == nil ? "" : state == .open ? "AND (gravity, reporters, id) < (?, ?, ?)" : ""
    switch state {
    case .open: return ("\(behind) ORDER BY gravity DESC, reporters DESC, id DESC", values ?? [])
    case .appealed:
      return (
        "\(values == nil ? "" : "AND (changed_at_ms, id) > (?, ?)") ORDER BY changed_at_ms, id", values ?? []
      )
    case .closed:
      return (
        "\(values == nil ? "" : "AND (changed_at_ms, id) < (?, ?)") ORDER BY changed_at_ms DESC, id DESC",
        values ?? []
      )
    }
  }
}
