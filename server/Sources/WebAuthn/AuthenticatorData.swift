internal import Contract
internal import Platform

/// What an authenticator says of itself and of its key (WebAuthn, 6.1).
struct AuthenticatorData: Equatable {
  struct Credential: Equatable {
    let id: [UInt8]
    /// As it is written (COSE).
    let key: [UInt8]
  }

  private static let hashBytes = 32
  private static let modelBytes = 16
  /// WebAuthn, 5.1: longer ones are refused.
  private static let credentialBytes = 1...1023

  let siteHash: [UInt8]
  /// Somebody touched it.
  let isPresent: Bool
  /// It knows who: by a finger, a face or a PIN.
  let isVerified: Bool
  let signCount: UInt32
  /// With a new key alone.
  let credential: Credential?

  /// Throws `passkey_refused`.
  init(_ bytes: [UInt8]) throws {
    let head = Self.hashBytes + 5
    guard bytes.count >= head else { throw AppError(.passkeyRefused) }
    let flags = bytes[Self.hashBytes]
    let has = { (bit: UInt8) in flags & bit != 0 }
    siteHash = Array(bytes[..<Self.hashBytes])
    (isPresent, isVerified) = (has(0x01), has(0x04))
    signCount = bytes[(Self.hashBytes + 1)..<head].reduce(0) { $0 << 8 | UInt32($1) }
    // What is kept in a backup can be kept there.
    guard has(0x08) || !has(0x10) else { throw AppError(.passkeyRefused) }
    var rest = bytes[head...]
    if has(0x40) {
      let length = rest.dropFirst(Self.modelBytes).prefix(2).reduce(0) { $0 << 8 | Int($1) }
      let id = rest.dropFirst(Self.modelBytes + 2).prefix(length)
      guard rest.count >= Self.modelBytes + 2, id.count == length, Self.credentialBytes.contains(length)
      else {
        throw AppError(.passkeyRefused)
      }
      rest = rest[id.endIndex...]
      let key = rest
      rest = try Self.behindMap(rest)
      credential = Credential(id: Array(id), key: Array(key[..<rest.startIndex]))
    } else {
      credential = nil
    }
    if has(0x80) { rest = try Self.behindMap(rest) }
    guard rest.isEmpty else { throw AppError(.passkeyRefused) }
  }

  private static func behindMap(_ bytes: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
    var reader = CBORReader(bytes)
    guard case .map = try reader.value() else { throw AppError(.passkeyRefused) }
    return reader.rest
  }
}
