public import ArgumentParser
public import Configured
internal import Contract
internal import FFmpeg
internal import Foundation
internal import Logging
internal import Platform

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
  func settled(_ setting: Setting, _ option: String?) throws -> String? { try setting.value(option) }
}

extension Setting {
  /// What option, environment and configuration file say together.
  func value(_ option: String? = nil) throws -> String? {
    do {
      return try Configured.current.find(self, option: option).value
    } catch let error as Configured.WrongValue {
      throw ValidationError(error.description)
    }
  }

  /// `other`: what cannot be without it.
  func demanded(by other: Setting) throws -> String {
    guard let value = try value() else {
      throw ValidationError("\(other.name) needs \(name) (or \(variable)).")
    }
    return value
  }
}

extension SettingFamily {
  /// Those that its list names, of which each can be part of a setting's name.
  func listed(_ value: String?) throws -> [String] {
    let ids = Self.names(in: value)
    if let wrong = ids.first(where: { !Self.canName($0) }) {
      throw ValidationError(
        "\(list.places): \(wrong.debugDescription) is no name of a provider; it is made of a to z and digits."
      )
    }
    guard Set(ids).count == ids.count else {
      throw ValidationError("\(list.places) names a provider twice.")
    }
    return ids
  }
}

/// Which configuration file counts. It is read before the options are (`Clipfeed.main`), since it stands in
/// for them.
public struct ConfigurationOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      """
      A file of lines "name: value", each name that of an option. What no option says, the environment says (for \
      --\(Setting.data.name) it is \(Setting.data.variable)), else this file. Without it \(Configured.fileVariable) names one.
      """,
      valueName: "file"))
  var config: String?

  public init() {}

  /// The file that these arguments name, else the environment.
  public static func file(in arguments: [String], environment: [String: String]) -> String? {
    argument("--config", in: arguments)
      ?? environment[Configured.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Of what counts before the options are read: what they say of this setting.
  public static func argument(_ setting: Setting, in arguments: [String]) -> String? {
    argument("--\(setting.name)", in: arguments)
  }

  private static func argument(_ option: String, in arguments: [String]) -> String? {
    var value: String?
    // The last counts, as for the options themselves.
    for (index, argument) in arguments.prefix(while: { $0 != "--" }).enumerated() {
      if argument == option { value = arguments.dropFirst(index + 1).first }
      if argument.utf8.starts(with: "\(option)=".utf8) {
        value = String(argument.dropFirst(option.count + 1))
      }
    }
    return value
  }

  /// The environment for another process of this program that is to be told the same: what our options say as
  /// well, so that it stands on no command line.
  public static func environment(
    saying arguments: [String], over environment: [String: String]
  ) -> [String: String] {
    var all = environment
    if let file = file(in: arguments, environment: environment) { all[Configured.fileVariable] = file }
    for setting in Setting.all where setting.hasOption {
      if let value = argument(setting, in: arguments) { all[setting.variable] = value }
    }
    return all
  }
}

/// How much is converted at once.
public struct WorkerOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.workers)) var workers: String?

  public var count: Int { workers.flatMap { SafeInteger.read($0) } ?? 1 }

  public init() {}

  public mutating func validate() throws { workers = try settled(.workers, workers) }
}

/// Whether anything is converted without a sandbox.
public struct SandboxOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.requireSandbox)) var requireSandbox: String?

  public init() {}

  public mutating func validate() throws { requireSandbox = try settled(.requireSandbox, requireSandbox) }

  public var isRequired: Bool { requireSandbox == "on" }

  /// Throws if there must be one and is none.
  public func check() throws {
    guard isRequired, !FFmpegTools.isConfined else { return }
    throw AppError(
      .unavailable,
      "This system cannot shut ffmpeg in with its job (\(FFmpegTools.confinement)), and "
        + "\(Setting.requireSandbox.name) is on. docs/operate.md says what it needs.")
  }

  /// Says once to the operator that there is none.
  public func warn() {
    Thread.detachNewThread {
      guard !FFmpegTools.isConfined else { return }
      Logger(label: "clipfeed.sandbox").warning(
        "ffmpeg reads strangers' files without a sandbox on this system",
        metadata: ["confinement": "\(FFmpegTools.confinement)"])
    }
  }
}

/// How long people stay signed in.
public struct SessionOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.sessionDays)) var sessionDays: String?

  /// 0: for ever.
  public var days: Int { sessionDays.flatMap { SafeInteger.read($0) } ?? 365 }

  public init() {}

  public mutating func validate() throws { sessionDays = try settled(.sessionDays, sessionDays) }
}

/// Where the web client is.
public struct SiteOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.web)) var web: String?

  public var folder: String { web ?? "../web" }

  public init() {}

  public mutating func validate() throws { web = try settled(.web, web) }
}
