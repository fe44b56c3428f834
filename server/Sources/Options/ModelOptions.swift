public import ArgumentParser
internal import Configured
public import ModelServer
internal import Platform

/// Which model of the operator's own scores "For you", if any.
public struct ModelOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.modelServer)) var modelServer: String?
  @Option(help: ArgumentHelp(.modelProtocol)) var modelProtocol: String?
  @Option(help: ArgumentHelp(.modelName)) var modelName: String?
  @Option(help: ArgumentHelp(.modelVersion)) var modelVersion: String?
  @Option(help: ArgumentHelp(.modelMs)) var modelMs: String?
  @Option(help: ArgumentHelp(.modelIds)) var modelIds: String?

  public init() {}

  public mutating func validate() throws {
    modelServer = try settled(.modelServer, modelServer)
    modelProtocol = try settled(.modelProtocol, modelProtocol)
    modelName = try settled(.modelName, modelName)
    modelVersion = try settled(.modelVersion, modelVersion)
    modelMs = try settled(.modelMs, modelMs)
    modelIds = try settled(.modelIds, modelIds)
    let words = [
      (Setting.modelName, modelName), (.modelVersion, modelVersion),
      (.modelToken, try settled(.modelToken, nil)),
    ]
    guard modelServer != nil else {
      for (setting, value) in words where value != nil {
        throw ValidationError("\(setting.places) needs \(Setting.modelServer.places).")
      }
      return
    }
    guard modelName != nil else {
      throw ValidationError("\(Setting.modelServer.places) needs \(Setting.modelName.places).")
    }
    // NB: what a token looks like is not said.
    for (setting, value) in words {
      guard let value, !ModelServerSettings.isWord(value) else { continue }
      throw ValidationError("\(setting.places) must be printable ASCII without spaces.")
    }
    guard settings != nil else {
      throw ValidationError(
        "\(Setting.modelServer.places) must be an address such as http://127.0.0.1:8080, without a question mark."
      )
    }
  }

  /// Nil: our own scores alone count.
  public var settings: ModelServerSettings? {
    guard let modelServer, let modelName else { return nil }
    return ModelServerSettings(
      address: modelServer,
      dialect: modelProtocol.flatMap(ModelServerSettings.Dialect.init) ?? .openInference,
      model: modelName, version: modelVersion, token: (try? settled(.modelToken, nil)) ?? nil,
      sendsIDs: modelIds == "on")
  }

  /// How long a page waits for scores.
  public var limit: Duration { .milliseconds(modelMs.flatMap { SafeInteger.read($0) } ?? 50) }

  /// Nil: there is none.
  public func make() -> ModelServer? { settings.map(ModelServer.init) }
}
