import Foundation

/// The Kit as a program: the real core, proxy and disk against a real server, with decoding programs in the
/// players' place and a scripted person.
@main struct Phone {
  static let usage = """
    phone evening [--server URL] [--data FOLDER] [--swipes N] [--link wifi|4g|3g|dying|all] [--seed N] [--pace X] \
    [--leaves-every N] [--tells yes]
    phone compare [the same]
    phone kills [--server URL] [--data FOLDER] [--count N] [--seed N]
    phone start [--server URL] [--data FOLDER]
    phone frames [--server URL] [--data FOLDER] [--clips N]
    phone write-store FOLDER
    """

  @MainActor static func main() async {
    do { try await run() } catch { fail("\(error)") }
  }

  @MainActor private static func run() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let command = arguments.isEmpty ? "evening" : arguments.removeFirst()
    if command == "write-store", let folder = arguments.first {
      return try await StoreWriter.run(URL(filePath: folder))
    }
    guard arguments.count.isMultiple(of: 2) else { return fail(usage) }
    var given: [String: String] = [:]
    for index in stride(from: 0, to: arguments.count, by: 2) {
      given[arguments[index]] = arguments[index + 1]
    }
    let options = evening(given)
    let faults: Int
    switch command {
    case "evening": faults = try await evenings(options, profiles(given))
    case "compare": faults = try await Comparison.run(options, profiles(given), say: say)
    case "kills":
      let count = given["--count"].flatMap { Int($0) } ?? 100
      faults = try await Kills(options.handset, count: count, seed: options.seed, say: say).run()
    case "start": faults = try await ColdStart.run(options.handset, say: say)
    case "frames":
      let clips = given["--clips"].flatMap { Int($0) } ?? 4
      faults = try await FrameCheck.run(options.handset.server, clips: clips, folder: options.handset.data)
    default: return fail(usage)
    }
    if faults > 0 { exit(1) }
  }

  @MainActor private static func evening(_ given: [String: String]) -> Evening.Options {
    var options = Evening.Options()
    options.handset.server = given["--server"].flatMap { URL(string: $0) } ?? options.handset.server
    options.handset.data = given["--data"].map { URL(filePath: $0) } ?? options.handset.data
    options.swipes = given["--swipes"].flatMap { Int($0) } ?? options.swipes
    options.seed = given["--seed"].flatMap { UInt64($0) } ?? options.seed
    options.pace = given["--pace"].flatMap { Double($0) } ?? options.pace
    options.leavesEvery =
      given["--leaves-every"].flatMap { Int($0) }.map { max(1, $0) } ?? options.leavesEvery
    options.tells = given["--tells"] == "yes"
    return options
  }

  private static func profiles(_ given: [String: String]) -> [Link.Profile] {
    let link = given["--link"] ?? "all"
    let profiles = Link.profiles.filter { link == "all" || $0.name == link }
    if profiles.isEmpty { fail(usage) }
    return profiles
  }

  @MainActor private static func evenings(_ options: Evening.Options, _ profiles: [Link.Profile]) async throws
    -> Int
  {
    var evenings: [Figures] = []
    for profile in profiles {
      let figures = try await Evening(options, profile).run()
      say(figures.lines)
      evenings.append(figures)
    }
    say(["", Figures.tableHead] + evenings.map(\.row))
    say(["", Figures.memoryHead] + evenings.map(\.memoryRow))
    return evenings.reduce(0) { $0 + $1.violations.count }
  }

  /// At once, so that whoever reads a pipe sees it before the program is killed.
  private static func say(_ lines: [String]) {
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }

  private static func fail(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(2)
  }
}
