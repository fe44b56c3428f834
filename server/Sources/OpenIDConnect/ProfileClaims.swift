internal import Foundation

/// What an issuer says of a person for others to call them by, in identity tokens and at its userinfo
/// endpoint (OpenID Connect Core 1.0, 5.1). No more than a suggestion, so each may be anything, and is then
/// left out.
struct ProfileClaims: Decodable, Sendable {
  var name: String?
  var preferredUsername: String?
  var email: String?
  var isEmailVerified: Bool

  private enum CodingKeys: String, CodingKey {
    case name, email
    case preferredUsername = "preferred_username"
    case emailVerified = "email_verified"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try? values.decodeIfPresent(String.self, forKey: .name)
    preferredUsername = try? values.decodeIfPresent(String.self, forKey: .preferredUsername)
    email = try? values.decodeIfPresent(String.self, forKey: .email)
    // Apple writes "true" as well.
    isEmailVerified =
      (try? values.decode(Bool.self, forKey: .emailVerified))
      ?? ((try? values.decode(String.self, forKey: .emailVerified)) == "true")
  }
}

/// What a userinfo endpoint answers (5.3.2).
struct UserInfo: Decodable, Sendable {
  var sub: String
  var profile: ProfileClaims

  private enum CodingKeys: CodingKey { case sub }

  init(from decoder: any Decoder) throws {
    sub = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .sub)
    profile = try ProfileClaims(from: decoder)
  }
}
