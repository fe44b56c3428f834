internal import Foundation
internal import Platform

/// What a client keeps to stay signed in: which session, which link of its chain, the secret of that link,
/// and a tag that only this instance can make, so that nobody can end a session with a token that was never
/// handed out.
struct RefreshTokens: Sendable {
  struct Token: Sendable, Equatable {
    var account: String
    var session: String
    /// How many there were before it.
    var generation: Int64
    var secret: String
  }

  private static let prefix = "r2"
  /// With a tag of 64 bits: made by earlier versions, and read until their key is over.
  private static let shortPrefix = "r1"
  /// Two ids, a number, a secret and a tag.
  private static let maximumBytes = 200

  let keys: TokenKeys

  func text(of token: Token) -> String {
    let body = "\(Self.prefix).\(token.account).\(token.session).\(token.generation).\(token.secret)"
    return body + "." + keys.tag(of: "refresh/2\n\(body)")
  }

  /// Nil for what this instance did not make. The comparison takes as long whatever differs.
  func read(_ text: String) -> Token? {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let parts = text.split(atByte: UInt8(ascii: "."), omittingEmpty: false).map(String.init)
    guard parts.count == 6, let generation = SafeInteger.read(parts[3]).map(Int64.init) else { return nil }
    let (body, tag) = (parts[..<5].joined(separator: "."), parts[5].utf8)
    switch parts[0] {
    case Self.prefix: guard keys.isTag(tag, of: "refresh/2\n\(body)") else { return nil }
    case Self.shortPrefix: guard keys.isShortTag(tag, of: "refresh/1\n\(body)") else { return nil }
    default: return nil
    }
    return Token(account: parts[1], session: parts[2], generation: generation, secret: parts[4])
  }

  /// The link after this one.
  func next(after token: Token, salt: String) -> Token { next(after: token, salt: salt, by: keys.making) }

  /// The link after this one that was made before, since an answer that got lost is given again: of the keys,
  /// the one that made it gives the same. Nil: it is gone.
  func next(after token: Token, salt: String, hash: String) -> Token? {
    keys.reading.lazy.map { next(after: token, salt: salt, by: $0) }
      .first { SecretToken.hash(of: $0.secret) == hash }
  }

  private func next(after token: Token, salt: String, by key: String) -> Token {
    var next = token
    next.generation += 1
    next.secret = SecretToken.derived(from: token.secret, salt: salt, key: key)
    return next
  }
}
