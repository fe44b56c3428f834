internal import Contract

/// A value on its way to or from the database. Times are milliseconds, sizes bytes, flags 0 or 1.
public enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case text(String)
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
  public init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
  public init(_ value: Int) { self = .integer(Int64(value)) }
}

/// One row of an answer, by column name.
public struct Row: Sendable {
  /// Where each column stands. One for all rows of an answer.
  private let places: [String: Int]
  private let values: [SQLValue]

  public init(_ places: [String: Int], _ values: [SQLValue]) {
    self.places = places
    self.values = values
  }

  /// A column that is missing or of another type is a mistake in our own SQL, hence an error that names it.
  public func text(_ column: String) throws -> String {
    guard case .text(let value)? = value(column) else { throw WrongColumn(column: column) }
    return value
  }

  public func integer(_ column: String) throws -> Int64 {
    guard case .integer(let value)? = value(column) else { throw WrongColumn(column: column) }
    return value
  }

  public func optionalText(_ column: String) -> String? {
    guard case .text(let value)? = value(column) else { return nil }
    return value
  }

  public func optionalInteger(_ column: String) -> Int64? {
    guard case .integer(let value)? = value(column) else { return nil }
    return value
  }

  /// Nil: there is no such column.
  public func value(_ column: String) -> SQLValue? { places[column].map { values[$0] } }

  public struct WrongColumn: Error {
    public let column: String

    public init(column: String) { self.column = column }
  }
}

/// A row where the driver has it, for what is read so often that copying it counts: columns by their place in
/// the statement, from 0.
///
/// NB: it and its bytes are there until the call returns that was given it, and no longer.
public protocol RowInPlace {
  /// UTF-8. Nil where there is nothing.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer?
  /// Nil where there is nothing, or no number.
  func integer(_ column: Int) -> Int64?
}

extension RowInPlace {
  public func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }
}

/// Which product keeps the metadata. Stores do not ask: what they say means the same on each.
public enum DatabaseEngine: String, Sendable, CaseIterable {
  case sqlite
  case postgreSQL = "postgresql"
}

/// What becomes of rows that a query finds and that another transaction is changing.
public enum RowLock: Sendable {
  /// They are waited for.
  case wait
  /// They are left out, as for work of which anybody may take any.
  case skip
}

/// Statements of one transaction. SQL is the portable part of SQLite and PostgreSQL, with `?` for values
/// (docs/design/database.md).
///
/// Obligations of an implementation:
/// - every statement of a write sees what was committed before it began, and what this transaction did;
/// - a statement that failed ends the transaction: every later one fails as well, and nothing of it stays
///   even if the body catches the error;
/// - a statement that would break a rule of the schema throws `ConstraintViolation`;
/// - texts come back as they were given, of any length; one with a null character is refused with
///   `request_refused`.
public protocol Transaction {
  var engine: DatabaseEngine { get }
  /// The number of rows that changed.
  @discardableResult
  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int
  func query(_ sql: String, _ values: [SQLValue]) throws -> [Row]
  /// As `query`, one row after the other. `body` asks nothing of the transaction.
  func query(_ sql: String, _ values: [SQLValue], each body: (any RowInPlace) throws -> Void) throws
  /// As `query`, and nobody else changes the rows that it answers with until this transaction ends. It asks
  /// one table, without grouping.
  func query(_ sql: String, _ values: [SQLValue], locking: RowLock) throws -> [Row]
  /// Until this transaction ends no other has the lock of that name: what is read after this call and written
  /// before the end is as if nobody else were there who takes the same lock. A thing is locked by its id.
  /// Taken again, it is had already.
  ///
  /// NB: locks come before the first change of what they stand for, and those of several things in one order,
  /// or two transactions wait for each other: an account, then an upload, then a content, then a clip, then
  /// the feed.
  func lock(_ name: String) throws
  /// From now until this transaction ends it is one that writes down something of this number or a higher
  /// one: whoever asks for `lowestMark` hears of it. From 0 on, below 2^32. Nobody waits for a mark.
  func mark(_ name: String, _ number: Int64) throws
  /// The lowest mark of that name in transactions that have not ended; nil if there is none. What was written
  /// by one that is not among them is seen by every read that begins after this. Asked in a write: where
  /// there is one writer at a time, being it is the answer.
  func lowestMark(_ name: String) throws -> Int64?
  /// No statement of this transaction is given up for taking long, nor for waiting: for changes of the
  /// schema.
  func allowLongStatements() throws
  /// What is to be done once this write is committed: to tell others of it. Done before `write` returns, in
  /// the order in which it was asked for, and only for the run of the body that was committed; not if the
  /// transaction is rolled back. Where nobody knows whether the commit was kept (`unavailable`), it is done.
  /// A read does nothing afterwards. Of several works of one name the first is done.
  ///
  /// NB: it must be short, asks nothing of the database, and may be lost: a process can end in between.
  func afterCommit(_ name: String, _ work: @escaping @Sendable () -> Void)
}

/// For implementations of `Transaction`: what `afterCommit` was asked for.
public struct WorksAfterCommit {
  private var names: Set<String> = []
  private var works: [@Sendable () -> Void] = []

  public init() {}

  public mutating func add(_ name: String, _ work: @escaping @Sendable () -> Void) {
    if names.insert(name).inserted { works.append(work) }
  }

  public func run() { for work in works { work() } }
}

extension Transaction {
  @discardableResult
  public func execute(_ sql: String) throws -> Int { try execute(sql, []) }
  public func query(_ sql: String) throws -> [Row] { try query(sql, []) }
}

/// A statement would have broken a rule of the schema.
public struct ConstraintViolation: Error, Sendable, CustomStringConvertible {
  public enum Rule: String, Sendable { case unique, reference, notNull, check }

  public let rule: Rule
  /// Says which one; it names no values, since those may be secrets.
  public let description: String

  public init(_ rule: Rule, _ description: String) {
    self.rule = rule
    self.description = description
  }
}

extension SQLValue {
  /// NB: PostgreSQL keeps no null character, and whatever is written in C reads a text up to it.
  public static func requireStorable(_ values: [SQLValue]) throws {
    for case .text(var text) in values where text.withUTF8({ $0.contains(0) }) {
      throw AppError(.requestRefused, "A text holds a null character, which cannot be kept.")
    }
  }
}

/// Where metadata lives.
///
/// Obligations of an implementation:
/// - nothing of a body stays if it throws, and a read changes nothing;
/// - the body of a read sees one consistent state; that of `readOnce` asks one statement, which is one by
///   itself;
/// - writes may run at the same time: a body that reads first and writes what follows from it holds a lock,
///   or the rows, or leaves it to a constraint;
/// - what `write` returned from survives a crash of the process and of the database;
/// - a body may be run again if nothing of it stayed, so it does nothing but ask its transaction;
/// - what passes by itself throws `unavailable`, also if it is not known whether a write was kept: then it is
///   never tried again here. `storage_full` is thrown where there is no room.
public protocol Database: Sendable {
  func read<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws
    -> Value
  func readOnce<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws
    -> Value
  @discardableResult
  func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws
    -> Value
}

extension Database {
  /// As a person names it: "PostgreSQL 15.18".
  public func version() async throws -> String {
    try await read { transaction in
      switch transaction.engine {
      case .sqlite:
        "SQLite " + (try transaction.query("SELECT sqlite_version() AS version")[0].text("version"))
      case .postgreSQL:
        "PostgreSQL "
          + (try transaction.query("SELECT current_setting('server_version') AS version")[0].text("version")
            .prefix { $0 != " " })
      }
    }
  }
}
