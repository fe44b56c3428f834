public import APNs
public import ArgumentParser
internal import Configured
internal import Contract
internal import Foundation
internal import Platform

/// Apps of Apple's systems that belong to the site, and by which key their devices are written to.
public struct AppleOptions: ParsableArguments, Sendable {
  @Option(name: .customLong("app-ids"), help: ArgumentHelp(.appIds)) var appIds: String?
  @Option(name: .customLong("apns-key-file"), help: ArgumentHelp(.apnsKeyFile)) var keyFile: String?
  @Option(name: .customLong("apns-key-id"), help: ArgumentHelp(.apnsKeyId)) var keyID: String?
  @Option(name: .customLong("apns-team"), help: ArgumentHelp(.apnsTeam)) var team: String?
  @Option(name: .customLong("apns-topic"), help: ArgumentHelp(.apnsTopic)) public private(set) var topic:
    String?
  @Option(name: .customLong("apns-server"), help: ArgumentHelp(.apnsServer)) var server: String?
  @Option(name: .customLong("apns-ca"), help: ArgumentHelp(.apnsCa)) var certificates: String?

  public init() {}

  public var ids: [String] { (appIds ?? "").split(separator: " ").map(String.init) }

  public mutating func validate() throws {
    appIds = try settled(.appIds, appIds)
    keyFile = try settled(.apnsKeyFile, keyFile)
    keyID = try settled(.apnsKeyId, keyID)
    team = try settled(.apnsTeam, team)
    topic = try settled(.apnsTopic, topic)
    server = try settled(.apnsServer, server)
    certificates = try settled(.apnsCa, certificates)
    if let wrong = ids.first(where: { $0.wholeMatch(of: /[A-Z0-9]{10}\.[A-Za-z0-9.-]{1,155}/) == nil }) {
      throw ValidationError(
        "\(Setting.appIds.places): \(wrong) is no app as Apple names it, such as A1B2C3D4E5.org.example.clipfeed."
      )
    }
    guard keyFile != nil else {
      for (setting, value) in [
        (Setting.apnsKeyId, keyID), (.apnsTeam, team), (.apnsTopic, topic), (.apnsServer, server),
        (.apnsCa, certificates),
      ] where value != nil {
        throw ValidationError("\(setting.places) needs \(Setting.apnsKeyFile.places).")
      }
      return
    }
    for (setting, value, form) in [
      (Setting.apnsKeyId, keyID, /[A-Z0-9]{10}/), (.apnsTeam, team, /[A-Z0-9]{10}/),
      (.apnsTopic, topic, /[A-Za-z0-9.-]{1,155}/),
    ] {
      guard let value else {
        throw ValidationError("\(Setting.apnsKeyFile.places) needs \(setting.places).")
      }
      guard value.wholeMatch(of: form) != nil else {
        throw ValidationError("\(setting.places) is not as Apple writes it.")
      }
    }
    if let server {
      guard let url = URL(string: server), url.scheme == "https", url.host() != nil, url.path().isEmpty,
        url.query() == nil, url.fragment() == nil
      else { throw ValidationError("\(Setting.apnsServer.places) must be https:// and a host.") }
    }
    do {
      _ = try makeSender()
    } catch let error as AppError {
      throw ValidationError(error.message)
    }
  }

  /// Nil: nobody is written to. Throws `invalid_parameter` if the key or the certificates cannot be read, or
  /// are none.
  public func makeSender() throws -> APNsSender? {
    try makeSettings().map { try APNsSender($0, time: SystemTime()) }
  }

  private func makeSettings() throws -> APNsSettings? {
    guard let keyFile, let keyID, let team else { return nil }
    return APNsSettings(
      team: team, keyID: keyID, key: try Self.text(of: keyFile, "key"), server: server,
      certificates: try certificates.map { try Self.text(of: $0, "certificates") })
  }

  private static func text(of path: String, _ what: String) throws -> String {
    guard let text = SmallFile.text(at: path) else {
      throw AppError(.invalidParameter, "The file \(path) of the \(what) for notifications cannot be read.")
    }
    return text
  }
}
