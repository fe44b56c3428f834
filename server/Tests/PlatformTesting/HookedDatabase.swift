import Foundation
import Platform

/// A database that lets a test see, or break, each statement before it is carried out.
struct HookedDatabase: Platform.Database {
  let database: any Platform.Database
  let before: @Sendable (_ sql: String, _ values: [SQLValue]) throws -> Void

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await database.read { [before] in try body(Hooked(transaction: $0, before: before)) }
  }

  func readOnce<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await database.readOnce { [before] in try body(Hooked(transaction: $0, before: before)) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Transaction) throws -> Value
  ) async throws -> Value {
    try await database.write { [before] in try body(Hooked(transaction: $0, before: before)) }
  }

  private struct Hooked: Transaction {
    let transaction: any Transaction
    let before: @Sendable (String, [SQLValue]) throws -> Void

    var engine: DatabaseEngine { transaction.engine }

    func query(_ sql: String, _ values: [SQLValue], locking: RowLock) throws -> [Row] {
      try before(sql, values)
      return try transaction.query(sql, values, locking: locking)
    }

    func query(_ sql: String, _ values: [SQLValue], each body: (any RowInPlace) throws -> Void) throws {
      try before(sql, values)
      try transaction.query(sql, values, each: body)
    }

    func lock(_ name: String) throws { try transaction.lock(name) }

    func mark(_ name: String, _ number: Int64) throws { try transaction.mark(name, number) }

    func lowestMark(_ name: String) throws -> Int64? { try transaction.lowestMark(name) }

    func allowLongStatements() throws { try transaction.allowLongStatements() }

    func afterCommit(_ name: String, _ work: @escaping @Sendable () -> Void) {
      transaction.afterCommit(name, work)
    }

    func execute(_ sql: String, _ values: [SQLValue]) throws -> Int {
      try before(sql, values)
      return try transaction.execute(sql, values)
    }

    func query(_ sql: String, _ values: [SQLValue]) throws -> [Row] {
      try before(sql, values)
      return try transaction.query(sql, values)
    }
  }
}
