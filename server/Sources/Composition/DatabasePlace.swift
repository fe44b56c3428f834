public import PostgreSQL

/// Where metadata is kept.
public enum DatabasePlace: Sendable {
  /// SQLite, in the data folder.
  case folder
  case postgreSQL(PostgreSQLAddress, PostgreSQLLimits = PostgreSQLLimits())
}
