internal import ArgumentParser
internal import Dialing
internal import ForeignStreams
internal import Platform

/// Who is asked for streams.
struct ForeignOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "A further host that may be asked for what a list or playlist names, as HOST or HOST:PORT; again for each.",
      valueName: "host"))
  var hosts: [String] = []
  @Option(
    name: .customLong("allow-address"),
    help: ArgumentHelp(
      "An address of this machine or of an inner network that may be asked all the same; again for each.",
      valueName: "address"))
  var numbers: [String] = []
  @Option(help: "Takes so many streams of a list, from its start.")
  var first: Int?

  func validate() throws {
    for number in numbers where NetworkAddress(number) == nil {
      throw ValidationError("--allow-address must be an address like 10.0.0.5, not \(number).")
    }
    guard first.map((1...1000).contains) != false else { throw ValidationError("--first must be 1 to 1000.") }
  }

  /// Those of the arguments that are addresses. Throws for what begins like one and is none.
  func addresses(among paths: [String]) throws -> [WebAddress] {
    try paths.compactMap { path in
      let start = path.prefix(8).lowercased()
      guard start.hasPrefix("https://") || start.hasPrefix("http://") else { return nil }
      guard let address = WebAddress(path) else {
        throw ValidationError("\(Console.printable(path)) is no address that can be asked.")
      }
      return address
    }
  }

  /// The hosts that somebody typed, and no others.
  func reach(to paths: [String]) throws -> StreamReach {
    StreamReach(
      places: hosts + (try addresses(among: paths)).map(\.place),
      addresses: numbers.compactMap { NetworkAddress($0) })
  }
}
