/// What a browser keeps for us so that whoever uses it is known again, where no script can read it: cookies.
/// A client that is no browser keeps its tokens itself, and has none of these.
public enum Credential: Sendable {
  case guest, access, refresh
  /// Somebody has signed in on this device before.
  case device
  /// The way to a provider, and what it answered.
  case signIn, signInAnswer
}

/// Reads and sets the credentials of one request.
public protocol Credentials: Sendable {
  func credential(_ credential: Credential) -> String?
  func keep(_ credential: Credential, _ value: String, seconds: Int)
  func forget(_ credential: Credential)
  /// Whether the request names its token itself, so that what a browser keeps does not count.
  var bringsToken: Bool { get }
  /// The devices of which the browser has kept something, each with the account that was signed in to there.
  var devices: [(account: String, id: String)] { get }
  /// From now on this account is one that was signed in to on this device.
  func remember(_ account: String)
  /// Whoever was a guest is an account from now on.
  func guestBecameAccount()
}

extension Call {
  public var credentials: any Credentials { request }
}
