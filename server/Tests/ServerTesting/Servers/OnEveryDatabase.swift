import Foundation
import Platform
import SQLite
import Testing

@testable import Composition
@testable import PostgreSQL

/// Runs each test of a suite once on each database: on SQLite, and on PostgreSQL where one runs beside the
/// tests.
struct OnEveryDatabase: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var current = DatabaseEngine.sqlite

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for engine in DatabaseEngine.allCases where engine == .sqlite || PostgresServer.isThere {
      try await Self.$current.withValue(engine) {
        // What goes wrong says where.
        try await IssueHandlingTrait.compactMapIssues { issue in
          var issue = issue
          issue.comments.append("on \(engine.rawValue)")
          return issue
        }.provideScope(for: test, testCase: testCase, performing: function)
      }
    }
  }
}

extension Trait where Self == OnEveryDatabase {
  static var everyEngine: Self { OnEveryDatabase() }
}

/// An empty database of the engine that is tested, gone with the test.
final class DatabaseBench: Sendable {
  let database: any Database
  private let folder: URL
  /// Nil: on SQLite.
  let address: PostgreSQLAddress?
  private let url: String?

  init(_ engine: DatabaseEngine = OnEveryDatabase.current, limits: PostgreSQLLimits = .patient) async throws {
    folder = TestFolders.path()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch engine {
    case .sqlite:
      (url, address) = (nil, nil)
      database = try SQLiteDatabase(fileAt: folder.appendingPathComponent("clipfeed.sqlite"))
    case .postgreSQL:
      let url = try PostgresServer.url(try await PostgresServer.makeEmptyDatabase())
      self.url = url
      let address = try PostgreSQLAddress(url)
      self.address = address
      database = PostgreSQLDatabase(address, limits: limits)
    }
  }

  /// Another process on the same data would have one of its own.
  func another() throws -> any Database {
    guard let address else {
      return try SQLiteDatabase(fileAt: folder.appendingPathComponent("clipfeed.sqlite"))
    }
    return PostgreSQLDatabase(address, limits: .patient)
  }

  deinit {
    FileManager.default.removeTestFolder(folder)
    if let url { PostgresServer.drop(url) }
  }
}

extension PostgreSQLLimits {
  /// For what is not about time, beside tests that keep the machine ten times as busy as a server ever is.
  static let patient = {
    var limits = PostgreSQLLimits()
    limits.patienceSeconds = 120
    limits.connectSeconds = 120
    limits.statementMs = 120_000
    limits.lockMs = 110_000
    return limits
  }()
}
