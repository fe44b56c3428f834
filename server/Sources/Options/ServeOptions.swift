public import ArgumentParser
internal import Configured
internal import Foundation
internal import Gateway
internal import Platform

/// All that a server is told.
public struct ServeOptions: ParsableArguments, Sendable {
  @OptionGroup public var data: DataOptions
  @OptionGroup public var site: SiteOptions
  @Option(help: ArgumentHelp(.host)) var host: String?
  @Option(help: ArgumentHelp(.port)) var port: String?
  @OptionGroup public var workers: WorkerOptions
  @OptionGroup public var sandbox: SandboxOptions
  @OptionGroup public var guests: GuestOptions
  @OptionGroup public var siteRules: SiteRuleOptions
  @OptionGroup public var uploads: UploadOptions
  @OptionGroup public var captioner: CaptionerOptions
  @OptionGroup public var generation: GenerationOptions
  @OptionGroup public var shared: CacheOptions
  @OptionGroup public var observing: ObservingOptions
  @Option(help: ArgumentHelp(.connectionsPerAddress)) var connectionsPerAddress: String?
  @Option(help: ArgumentHelp(.drainSeconds)) var drainSeconds: String?
  @OptionGroup public var mail: MailOptions
  @OptionGroup public var signIn: SignInOptions
  @OptionGroup public var apps: AppleOptions
  @OptionGroup public var webPush: WebPushOptions
  @OptionGroup public var webhooks: WebhookOptions
  @OptionGroup public var experiments: ExperimentOptions
  @OptionGroup public var model: ModelOptions
  @OptionGroup public var sessions: SessionOptions
  @Option(help: ArgumentHelp(.origin)) public private(set) var origin: String?
  @Option(help: ArgumentHelp(.allowedOrigins)) var allowedOrigins: String?
  @Flag(help: "Fills an empty instance with demo clips.")
  public private(set) var demo = false

  public init() {}

  public mutating func validate() throws {
    host = try settled(.host, host)
    port = try settled(.port, port)
    connectionsPerAddress = try settled(.connectionsPerAddress, connectionsPerAddress)
    drainSeconds = try settled(.drainSeconds, drainSeconds)
    guard port == "0" || observing.metricsPort != port else {
      throw ValidationError("\(Setting.metricsPort.places) must be another port than \(Setting.port.places).")
    }
    allowedOrigins = try settled(.allowedOrigins, allowedOrigins)
    if let wrong = Self.words(allowedOrigins).first(where: { !AllowedOrigin.isOne($0) }) {
      throw ValidationError(
        "\(Setting.allowedOrigins.places): \(wrong) is no origin as browsers say it, such as https://app.example.org."
      )
    }
    guard let text = try settled(.origin, origin) else {
      // A link that a request's Host header chose would lead wherever a stranger likes.
      guard mail.words == nil else {
        throw ValidationError(
          "\(Setting.mailCommand.places) needs \(Setting.origin.places): messages have links in them.")
      }
      guard signIn.providers.isEmpty else {
        throw ValidationError(
          "\(Setting.signIn.places) needs \(Setting.origin.places): providers send people back to it.")
      }
      return
    }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil,
      url.path().isEmpty || url.path() == "/", url.query() == nil, url.fragment() == nil
    else {
      throw ValidationError(
        "\(Setting.origin.places) must be an address without a path, such as https://clips.example.org.")
    }
    origin = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Where it listens.
  public var listening: (host: String, port: Int) {
    (host ?? "127.0.0.1", port.flatMap { SafeInteger.read($0) } ?? 8080)
  }

  /// Of other sites, whose pages may use the API.
  public var otherOrigins: [String] { Self.words(allowedOrigins) }

  /// For how long it goes on after it was told to stop.
  public var drain: Int { drainSeconds.flatMap { SafeInteger.read($0) } ?? 0 }

  private static func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: " ").map(String.init)
  }

  /// Nil: no limit.
  public var mostPerAddress: Int? {
    let most = connectionsPerAddress.flatMap { SafeInteger.read($0) } ?? 256
    return most > 0 ? most : nil
  }
}
