internal import Configuration
internal import Foundation
internal import SystemPackage

/// What environment and configuration file say of an instance. An option counts more than the environment,
/// the environment more than the file.
public struct Configured: Sendable {
  public enum Source: Sendable, Equatable {
    case option
    case variable
    case file(String)
    case standard
  }

  /// What this process was told: bound once, around everything that it does.
  @TaskLocal public static var current = Configured(environment: [:])

  /// The file that counts if no option names another.
  public static let fileVariable = "CLIPFEED_CONFIG"

  private let environment: ConfigReader
  private let file: (path: String, reader: ConfigReader)?

  public init(environment: [String: String]) {
    self.init(environment: environment, file: nil)
  }

  private init(environment: [String: String], file: (String, ConfigReader)?) {
    self.environment = ConfigReader(
      provider: EnvironmentVariablesProvider(
        environmentVariables: environment,
        secretsSpecifier: .specific(
          Set(environment.keys.filter { Setting.of(variable: $0)?.isSecret == true }))
      ).prefixKeys(with: "clipfeed"))
    self.file = file
  }

  /// Throws `ConfigurationFile.Wrong` if the file cannot be read, says what no setting is, or says it
  /// wrongly.
  public static func reading(_ path: String, environment: [String: String]) async throws -> Configured {
    let checked = try ConfigurationFile(path)
    guard !checked.isEmpty else { return Configured(environment: environment) }
    let secrets = Set(checked.settings.filter(\.isSecret).map(\.name))
    let provider = try await FileProvider<YAMLSnapshot>(
      parsingOptions: .init(secretsSpecifier: .specific(secrets)), filePath: FilePath(path))
    return Configured(environment: environment, file: (path, ConfigReader(provider: provider)))
  }

  /// The value, and who said it. Nothing (an empty text) is the standard, also where a source behind it says
  /// something. Throws `WrongValue`.
  public func find(_ setting: Setting, option: String? = nil) throws -> (value: String?, source: Source) {
    let key = ConfigKey([setting.name])
    let found: (String, Source)? =
      if let option { (option, .option) } else if let text = environment.string(forKey: key) {
        (text, .variable)
      } else if let file, let text = file.reader.string(forKey: key) { (text, .file(file.path)) } else { nil }
    guard let (value, source) = found, !value.isEmpty else { return (setting.standard, .standard) }
    guard setting.accepts(value) else { throw WrongValue(setting: setting, source: source) }
    return (value, source)
  }

  public struct WrongValue: Error, CustomStringConvertible {
    public let setting: Setting
    public let source: Source

    /// NB: without the value, which may be a secret in the wrong place.
    public var description: String {
      if case .file(let path) = source { return "\(path): \(setting.name) \(setting.demand)." }
      return "\(setting.places) \(setting.demand)."
    }
  }
}
