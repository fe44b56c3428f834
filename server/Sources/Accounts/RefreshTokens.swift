internal import Foundation
internal import Platform

/// What a client keeps to stay signed in: which session, which link of its chain, the secret of that link, and a tag that
/// only this instance can make, so that nobody can end a session with a token that was never handed out.
struct RefreshTokens: Sendable {
  struct Token: Sendable, Equatable {
    var account: String
    var session: String
    /// How many there were before it.
    var generation: Int64
    var secret: String
  }

  private static let prefix = "r1"
  /// Two ids, a number, a secret and a tag.
  private static let maximumBytes = 200

  let key: String

  func text(of token: Token) -> String {
    let body = "\(Self.prefix).\(token.account).\(token.session).\(token.generation).\(token.secret)"
    return body + "." + tag(of: body)
  }

  /// Nil for what this instance did not make. The comparison takes as long whatever differs.
  func read(_ text: String) -> Token? {
    guard text.utf8.count <= Self.maximumBytes else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, parts[0] == Self.prefix,
      let generation = SafeInteger.read(parts[3]).map(Int64.init)
    else { return nil }
    let (given, right) = (Array(parts[5].utf8), Array(tag(of: parts[..<5].joined(separator: ".")).utf8))
    guard given.count == right.count, zip(given, right).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0 else {
      return nil
    }
    return Token(account: parts[1], session: parts[2], generation: generation, secret: parts[4])
  }

  /// The link after this one. The same salt gives the same, so an answer that got lost can be given again.
  func next(after token: Token, salt: String) -> Token {
    var next = token
    next.generation += 1
    next.secret = HeldSecret.derived(from: token.secret, salt: salt, key: key)
    return next
  }

  private func tag(of body: String) -> String {
    ContentHash.hex(TokenTag.of(Array("refresh/1\n\(body)".utf8), secret: key))
  }
}
