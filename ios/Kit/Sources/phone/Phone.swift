import Foundation

/// The Kit as a program: the real core, proxy and disk against a real server, with decoding programs in the
/// players' place and a scripted person.
@main struct Phone {
  static let usage = """
    phone evening [--server URL] [--data FOLDER] [--swipes N] [--link wifi|4g|3g|dying|all] [--seed N] [--pace X]
    phone frames [--server URL] [--clips N]
    phone write-store FOLDER
    """

  @MainActor static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let command = arguments.isEmpty ? "evening" : arguments.removeFirst()
    if command == "write-store", let folder = arguments.first {
      return try await StoreWriter.run(URL(filePath: folder))
    }
    guard arguments.count.isMultiple(of: 2) else { return fail(usage) }
    var options: [String: String] = [:]
    for index in stride(from: 0, to: arguments.count, by: 2) {
      options[arguments[index]] = arguments[index + 1]
    }
    var evening = Evening.Options()
    evening.server = options["--server"].flatMap { URL(string: $0) } ?? evening.server
    evening.data = options["--data"].map { URL(filePath: $0) } ?? evening.data
    evening.swipes = options["--swipes"].flatMap { Int($0) } ?? evening.swipes
    evening.seed = options["--seed"].flatMap { UInt64($0) } ?? evening.seed
    evening.pace = options["--pace"].flatMap { Double($0) } ?? evening.pace
    switch command {
    case "evening": try await evenings(evening, options["--link"] ?? "all")
    case "frames":
      let clips = options["--clips"].flatMap { Int($0) } ?? 4
      if try await FrameCheck.run(evening.server, clips: clips) > 0 { exit(1) }
    default: fail(usage)
    }
  }

  @MainActor private static func evenings(_ options: Evening.Options, _ link: String) async throws {
    let profiles = Link.profiles.filter { link == "all" || $0.name == link }
    guard !profiles.isEmpty else { return fail(usage) }
    var broken = 0
    for profile in profiles {
      let figures = try await Evening(options, profile).run()
      say(figures.lines)
      broken += figures.violations.count
    }
    if broken > 0 { exit(1) }
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
