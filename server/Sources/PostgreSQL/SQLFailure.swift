internal import Contract
internal import Platform

/// What the server said against a statement. It names no values: they may be secrets, and this may be logged.
struct SQLFailure: Error, CustomStringConvertible {
  /// SQLSTATE, five characters.
  let state: String
  let message: String
  /// The server ended the connection with it.
  let isFatal: Bool
  var statement = ""

  var description: String { "\(state) \(message)\(statement.isEmpty ? "" : " in: \(statement)")" }

  /// Two transactions were in each other's way; the same again, from the start, will do.
  var isConflict: Bool { state == "40001" || state == "40P01" }

  /// The schema changed under a prepared statement, or somebody threw all of them away.
  var isStalePlan: Bool { state == "26000" || (state == "0A000" && message.contains("cached plan")) }

  /// The server takes no changes, as one does that follows another.
  var isReadOnly: Bool { state == "25006" }

  /// It says nothing of the statement, all of the server.
  var isPassing: Bool {
    switch state {
    case "40001", "40P01", "55P03", "57014", "25P03", "58030": true
    default: ["08", "53", "57"].contains(state.prefix(2))
    }
  }

  /// As stores and the gateway know it.
  var publicError: any Error {
    switch state {
    case "23505", "23P01": ConstraintViolation(.unique, message)
    case "23503": ConstraintViolation(.reference, message)
    case "23502": ConstraintViolation(.notNull, message)
    case "23514": ConstraintViolation(.check, message)
    case "53100": AppError(.storageFull, "The database has no room.")
    default: isPassing ? AppError.databaseUnavailable : self
    }
  }
}

extension AppError {
  // NB: no word of hosts, users or statements: this is told to everybody. The log says more.
  static let databaseUnavailable = AppError(
    .unavailable, "The database cannot be used now; try again in a moment.")
  static let databaseBusy = AppError(
    .unavailable, "Too many wait for the database; try again in a moment.")
  static let inDoubt = AppError(
    .unavailable,
    "The database went away while it was keeping this, and it is not known whether it did; look before it is done again."
  )
}

/// Why a transaction came to nothing.
enum TransactionFailure: Error {
  /// The connection broke before the end was asked for: nothing of the transaction stayed.
  case lost(String)
  /// The connection broke while the transaction was being kept.
  case inDoubt(String)
  case refused(SQLFailure)
  /// The server was not even asked.
  case unasked(any Error)

  var publicError: any Error {
    switch self {
    case .lost: AppError.databaseUnavailable
    case .inDoubt: AppError.inDoubt
    case .refused(let failure): failure.publicError
    case .unasked(let error): error
    }
  }

  var reason: String {
    switch self {
    case .lost(let reason), .inDoubt(let reason): reason
    case .refused(let failure): failure.description
    case .unasked(let error): "\(error)"
    }
  }

  /// Worth a line in the log: the server, not the statement, is at fault.
  var concernsOperator: Bool {
    switch self {
    case .lost, .inDoubt: true
    case .refused(let failure): failure.isPassing
    case .unasked: false
    }
  }

  var isLost: Bool {
    if case .lost = self { true } else { false }
  }

  var isRepeatable: Bool {
    switch self {
    case .lost: true
    case .inDoubt, .unasked: false
    case .refused(let failure): failure.isConflict || failure.isStalePlan || failure.isReadOnly
    }
  }
}

/// There is no connection and none could be made.
struct Unreachable: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
