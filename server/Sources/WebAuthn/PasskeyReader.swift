public import Accounts
internal import Contract
internal import Crypto
internal import Foundation
internal import Platform

/// What devices answer (WebAuthn, level 2, 7.1 and 7.2): that it is for this site, about the question that is
/// looked at, from a device that somebody touched, and signed by the key.
///
/// It refuses to know whose a key is. An attestation is neither asked for nor looked at: which devices people
/// buy is their choice.
public struct PasskeyReader: PasskeyReading {
  private struct ClientData: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
  }

  /// The host of the site, as browsers know it.
  public let site: String
  private let origin: String
  private let siteHash: [UInt8]

  /// Nil for an address at which no browser has passkeys: without TLS (but for this machine), and of a host
  /// that has no name.
  public init?(origin: String) {
    guard let url = URL(string: origin), let scheme = url.scheme?.lowercased(),
      let host = url.host()?.lowercased(),
      scheme == "https" || scheme == "http" && host == "localhost",
      host.utf8.contains(where: { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
      !host.utf8.contains(where: { [UInt8(ascii: ":"), UInt8(ascii: "[")].contains($0) })
    else { return nil }
    // As browsers write it: without the port that goes without saying.
    let port = url.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : ":\($0)" } ?? ""
    self.origin = "\(scheme)://\(host)\(port)"
    site = host
    siteHash = Array(SHA256.hash(data: Data(host.utf8)))
  }

  public func registration(_ clientData: [UInt8], _ attestation: [UInt8]) throws -> PasskeyRegistration {
    let challenge = try challenge(of: clientData, "webauthn.create")
    var reader = CBORReader(attestation[...])
    let object = try reader.value()
    guard reader.rest.isEmpty, let bytes = object[.text("authData")]?.bytes else {
      throw AppError(.passkeyRefused)
    }
    let data = try checked(bytes)
    guard let credential = data.credential else { throw AppError(.passkeyRefused) }
    _ = try SigningKey(cose: credential.key)
    return PasskeyRegistration(
      challenge: challenge, credential: credential.id, key: credential.key, signCount: data.signCount,
      isVerified: data.isVerified)
  }

  public func assertion(
    _ clientData: [UInt8], _ authenticatorData: [UInt8], signature: [UInt8], by key: [UInt8]
  ) throws -> PasskeyAssertion {
    let challenge = try challenge(of: clientData, "webauthn.get")
    let data = try checked(authenticatorData)
    let signed = authenticatorData + Array(SHA256.hash(data: clientData))
    guard try SigningKey(cose: key).isSignature(signature, of: signed) else {
      throw AppError(.passkeyRefused)
    }
    return PasskeyAssertion(challenge: challenge, signCount: data.signCount, isVerified: data.isVerified)
  }

  private func checked(_ bytes: [UInt8]) throws -> AuthenticatorData {
    let data = try AuthenticatorData(bytes)
    guard data.siteHash == siteHash, data.isPresent else { throw AppError(.passkeyRefused) }
    return data
  }

  /// What was asked, as the browser passed it on.
  private func challenge(of clientData: [UInt8], _ type: String) throws -> [UInt8] {
    guard let data = try? JSONDecoder().decode(ClientData.self, from: Data(clientData)), data.type == type,
      // NB: a page of another site, or in a frame of one, has asked.
      data.origin == origin, data.crossOrigin != true, let challenge = Base64URL.bytes(data.challenge)
    else { throw AppError(.passkeyRefused) }
    return challenge
  }
}
