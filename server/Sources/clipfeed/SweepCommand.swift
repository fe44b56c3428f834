internal import ArgumentParser
internal import Composition
internal import Options

/// `serve` and `work` sweep by themselves; the command is for operators who want the room now, or want to
/// see.
struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Removes media and sources that nothing refers to and that are older than an hour.")

  @OptionGroup var options: DataOptions

  func run() async throws {
    let removed = try await options.open().sweep()
    Console.say("Removed \(removed.media) media files and \(removed.sources) sources.")
  }
}
