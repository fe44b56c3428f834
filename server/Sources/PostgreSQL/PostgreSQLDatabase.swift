internal import Contract
internal import Foundation
public import Logging
public import Platform

/// The Database port on PostgreSQL, 13 or later: any number of processes, readers on snapshots, many writers
/// at once.
///
/// What it does about a server that goes away: a transaction whose connection broke before its end was asked
/// for is begun once more on a new connection; nothing of it stayed. One that broke while it was being kept
/// is reported as `unavailable`, unknown whether kept, and never begun again. While the server cannot be
/// reached everybody is told so at once, and it is tried again after pauses of at most two seconds.
public final class PostgreSQLDatabase: Database {
  private let pool: Pool

  /// Connections are made when they are needed.
  public init(
    _ address: PostgreSQLAddress, limits: PostgreSQLLimits = PostgreSQLLimits(),
    logger: Logger = Logger(label: "clipfeed.database")
  ) {
    pool = Pool(address, limits, logger)
  }

  deinit { pool.close() }

  /// For `clipfeed doctor` and metrics.
  public var usage: (connections: Int, busy: Int, waiting: Int) { pool.usage }

  /// How often a connection was asked for, also where none was tried.
  var connectionsAsked: Int { pool.asked }

  /// Throws a sentence for the operator that says why it cannot be reached. NB: not for strangers; it names
  /// hosts and users.
  public static func reach(
    _ address: PostgreSQLAddress, limits: PostgreSQLLimits = PostgreSQLLimits()
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        do {
          _ = try Connection(address, limits)
          continuation.resume()
        } catch {
          continuation.resume(
            throwing: AppError(
              .unavailable,
              "The database \(address) cannot be reached: \(error)"
                + (address.demandsTLS ? " \(PostgreSQLAddress.demand)" : "")))
        }
      }
    }
  }

  public func read<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    try await transaction(.read, body)
  }

  public func readOnce<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    try await transaction(.readOnce, body)
  }

  @discardableResult
  public func write<Value: Sendable>(
    _ body: @escaping @Sendable (any Platform.Transaction) throws -> Value
  ) async throws -> Value {
    try await transaction(.write, body)
  }

  /// A write with what this engine alone can do.
  func fill<Value: Sendable>(_ body: @escaping @Sendable (OpenTransaction) throws -> Value) async throws
    -> Value
  {
    try await transaction(.write, body)
  }

  private func transaction<Value: Sendable>(
    _ kind: ConnectionThread.Kind, _ body: @escaping @Sendable (OpenTransaction) throws -> Value
  ) async throws -> Value {
    let request = pool.makeRequest()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        request.begin(
          { connection in
            do {
              continuation.resume(returning: try connection.transaction(kind, body))
            } catch let error as Unreachable {
              return error
            } catch {
              continuation.resume(throwing: error)
            }
            return nil
          }, refuse: { continuation.resume(throwing: $0) })
        pool.place(request)
      }
    } onCancel: {
      request.cancel()
    }
  }
}
