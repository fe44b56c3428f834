internal import ArgumentParser
internal import Configured
internal import Foundation
internal import Options

/// Says what is wrong with a configuration file, or what counts in the end.
struct CheckConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-config",
    abstract: "Checks the configuration, and says which settings count and who said them.",
    discussion:
      "It reads settings only; `clipfeed doctor` tries what they name. Exit code 78: something is wrong.")

  @Argument(
    help:
      "The configuration file; without it \(Configured.fileVariable) counts, else only the environment is checked."
  )
  var file: String?
  @Flag(help: "Prints a file with every setting explained, to start from.")
  var example = false

  func run() async throws {
    if example { return print(ExampleFile.text, terminator: "") }
    let environment = ProcessInfo.processInfo.environment
    var configured = Configured(environment: environment)
    if let path = file ?? ConfigurationOptions.file(in: [], environment: environment) {
      configured = try await .reading(path, environment: environment)
      try warnOfReaders(path)
      try Self.warnOfUnnamed(path, configured)
    }
    do {
      let lines = try Setting.all.flatMap { setting in
        let family = SettingFamily.all.first { $0.list == setting }
        let named = try family.map { $0.settings(ofListed: try configured.find(setting).value) } ?? []
        return try ([setting] + named).map { try Self.line($0, configured) }
      }
      // What settings mean together only the command knows that uses them all.
      try Configured.$current.withValue(configured) { _ = try ServeOptions.parse([]) }
      Console.say(lines.joined(separator: "\n"))
    } catch let error as Configured.WrongValue {
      throw Self.fault(error.description)
    } catch {
      throw Self.fault(ServeOptions.message(for: error))
    }
  }

  private static func line(_ setting: Setting, _ configured: Configured) throws -> String {
    let (value, source) = try configured.find(setting)
    let shown = value.map { setting.isSecret ? "(secret)" : $0 } ?? "-"
    let origin =
      switch source {
      case .option: "option"
      case .variable: setting.variable
      case .file(let path): path
      case .standard: "standard"
      }
    let name = setting.name.padding(toLength: max(20, setting.name.count), withPad: " ", startingAt: 0)
    return "\(name)  \(shown)  (\(origin))"
  }

  /// What is said of a provider that is not used is most likely a slip.
  private static func warnOfUnnamed(_ path: String, _ configured: Configured) throws {
    let keys = try ConfigurationFile(path).settings.map(\.name)
    for family in SettingFamily.all {
      let named = SettingFamily.names(in: try? configured.find(family.list).value)
      for id in Set(keys.compactMap(family.id)).subtracting(named).sorted() {
        Console.complain(
          "clipfeed: \(path) says something of \(id), which \(family.list.name) does not name")
      }
    }
  }

  private func warnOfReaders(_ path: String) throws {
    let file = try ConfigurationFile(path)
    guard file.isOpenToOthers, let secret = file.settings.first(where: \.isSecret) else { return }
    Console.complain("clipfeed: \(path) holds \(secret.name) and can be read by others: chmod 600 \(path)")
  }

  private static func fault(_ text: String) -> ExitCode {
    Console.complain("clipfeed: \(text)")
    return ExitCode(EX_CONFIG)
  }
}
