public import Accounts
public import Contract
internal import Crypto
internal import Foundation
internal import JWTKit
internal import Logging
public import Platform

/// The port of providers for OpenID Connect (authorization code with PKCE), and for what Apple makes of it.
public struct OpenIDProvider: IdentityProvider {
  public static let appleIssuer = "https://appleid.apple.com"

  private let settings: OpenIDSettings
  private let time: any TimeSource
  private let client: ProviderClient
  private let documents: ProviderDocuments
  private let appleSecret: AppleSecret?
  private let logger = Logger(label: "clipfeed.sign-in")

  public var id: String { settings.id }
  public var name: String { settings.name }
  public var kind: SignInProviderKind { settings.kind }
  public var issuer: String { settings.issuer }

  /// Throws `invalid_parameter` if Apple's key is none.
  public init(_ settings: OpenIDSettings, time: any TimeSource, patience: Duration = .seconds(10)) throws {
    self.settings = settings
    self.time = time
    let reach = settings.isInner ? .inner : ProviderAddress(settings.issuer)?.reach ?? .open
    client = ProviderClient(reach: reach, patience: patience)
    documents = ProviderDocuments(issuer: settings.issuer, client: client, time: time)
    guard case .apple(let team, let keyID, let pem) = settings.secret else {
      appleSecret = nil
      return
    }
    guard let secret = try? AppleSecret(team: team, keyID: keyID, pem: pem, issuer: settings.issuer) else {
      throw AppError(
        .invalidParameter,
        "The key of \(settings.id) is no private key of P-256, as Apple's .p8 files have it.")
    }
    appleSecret = secret
  }

  public func address(for question: SignInQuestion) async throws -> String {
    let authorization = try await reaching { try await documents.discovery().authorization.text }
    let challenge = Data(SHA256.hash(data: Data(question.verifier.utf8))).base64EncodedString()
      .replacing(byte: UInt8(ascii: "+"), with: "-").replacing(byte: UInt8(ascii: "/"), with: "_").replacing(
        byte: UInt8(ascii: "="), with: "")
    var fields = [
      ("response_type", "code"), ("client_id", settings.client), ("redirect_uri", question.redirect),
      ("scope", kind == .apple ? "name email" : "openid profile email"), ("state", question.state),
      ("nonce", question.nonce), ("code_challenge", challenge), ("code_challenge_method", "S256"),
    ]
    // Apple answers whoever asks for a name by a form, and in no other way.
    if kind == .apple { fields.append(("response_mode", "form_post")) }
    if question.isConfirming, kind == .oidc {
      fields += [("prompt", "login"), ("max_age", "\(Limits.signInMs / 1000)")]
    }
    return authorization + (authorization.contains("?") ? "&" : "?") + FormText.of(fields)
  }

  public func identity(
    ofCode code: String, issuer: String?, for question: SignInQuestion
  ) async throws -> ProvenIdentity {
    let discovery = try await reaching { try await documents.discovery() }
    // Before the code is given to anybody: one that another issuer made must not reach this one, nor ours
    // another (mix-up).
    guard issuer == nil ? !discovery.namesIssuer : issuer == settings.issuer else {
      throw distrusted("the answer does not name this issuer")
    }
    let answer = try await exchange(
      code, as: settings.client, discovery,
      [("redirect_uri", question.redirect), ("code_verifier", question.verifier)])
    return try await identity(in: answer, nonces: [question.nonce], client: settings.client)
  }

  public func identity(ofToken token: String, code: String?, nonce: String) async throws -> ProvenIdentity {
    // Apple's example has apps give the system the hash alone.
    let nonces = [nonce, ContentHash.of(Array(nonce.utf8))]
    var (identity, client) = try await read(token, nonces: nonces)
    guard let code, kind == .apple else { return identity }
    let discovery = try await reaching { try await documents.discovery() }
    let answer = try await exchange(code, as: client, discovery, [])
    let other = try await self.identity(in: answer, nonces: nonces, client: client)
    guard other.subject == identity.subject else { throw distrusted("code and token are of two people") }
    identity.grant = other.grant
    return identity
  }

  public func introduced(_ identity: ProvenIdentity) async -> ProvenIdentity {
    guard identity.name == nil || identity.email == nil, let access = identity.access else { return identity }
    do {
      // NB: where identities have all there is, as Apple's have, there is no such endpoint.
      guard let address = try await documents.discovery().userInfo else { return identity }
      let answer = try await client.get(address.text, headers: [("authorization", "Bearer \(access)")])
      guard answer.status == 200 else {
        throw ProviderClient.Failed(description: "the userinfo endpoint answers \(answer.status)")
      }
      guard let info = try? JSONDecoder().decode(UserInfo.self, from: answer.body) else {
        throw ProviderClient.Failed(description: "the userinfo endpoint's answer cannot be read")
      }
      // Core, 5.3.2: or a token that was swapped would lend somebody another's name and address.
      guard info.sub == identity.subject else {
        throw ProviderClient.Failed(description: "the userinfo endpoint answers of somebody else")
      }
      return identity.with(info.profile)
    } catch {
      logger.warning(
        "a provider does not say who somebody is", metadata: ["provider": "\(id)", "reason": "\(error)"])
      return identity
    }
  }

  public func giveBack(_ grant: ProvenIdentity.Grant) async throws {
    let discovery = try await documents.discovery()
    guard let revocation = discovery.revocation else { return }
    let (fields, headers) = try await credentials(of: grant.client, discovery)
    let answer = try await client.post(
      [("token", grant.token), ("token_type_hint", "refresh_token")] + fields, to: revocation.text,
      headers: headers)
    guard (200..<300).contains(answer.status) else {
      throw AppError(.providerUnreachable, "\(id) does not take a token back (\(answer.status)).")
    }
  }

  /// Says what is wrong with it, in words for an operator.
  public func check() async throws -> String {
    let discovery = try await documents.discovery()
    let count = try await documents.keys().all.count
    _ = try await credentials(of: settings.client, discovery)
    return "\(settings.issuer), \(count) \(count == 1 ? "key" : "keys")"
  }

  // MARK: Parts

  private struct Tokens: Decodable {
    var id_token: String?
    var access_token: String?
    var refresh_token: String?
  }

  private func exchange(
    _ code: String, as client: String, _ discovery: Discovery, _ more: [(String, String)]
  ) async throws -> Tokens {
    let (fields, headers) = try await credentials(of: client, discovery)
    let answer = try await reaching {
      try await self.client.post(
        [("grant_type", "authorization_code"), ("code", code)] + more + fields, to: discovery.token.text,
        headers: headers)
    }
    guard answer.status == 200 else {
      struct Refused: Decodable { var error: String? }
      let word = (try? JSONDecoder().decode(Refused.self, from: answer.body))?.error ?? "no word"
      if answer.status >= 500 || answer.status == 429 {
        throw unreachable("the token endpoint answers \(answer.status)")
      }
      // The code was used, or waited too long: nothing that an operator could mend.
      if word == "invalid_grant" { throw AppError(.signInOver) }
      throw distrusted("the token endpoint answers \(answer.status) \(word.prefix(40).debugDescription)")
    }
    guard let tokens = try? JSONDecoder().decode(Tokens.self, from: answer.body) else {
      throw distrusted("the token endpoint's answer cannot be read")
    }
    return tokens
  }

  private func credentials(
    of client: String, _ discovery: Discovery
  ) async throws -> (fields: [(String, String)], headers: [(String, String)]) {
    let named = [("client_id", client)]
    if let appleSecret {
      return (named + [("client_secret", try await appleSecret.make(for: client, at: time.nowMs))], [])
    }
    guard case .text(let secret) = settings.secret else { return (named, []) }
    guard discovery.takesSecretInHeader else { return (named + [("client_secret", secret)], []) }
    // RFC 6749, 2.3.1: encoded twice.
    let pair = "\(FormText.encoded(client)):\(FormText.encoded(secret))"
    return ([], [("authorization", "Basic \(Data(pair.utf8).base64EncodedString())")])
  }

  private func identity(
    in tokens: Tokens, nonces: [String], client: String
  ) async throws -> ProvenIdentity {
    guard let token = tokens.id_token else { throw distrusted("there is no identity token") }
    var (identity, audience) = try await read(token, nonces: nonces)
    guard audience == client else { throw distrusted("the identity token is for another client") }
    // Apple alone demands that consent is given back with the account.
    if kind == .apple, let refresh = tokens.refresh_token, refresh.utf8.count <= Limits.signInCodeBytes {
      identity.grant = .init(client: client, token: refresh)
    }
    // Only what a header can hold (RFC 6750, 2.1).
    identity.access = tokens.access_token.flatMap { token in
      (1...Limits.signInCodeBytes).contains(token.utf8.count)
        && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        ? token : nil
    }
    return identity
  }

  /// The identity, and for which of our clients it is.
  private func read(_ text: String, nonces: [String]) async throws -> (ProvenIdentity, String) {
    do {
      guard text.utf8.count <= Limits.identityTokenBytes else {
        throw IdentityToken.Distrusted(description: "it is too long")
      }
      let header = try IdentityToken.header(of: text)
      guard let key = try await reaching({ try await documents.key(header) }) else {
        throw IdentityToken.Distrusted(description: "its key is none of the issuer's")
      }
      let keys = try await IssuerKeys.collection(key, header.alg, kid: header.kid)
      let token = try await keys.verify(text, as: IdentityToken.self)
      try token.check(
        issuer: settings.issuer, clients: [settings.client] + settings.apps, nonces: nonces,
        nowMs: time.nowMs)
      return (
        ProvenIdentity(
          issuer: token.iss, subject: token.sub, name: token.profile.name,
          nickname: token.profile.preferredUsername,
          email: token.profile.email, isEmailVerified: token.profile.isEmailVerified,
          signedInMs: token.authTime.flatMap {
            $0.isFinite && abs($0) < 1e12 ? Int64(clamping: ($0 * 1000).rounded(.towardZero)) : nil
          }),
        token.aud[0]
      )
    } catch let error as AppError {
      throw error
    } catch let error as IdentityToken.Distrusted {
      throw distrusted("the identity token is not believed, since \(error)")
    } catch {
      // NB: without what exactly was wrong with it, which may repeat parts of the token.
      throw distrusted("the identity token's signature or form is wrong")
    }
  }

  private func reaching<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as AppError {
      throw error
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw unreachable("\(error)")
    }
  }

  private func unreachable(_ reason: String) -> AppError {
    logger.warning("a provider cannot be reached", metadata: ["provider": "\(id)", "reason": "\(reason)"])
    return AppError(
      .providerUnreachable, "\(name) does not answer; try again in a moment, or sign in another way.")
  }

  private func distrusted(_ reason: String) -> AppError {
    logger.warning("a provider was not believed", metadata: ["provider": "\(id)", "reason": "\(reason)"])
    return AppError(
      .identityRefused,
      "What \(name) answered cannot be trusted, so nobody was signed in; begin again, and tell the operator if it "
        + "happens twice.")
  }
}

extension ProvenIdentity {
  /// What it does not say itself. Whether an address was verified is said of that address.
  fileprivate func with(_ told: ProfileClaims) -> Self {
    var identity = self
    identity.name = name ?? told.name
    identity.nickname = nickname ?? told.preferredUsername
    if email == nil { (identity.email, identity.isEmailVerified) = (told.email, told.isEmailVerified) }
    return identity
  }
}
