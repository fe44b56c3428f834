public import ArgumentParser
internal import Configured
internal import Contract
internal import Foundation
public import OpenIDConnect
internal import Platform

/// By whom people can sign in beside handle and password. None of it is an option: how many there are is the
/// operator's choice, and most of it is not for a command line.
public struct SignInOptions: ParsableArguments, Sendable {
  /// What is said of one; Apple's key is still a file.
  public struct ProviderSetting: Sendable {
    public var settings: OpenIDSettings
    var keyFile: String?
  }

  public var providers: [ProviderSetting] { (try? find()) ?? [] }

  public init() {}

  public func validate() throws { _ = try find() }

  /// Throws `invalid_parameter` if Apple's key cannot be read, or is none.
  public func make() throws -> [OpenIDProvider] {
    try providers.map { provider in
      var settings = provider.settings
      if let path = provider.keyFile, case .apple(let team, let keyID, _) = settings.secret {
        guard let key = SmallFile.text(at: path) else {
          throw AppError(.invalidParameter, "The key file \(path) cannot be read.")
        }
        settings.secret = .apple(team: team, keyID: keyID, key: key)
      }
      return try OpenIDProvider(settings, time: SystemTime())
    }
  }

  private func find() throws -> [ProviderSetting] {
    let ids = try SettingFamily.signIn.listed(try settled(.signIn, nil))
    let all = try ids.map(Self.read)
    // By its issuer an identity is known for ever.
    guard Set(all.map(\.settings.issuer)).count == all.count else {
      throw ValidationError("\(Setting.signIn.places): two providers have the same issuer.")
    }
    return all
  }

  private static func read(_ id: String) throws -> ProviderSetting {
    let of = Setting.ofProvider(id)
    let team = try of.appleTeam.value()
    let issuer =
      try of.issuer.value()
      ?? (team == nil ? of.issuer.demanded(by: .signIn) : OpenIDProvider.appleIssuer)
    guard ProviderAddress(issuer) != nil, !issuer.contains("?") else {
      throw ValidationError(
        "\(of.issuer.name) must be an address that begins with https://; http:// is for this very machine alone."
      )
    }
    var settings = OpenIDSettings(
      id: id, name: try of.name.value() ?? id.prefix(1).uppercased() + id.dropFirst(), issuer: issuer,
      client: try of.client.demanded(by: .signIn), apps: try of.apps.value().map(SettingFamily.names) ?? [],
      secret: .none)
    settings.isInner = try of.inner.value() == "on"
    guard settings.name.count <= 40 else {
      throw ValidationError("\(of.name.name) must have 40 characters at most.")
    }
    let secret = try of.secret.value()
    guard let team else {
      for setting in [of.appleKeyID, of.appleKeyFile] where try setting.value() != nil {
        throw ValidationError("\(setting.name) needs \(of.appleTeam.name).")
      }
      settings.secret = secret.map { .text($0) } ?? .none
      return ProviderSetting(settings: settings)
    }
    guard secret == nil else {
      throw ValidationError("\(of.secret.name) is not for Apple, which takes \(of.appleKeyFile.name).")
    }
    let file = try of.appleKeyFile.demanded(by: of.appleTeam)
    settings.secret = .apple(team: team, keyID: try of.appleKeyID.demanded(by: of.appleTeam), key: "")
    return ProviderSetting(settings: settings, keyFile: file)
  }
}
