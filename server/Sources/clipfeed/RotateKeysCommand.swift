internal import ArgumentParser
internal import Platform

struct RotateKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-keys",
    abstract: "Makes new keys for access tokens and for the media addresses of clips that are not public.",
    discussion: """
      What was made with the keys before stays good until it ends by itself. Run twice, the command ends all addresses and \
      access tokens that were handed out so far, within half a minute; sessions go on, since their clients refresh.
      """)

  @OptionGroup var options: DataOptions

  func run() async throws {
    let instance = try await options.open()
    try await instance.sealKeys.rotate()
    try await instance.accessKeys(instance.time).rotate()
    Console.say("There are new keys; the ones before stay good for what was made with them.")
  }
}
