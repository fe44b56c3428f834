internal import ArgumentParser
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Platform
internal import Videos

struct VisibilityCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "visibility", abstract: "Shows or changes who can see a clip.",
    discussion: """
      Servers on the same data know within seconds. What caches in front of them hold of a clip that was public they go on \
      giving to whoever knows its addresses, so these are listed: remove them there.
      """)

  @Argument(help: "The clip.")
  var clip: String
  @Argument(
    help: ArgumentHelp("Who shall see it; nothing changes without.", valueName: "public|unlisted|private"))
  var visibility: String?
  @OptionGroup var options: DataOptions

  func validate() throws {
    guard visibility.map({ Visibility(rawValue: $0) != nil }) != false else {
      throw ValidationError("Who can see a clip must be public, unlisted or private.")
    }
  }

  func run() async throws {
    let clips = try await options.open().clips
    guard let before = try await clips.visibility(of: clip) else {
      throw AppError(.clipNotFound, "There is no clip \(clip).")
    }
    let after = visibility.flatMap(Visibility.init) ?? before
    if after != before { try await clips.setVisibility(of: clip, to: after) }
    Console.say("The clip \(clip) is \(after.rawValue).")
    guard after != .public else { return }
    Console.say("Caches may still hold:")
    for name in try await clips.blobs.names(of: clip) { Console.say(Route.media.path(name.description)) }
  }
}
