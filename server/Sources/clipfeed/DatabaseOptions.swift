internal import ArgumentParser
internal import Foundation
internal import PostgreSQL

/// Where metadata is kept.
enum DatabasePlace: Sendable {
  /// SQLite, in the data folder.
  case folder
  case postgreSQL(PostgreSQLAddress, PostgreSQLLimits = PostgreSQLLimits())
}

/// Which database. An option counts more than the environment.
struct DatabaseOptions: ParsableArguments {
  static let variable = "CLIPFEED_DATABASE"
  static let connectionsVariable = "CLIPFEED_DATABASE_CONNECTIONS"

  @Option(
    help: ArgumentHelp(
      """
      The PostgreSQL database, such as postgres://clipfeed@db.example.org/clipfeed?sslmode=verify-full; without it \
      \(Self.variable) counts, else it is SQLite in the data folder. A password comes from \(Self.variable), PGPASSWORD or \
      the file that PGPASSFILE names.
      """, valueName: "url"))
  var database: String?
  @Option(
    help: ArgumentHelp(
      "How many connections to PostgreSQL this process has at most; without it \(Self.connectionsVariable) counts, else 8.",
      valueName: "number"))
  var databaseConnections: Int?

  var place: DatabasePlace {
    (try? Self.place(database, databaseConnections, ProcessInfo.processInfo.environment)) ?? .folder
  }

  func validate() throws {
    _ = try Self.place(database, databaseConnections, ProcessInfo.processInfo.environment)
  }

  /// Nothing is as good as not said.
  static func place(
    _ option: String?, _ connections: Int?, _ environment: [String: String]
  ) throws -> DatabasePlace {
    guard let url = [option, environment[variable]].compactMap({ $0 }).first(where: { !$0.isEmpty }) else {
      return .folder
    }
    var limits = PostgreSQLLimits()
    if let number = connections.map(String.init) ?? environment[connectionsVariable], !number.isEmpty {
      guard let number = Int(number), (1...200).contains(number) else {
        throw ValidationError(
          "--database-connections (or \(connectionsVariable)) must be a number from 1 to 200.")
      }
      limits.connections = number
    }
    do {
      let address = try PostgreSQLAddress(url)
      // Every program on a machine can read the options of all others.
      guard option != url || !address.hasPassword else {
        throw ValidationError(
          "--database must not hold a password, which others on this machine could read; set \(variable) or PGPASSWORD, or name a file by PGPASSFILE."
        )
      }
      return .postgreSQL(address, limits)
    } catch let error as PostgreSQLAddress.Invalid {
      throw ValidationError("--database (or \(variable)): \(error.description)")
    }
  }
}
