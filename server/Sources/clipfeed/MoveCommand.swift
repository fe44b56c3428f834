internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Platform
internal import PostgreSQL
internal import SQLite

struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract:
      "Moves what an instance knows from SQLite in its data folder to the PostgreSQL of the settings.",
    discussion: """
      Stop all processes of the instance first. Either everything is there afterwards or nothing; after an interruption \
      the same command does it again. Media stay where they are. The file of SQLite is left as it was and refuses to be \
      used from then on.
      """)

  @OptionGroup var options: DataOptions
  @Flag(help: "Uses the file of SQLite again, as it was when it was left. What happened since is not in it.")
  var takeBack = false

  func run() async throws {
    let file = URL(fileURLWithPath: options.data ?? "./var", isDirectory: true).standardizedFileURL
      .appendingPathComponent(SQLiteDatabase.fileName)
    if takeBack {
      let source = try ExclusiveSQLite(fileAt: file)
      guard let place = try source.setting(MoveMark.to) else {
        throw AppError(.unavailable, "\(file.path) was never moved.")
      }
      try source.set(MoveMark.to, to: nil)
      return Console.say("\(file.path) counts again. What happened at \(place) since is not in it.")
    }
    guard case .postgreSQL(let address, let limits) = options.database.place else {
      throw ValidationError("Say where to: --database postgres://user@host/name or CLIPFEED_DATABASE.")
    }
    let source = try ExclusiveSQLite(fileAt: file)
    if let place = try source.setting(MoveMark.to) {
      throw AppError(.unavailable, "\(file.path) was moved to \(place) already.")
    }
    try requireNewest(source, file)
    try await PostgreSQLDatabase.reach(address, limits: limits)
    let outcome = try await BulkLoad(address) { Console.complain($0) }.fill(
      from: source, migrations: Instance.migrations)
    try source.set(MoveMark.to, to: "\(address)")
    switch outcome {
    case .moved(let tables, let rows):
      Console.say(
        "Moved \(rows) rows of \(tables) tables to \(address); all were read back and are the same.")
    case .wasThere: Console.say("All of it was at \(address) already, and is the same.")
    }
    Console.say(
      "Start everything with this --database from now on. \(file.path) is as it was, and refuses to be used.")
  }

  private func requireNewest(_ source: ExclusiveSQLite, _ file: URL) throws {
    let (taken, known) = (try source.steps(), Set(Instance.migrations.map(\.name)))
    guard taken.isSubset(of: known) else {
      throw AppError(.unavailable, "\(file.path) was used by a newer version; move it with that one.")
    }
    guard taken == known else {
      throw AppError(
        .unavailable,
        "The schema of \(file.path) is of an older version: clipfeed migrate --data \(options.data ?? "./var"), without --database, brings it up to date first."
      )
    }
  }
}
