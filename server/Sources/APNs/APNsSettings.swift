/// By which Apple knows whose notifications these are, and where they go.
public struct APNsSettings: Sendable {
  public var team: String
  public var keyID: String
  /// Of the .p8 file.
  public var key: String
  /// Instead of Apple's two services: one to try with. `https://` and a host.
  public var server: String?
  /// Certificates in PEM of who may vouch for that server; nil: those of this machine.
  public var certificates: String?

  public init(
    team: String, keyID: String, key: String, server: String? = nil, certificates: String? = nil
  ) {
    self.team = team
    self.keyID = keyID
    self.key = key
    self.server = server
    self.certificates = certificates
  }
}
