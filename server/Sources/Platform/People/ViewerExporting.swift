public import Foundation

/// A feature that keeps rows by viewer: an account takes along what is kept of it.
///
/// Every column that names a person is in one of the two lists. A test reads the columns off the schema, so
/// that whoever adds one has to say which (`ExportedColumnTests`).
public protocol ViewerExporting: Sendable {
  var exported: [ExportedRecords] { get }
  /// What stays here, and why.
  var kept: [KeptColumns] { get }
}

extension ViewerExporting {
  public var kept: [KeptColumns] { [] }
}

/// Columns of persons of which nothing is handed out: "blocks.author_id".
public struct KeptColumns: Sendable {
  public let columns: [String]
  public let reason: String

  public init(_ columns: String..., because reason: String) {
    self.columns = columns
    self.reason = reason
  }
}

/// For a feature that names people and hands out nothing.
public struct NothingExported: ViewerExporting {
  public let kept: [KeptColumns]

  public var exported: [ExportedRecords] { [] }

  public init(_ kept: KeptColumns...) { self.kept = kept }
}

/// A named set of records of one person, read a page at a time: a line of JSON each.
public struct ExportedRecords: Sendable {
  /// Records of one page: with texts of the most scalars some megabytes.
  public static let pageSize = 200

  /// Letters and underscores: also the name of a file.
  public let name: String
  /// What it is, in a sentence for whoever looks into the archive.
  public let about: String
  /// The columns of persons that it covers: "likes.viewer_id".
  public let columns: [String]
  private let fields: [String]
  private let sql: String
  private let persons: Int

  /// - Parameters:
  ///   - fields: columns of the answer, in the order in which they stand in a line. Null is left out.
  ///   - persons: how often `sql` has a mark for the person; it has no others.
  ///   - sql: a SELECT with the fields and a text `place`, by which no two rows are alike and which a row
  ///     keeps: pages go on behind it. No order.
  public init(
    _ name: String, _ about: String, of columns: [String], fields: [String], persons: Int = 1, sql: String
  ) {
    self.name = name
    self.about = about
    self.columns = columns
    self.fields = fields
    self.persons = persons
    self.sql = sql
  }

  /// How many there are now.
  public func count(of viewer: String, in transaction: any Transaction) throws -> Int {
    let rows = try transaction.query("SELECT COUNT(*) AS n FROM (\(sql)) r", values(viewer))
    return Int(clamping: try rows[0].integer("n"))
  }

  /// Lines without their ends, behind a place (empty: from the start), and where the next page starts; nil:
  /// there is none.
  public func page(
    of viewer: String, behind place: String, limit: Int = Self.pageSize, in transaction: any Transaction
  ) throws -> (lines: [Data], next: String?) {
    let rows = try transaction.query(
      "SELECT * FROM (\(sql)) r WHERE r.place > ? ORDER BY r.place LIMIT ?",
      values(viewer) + [.text(place), SQLValue(limit)])
    let next = rows.count == limit ? try rows.last?.text("place") : nil
    return (try rows.map(line), next)
  }

  private func values(_ viewer: String) -> [SQLValue] { Array(repeating: .text(viewer), count: persons) }

  /// In the order of the fields, so that the same row is the same line.
  private func line(_ row: Row) throws -> Data {
    var line = "{"
    for field in fields {
      let value: String
      switch row.value(field) {
      case .text(let text)?: value = try Self.quoted(text)
      case .integer(let number)?: value = String(number)
      case .null?: continue
      case nil: throw Row.WrongColumn(column: field)
      }
      line += "\(line.utf8.count == 1 ? "" : ",")\"\(field)\":\(value)"
    }
    return Data((line + "}").utf8)
  }

  private static func quoted(_ text: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return String(decoding: try encoder.encode(text), as: UTF8.self)
  }
}
