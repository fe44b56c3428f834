internal import ArgumentParser
internal import Platform

struct RotateKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-keys",
    abstract: "Makes a new key for the media addresses of clips that are not public.",
    discussion: """
      Addresses made with the key before stay good until they end by themselves. Run twice, the command ends all that were \
      handed out so far, within half a minute.
      """)

  @OptionGroup var options: DataOptions

  func run() async throws {
    try await options.open().sealKeys.rotate()
    Console.say("There is a new key; the one before stays good for the addresses that were made with it.")
  }
}
