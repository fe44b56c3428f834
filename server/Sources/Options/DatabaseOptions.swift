public import ArgumentParser
public import Composition
internal import Configured
internal import PostgreSQL

/// Which database.
public struct DatabaseOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.database)) var database: String?
  @Option(help: ArgumentHelp(.databaseConnections)) var databaseConnections: String?

  public var place: DatabasePlace { (try? find()) ?? .folder }

  public init() {}

  public func validate() throws { _ = try find() }

  private func find() throws -> DatabasePlace {
    var limits = PostgreSQLLimits()
    if let number = try settled(.databaseConnections, databaseConnections).flatMap({ Int($0) }) {
      limits.connections = number
    }
    guard let url = try settled(.database, database) else { return .folder }
    do {
      let address = try PostgreSQLAddress(url)
      // Every program on a machine can read the options of all others, and `check-config` shows this setting.
      guard !address.hasPassword else {
        throw ValidationError(
          "\(Setting.database.places) must not hold a password; say it with \(Setting.databasePassword.variable), "
            + "or name a file by PGPASSFILE.")
      }
      let password = try settled(.databasePassword, nil)
      return .postgreSQL(password.map { address.with(password: $0) } ?? address, limits)
    } catch let error as PostgreSQLAddress.Invalid {
      throw ValidationError("\(Setting.database.places): \(error)")
    }
  }
}
