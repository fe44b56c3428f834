internal import Crypto
internal import Foundation

/// What is written to a browser, so that its push service cannot read it: RFC 8291, with the `aes128gcm` of
/// RFC 8188 in one record.
enum MessageEncryption {
  struct Refused: Error {}

  /// Of the header in front: salt, size of a record, length of the key, the key.
  static let headerBytes = 16 + 4 + 1 + 65
  private static let recordBytes: UInt32 = 4096

  /// A key of P-256 as a browser says it: a point that is on the curve.
  static func point(_ bytes: [UInt8]) -> P256.KeyAgreement.PublicKey? {
    guard bytes.count == 65, bytes[0] == 4 else { return nil }
    return try? P256.KeyAgreement.PublicKey(x963Representation: bytes)
  }

  /// `salt` and `sender` are made anew for each message, or who knows one message knows more of the next.
  static func encrypt(
    _ text: [UInt8], to receiver: P256.KeyAgreement.PublicKey, secret: [UInt8],
    salt: [UInt8] = MessageEncryption.makeSalt(),
    sender: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey()
  ) throws -> [UInt8] {
    // One record is all that push services have to take.
    guard text.count + headerBytes + 1 + 16 <= Int(recordBytes) else { throw Refused() }
    let shared = try sender.sharedSecretFromKeyAgreement(with: receiver)
    let ownKey = Array(sender.publicKey.x963Representation)
    let info = Array("WebPush: info\0".utf8) + Array(receiver.x963Representation) + ownKey
    let input = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: secret, sharedInfo: info, outputByteCount: 32)
    func derived(_ purpose: String, _ count: Int) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(
        inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: \(purpose)\0".utf8),
        outputByteCount: count)
    }
    let nonce = try derived("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: Array($0)) }
    // 2: the last record.
    let sealed = try AES.GCM.seal(text + [2], using: derived("aes128gcm", 16), nonce: nonce)
    let size = withUnsafeBytes(of: recordBytes.bigEndian, Array.init)
    return salt + size + [65] + ownKey + Array(sealed.ciphertext) + Array(sealed.tag)
  }

  static func makeSalt() -> [UInt8] {
    SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
  }
}
