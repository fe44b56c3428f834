internal import ArgumentParser
internal import Configured

extension ArgumentHelp {
  /// What the table of settings says of it.
  init(_ setting: Setting) {
    self.init(stringLiteral: setting.help)
    switch setting.form {
    case .choice(let values): valueName = values.joined(separator: "|")
    case .number: valueName = "n"
    case .text: break
    }
  }
}

extension ParsableArguments {
  /// What option, environment and configuration file say together.
  func settled(_ setting: Setting, _ option: String?) throws -> String? {
    do {
      return try Configured.current.find(setting, option: option).value
    } catch let error as Configured.WrongValue {
      throw ValidationError(error.description)
    }
  }
}

/// Which configuration file counts. It is read before the options are (`Clipfeed.main`), since it stands in for them.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The configuration file; without it \(Configured.fileVariable) counts, else there is none.",
      valueName: "file"))
  var config: String?

  /// The file that these arguments name, else the environment.
  static func file(in arguments: [String], environment: [String: String]) -> String? {
    said("--config", in: arguments) ?? environment[Configured.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Of what counts before the options are read: what they say of this setting.
  static func said(_ setting: Setting, in arguments: [String]) -> String? {
    said("--\(setting.name)", in: arguments)
  }

  private static func said(_ option: String, in arguments: [String]) -> String? {
    for (index, argument) in arguments.prefix(while: { $0 != "--" }).enumerated() {
      if argument == option { return arguments.dropFirst(index + 1).first }
      if argument.hasPrefix("\(option)=") { return String(argument.dropFirst(option.count + 1)) }
    }
    return nil
  }
}

/// How much is converted at once.
struct WorkerOptions: ParsableArguments {
  @Option(help: ArgumentHelp(.workers)) var workers: String?

  var count: Int { workers.flatMap { Int($0) } ?? 1 }

  mutating func validate() throws { workers = try settled(.workers, workers) }
}

/// Where the web client is.
struct SiteOptions: ParsableArguments {
  @Option(help: ArgumentHelp(.web)) var web: String?

  var folder: String { web ?? "../web" }

  mutating func validate() throws { web = try settled(.web, web) }
}
