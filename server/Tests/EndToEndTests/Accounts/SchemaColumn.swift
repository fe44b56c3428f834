import Platform

/// A column of the schema as it is, for tests of what is kept of people. SQLite says it.
struct SchemaColumn {
  let table: String
  let name: String
  let isText: Bool
  let needsValue: Bool
  /// The table that it refers to.
  let parent: String?

  /// Ids of other things than people. A column of another name is a person's, until somebody who adds one
  /// says that it is not.
  private static let things: Set = [
    "case_id", "clip_id", "comment_id", "device_id", "direct_id", "endpoint_id", "group_id", "last_id",
    "parent_id",
    "picture_id",
    "session_id", "sound_id",
    // What is reported. A case about a person has that person in it, and goes with the account.
    "subject_id",
  ]

  /// Whether it says who somebody is. `jobs.owner` is the process that has the job.
  var isOfPerson: Bool {
    guard isText, "\(table).\(name)" != "jobs.owner" else { return false }
    return name.hasSuffix("_id")
      ? !Self.things.contains(name) : ["viewer", "account", "author", "owner"].contains(name)
  }

  static func all(in transaction: any Transaction) throws -> [SchemaColumn] {
    try transaction.query(
      """
      SELECT t.name AS place, c.name AS name, c.type AS type, c."notnull" AS required, c.dflt_value AS value, c.pk AS pk,
          (SELECT f."table" FROM pragma_foreign_key_list(t.name) f WHERE f."from" = c.name) AS parent
      FROM sqlite_master t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name
      """
    ).map { row in
      SchemaColumn(
        table: try row.text("place"), name: try row.text("name"), isText: try row.text("type") == "TEXT",
        needsValue: try (row.integer("required") == 1 || row.integer("pk") > 0)
          && row.optionalText("value") == nil,
        parent: row.optionalText("parent"))
    }
  }
}
