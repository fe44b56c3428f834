public import Foundation

/// What a device needs to make a passkey, in bytes.
public struct PasskeyOrder: Equatable, Sendable {
  public let site: String
  public let challenge: Data
  /// Whose it will be: bytes that the device keeps with it.
  public let user: Data
  /// By which people tell their passkeys apart.
  public let handle: String
  public let name: String
  /// Those that the account has: no device makes a second one.
  public let known: [Data]
}

/// What came of it.
public struct MadePasskey: Equatable, Sendable {
  public let clientData: Data
  public let attestation: Data

  public init(clientData: Data, attestation: Data) {
    self.clientData = clientData
    self.attestation = attestation
  }
}

public struct PasskeySignature: Equatable, Sendable {
  /// Of the key, as the device calls it.
  public let credential: Data
  public let clientData: Data
  public let authenticatorData: Data
  public let signature: Data
  /// Whose it is; empty if the device does not say so.
  public let user: Data

  public init(credential: Data, clientData: Data, authenticatorData: Data, signature: Data, user: Data) {
    self.credential = credential
    self.clientData = clientData
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.user = user
  }
}

/// Passkeys of this device and of those near it.
///
/// - `canUse`: whether this app may use passkeys of the site. The system lets it for hosts that it is
///   associated with alone.
/// - `make` and `sign` throw `CancellationError` where the person gave up, and `PasskeyFault` for what cannot
///   be.
/// - `isSecond`: somebody has shown the password already, so the device need not know who holds it.
@MainActor public protocol PasskeyPort: AnyObject {
  func canUse(_ site: String) -> Bool
  func make(_ order: PasskeyOrder) async throws -> MadePasskey
  func sign(_ challenge: Data, of site: String, isSecond: Bool) async throws -> PasskeySignature
}

/// Which sites' passkeys this app may use.
public enum PasskeySite {
  /// `base`: the server that is spoken to; `associated`: the host that the app's entitlements name. NB: what
  /// a device signs for an app names the host alone, so a server at another port than https' own believes
  /// none.
  public static func isUsable(_ site: String, at base: URL, associated host: String) -> Bool {
    let site = site.lowercased()
    return base.scheme == "https" && (base.port ?? 443) == 443 && base.host()?.lowercased() == site
      && host.lowercased() == site
  }
}

/// Why a device uses no passkey.
public enum PasskeyFault: Error, SaysWhy, Equatable {
  /// It has one of this account already.
  case known
  case unusable

  var sentence: Sentence {
    switch self {
    case .known: "This device has a passkey of this account already."
    case .unusable: "This device cannot use passkeys here."
    }
  }
}
