internal import Crypto
internal import Foundation

/// What makes an address of a clip's media that is not for everybody: `/sealed/{clip}/{seal}/{name}`. It says
/// until when it holds and proves, by a tag that only this instance can make, that it was handed out, and on
/// whose behalf.
///
/// The name of the file is not under the tag, so that the relative names in a playlist are addresses under
/// the same seal; which files belong to the clip is for the clip to say.
public enum MediaSeal {
  /// Who was given the address.
  public enum Reader: String, Sendable, CaseIterable {
    /// Whoever knows the clip's upload.
    case owner
    /// Whoever knows the clip's own address, as long as that is enough.
    case holder
  }

  /// Seals end at multiples of this. One that is made now lasts until the end of the next span: an hour at
  /// least, since a page that was left open must go on after a pause, two at most, since nobody can take an
  /// address back; and for an hour it is the same text, so that a browser knows again what it has.
  public static let spanSeconds: Int64 = 3600

  public static func expiry(atMs nowMs: Int64) -> Int64 {
    (nowMs / 1000 / spanSeconds + 2) * spanSeconds
  }

  public static func make(clip: String, reader: Reader, expires: Int64, key: String) -> String {
    let tag = HMAC<SHA256>.authenticationCode(for: words(clip, reader, expires), using: symmetric(key))
    return "\(expires)-\(ContentHash.hex(tag))"
  }

  /// For whom and until when (seconds since 1970); nil if none of these keys made it for this clip. The
  /// comparison takes as long whatever differs.
  public static func read(_ seal: String, clip: String, keys: [String]) -> (reader: Reader, expires: Int64)? {
    let parts = seal.split(atByte: UInt8(ascii: "-"), omittingEmpty: false)
    guard parts.count == 2, let expires = SafeInteger.read(parts[0]).map(Int64.init),
      String(expires) == parts[0],
      let tag = bytes(ofHex: parts[1])
    else { return nil }
    for reader in Reader.allCases {
      for key in keys
      where HMAC<SHA256>.isValidAuthenticationCode(
        tag, authenticating: words(clip, reader, expires), using: symmetric(key))
      {
        return (reader, expires)
      }
    }
    return nil
  }

  /// NB: the clip comes last, since it is text from an address: nothing that it may hold can pass for another
  /// field.
  private static func words(_ clip: String, _ reader: Reader, _ expires: Int64) -> Data {
    Data("media/1\n\(reader.rawValue)\n\(expires)\n\(clip)".utf8)
  }

  private static func symmetric(_ key: String) -> SymmetricKey { SymmetricKey(data: Array(key.utf8)) }

  private static func bytes(ofHex text: Substring) -> [UInt8]? {
    let digits = text.utf8.map { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    guard digits.count == 2 * SHA256.byteCount, !digits.contains(nil) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
  }
}
