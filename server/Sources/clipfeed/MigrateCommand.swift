internal import ArgumentParser
internal import Composition
internal import Options

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Brings the database to the newest schema.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let applied = try await options.open(migrating: false).migrate()
    Console.say(applied.isEmpty ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", "))")
  }
}
