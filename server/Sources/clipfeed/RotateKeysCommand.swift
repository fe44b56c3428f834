internal import ArgumentParser
internal import Composition
internal import Options
internal import Platform

struct RotateKeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate-keys",
    abstract: "Makes new keys for everything that this server hands out and knows again.",
    discussion: """
      These are access tokens, the media addresses of clips that are not public, the tokens of guests, of devices and of \
      sessions, and cursors of lists. What was made with the keys before stays good: addresses and access tokens until the \
      next rotation or their own end; guests, devices and sessions for 61 days, in which each that comes by gets a token of \
      the new key; cursors for a day. Whoever may have read the database has the keys: --end-old then.
      """)

  @OptionGroup var options: DataOptions
  @Flag(
    help:
      "End what was made with any key before, within half a minute: everybody signs in anew, and guests begin anew."
  )
  var endOld = false

  func run() async throws {
    let instance = try await options.open()
    for purpose in KeyRing.Purpose.allCases { try await instance.keys(purpose).rotate(endingOld: endOld) }
    SecurityLog.note(endOld ? "key-rotation-ending-old" : "key-rotation")
    Console.say(
      endOld
        ? "There are new keys; what was made with those before ends within half a minute."
        : "There are new keys; the ones before stay good for what was made with them.")
  }
}
