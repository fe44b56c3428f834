internal import Foundation
internal import JWTKit
internal import Platform

/// Says to Apple who sends: a token that we sign with the operator's key.
///
/// Apple refuses one that is older than an hour, and who makes new ones more often than every 20 minutes
/// (developer.apple.com, "Establishing a token-based connection to APNs"). So one is used for 40 minutes. One
/// that was refused all the same is replaced, once in 20 minutes: a clock that is wrong refuses all of them.
actor ProviderToken {
  struct Payload: JWTPayload {
    var iss: String
    var iat: Int64

    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  static let lifeMs: Int64 = 40 * 60_000
  static let patienceMs: Int64 = 20 * 60_000

  private let team: String
  private let kid: JWKIdentifier
  private let keys = JWTKeyCollection()
  private let key: ES256PrivateKey
  private let time: any TimeSource
  private var known: (text: String, madeMs: Int64)?
  private var renewedMs: Int64?
  private var hasKey = false
  /// NB: whoever asks meanwhile gets this one. Others of the same minutes are what Apple refuses.
  private var making: Task<String, any Error>?

  /// Throws if that is no key of P-256.
  init(team: String, keyID: String, pem: String, time: any TimeSource) throws {
    self.team = team
    self.time = time
    kid = JWKIdentifier(string: keyID)
    key = try ES256PrivateKey(pem: pem)
  }

  func current() async throws -> String {
    let now = time.nowMs
    // A clock that was set back made one of the future.
    if let known, (0..<Self.lifeMs).contains(now - known.madeMs) { return known.text }
    return try await make()
  }

  /// Instead of one that was refused; nil: a new one was made a short while ago, and would be refused too.
  func renewed(insteadOf refused: String) async throws -> String? {
    // Another request has been told the same.
    if let known, known.text != refused { return known.text }
    if let making { return try await making.value }
    let now = time.nowMs
    if let renewedMs, (0..<Self.patienceMs).contains(now - renewedMs) { return nil }
    renewedMs = now
    return try await make()
  }

  private func make() async throws -> String {
    if let making { return try await making.value }
    let now = time.nowMs
    let making = Task { try await sign(at: now) }
    self.making = making
    defer { self.making = nil }
    let text = try await making.value
    known = (text, now)
    return text
  }

  private func sign(at nowMs: Int64) async throws -> String {
    if !hasKey {
      hasKey = true
      await keys.add(ecdsa: key, kid: kid)
    }
    return try await keys.sign(Payload(iss: team, iat: nowMs / 1000), kid: kid)
  }
}
