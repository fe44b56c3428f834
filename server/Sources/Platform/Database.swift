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
  private let values: [String: SQLValue]

  public init(_ values: [String: SQLValue]) {
    self.values = values
  }

  /// A column that is missing or of another type is a mistake in our own SQL, hence an error that names it.
  public func text(_ column: String) throws -> String {
    guard case .text(let value)? = values[column] else { throw WrongColumn(column: column) }
    return value
  }

  public func integer(_ column: String) throws -> Int64 {
    guard case .integer(let value)? = values[column] else { throw WrongColumn(column: column) }
    return value
  }

  public func optionalText(_ column: String) -> String? {
    guard case .text(let value)? = values[column] else { return nil }
    return value
  }

  public func optionalInteger(_ column: String) -> Int64? {
    guard case .integer(let value)? = values[column] else { return nil }
    return value
  }

  public struct WrongColumn: Error {
    public let column: String
  }
}

/// Statements of one transaction. SQL is the portable part of SQLite and PostgreSQL, with `?` for values.
public protocol Transaction {
  /// The number of rows that changed.
  @discardableResult
  func execute(_ sql: String, _ values: [SQLValue]) throws -> Int
  func query(_ sql: String, _ values: [SQLValue]) throws -> [Row]
}

extension Transaction {
  @discardableResult
  public func execute(_ sql: String) throws -> Int { try execute(sql, []) }
  public func query(_ sql: String) throws -> [Row] { try query(sql, []) }
}

/// Where metadata lives.
///
/// Obligations of an implementation:
/// - a body sees one consistent state; nothing of it stays if it throws;
/// - writes happen as if one after the other;
/// - what `write` returned from survives a crash of the process.
public protocol Database: Sendable {
  func read<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws
    -> Value
  @discardableResult
  func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws
    -> Value
}
