internal import Contract
internal import Foundation

/// Whoever is signed in, as others see them.
public struct SignedInAccount: Codable, Equatable, Sendable {
  public var id: String
  public var handle: String
  public var name: String

  public init(id: String, handle: String, name: String) {
    self.id = id
    self.handle = handle
    self.name = name
  }
}

/// By what the server knows this device: secrets, and whose they are.
struct Credentials: Equatable, Sendable {
  /// A session of an account.
  struct Session: Codable, Equatable, Sendable {
    var id: String
    var account: SignedInAccount
    var accessToken: String
    var refreshToken: String
    /// When the access token ends, by this device's clock.
    var until: Date
  }

  /// What the server gave to a client that keeps cookies, under the name that it has there.
  struct Cookie: Codable, Equatable, Sendable {
    var name: String
    var value: String

    /// As a request brings it.
    var field: String { "\(name)=\(value)" }
  }

  /// Of whoever has no account and left something here.
  var guest: Cookie?
  /// Says that somebody signed in here before. It opens nothing, and outlives signing out.
  var device: Cookie?
  var session: Session?
}

extension Credentials: Codable {
  private enum CodingKeys: String, CodingKey { case guest, device, session }

  /// Each part by itself: one that is damaged costs no other.
  init(from decoder: any Decoder) throws {
    let parts = try decoder.container(keyedBy: CodingKeys.self)
    guest = try? parts.decodeIfPresent(Cookie.self, forKey: .guest)
    device = try? parts.decodeIfPresent(Cookie.self, forKey: .device)
    session = try? parts.decodeIfPresent(Session.self, forKey: .session)
  }

  static func decode(_ bytes: Data) -> Credentials {
    (try? WireCoding.decode(Credentials.self, from: bytes)) ?? Credentials()
  }
}

extension Credentials {
  private static let guestNames = ["clipfeed_guest", "__Host-clipfeed_guest"]
  private static let deviceNames = ["clipfeed_device", "__Secure-clipfeed_device"]
  /// Bytes of a cookie that is kept: more than the server ever gives.
  private static let mostBytes = 4096

  /// Keeps what an answer's `Set-Cookie` lines say of guest and device, joined by commas or not. None of our
  /// values has a comma in it.
  mutating func take(setCookie lines: String?) {
    for line in (lines ?? "").split(separator: ",") {
      let pair = line.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
        .trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      guard let name = pair.first.map(String.init) else { continue }
      let value = pair.count == 2 ? String(pair[1]) : ""
      guard value.utf8.count <= Self.mostBytes, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        continue
      }
      let cookie = value.isEmpty ? nil : Cookie(name: name, value: value)
      if Self.guestNames.contains(name) { guest = cookie }
      if Self.deviceNames.contains(name), cookie != nil { device = cookie }
    }
  }
}
