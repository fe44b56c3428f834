internal import Crypto
public import Foundation

/// SHA-256 of content, the name under which blobs and sources are known, as 64 lower-case hex digits.
public enum ContentHash {
  public static func of(_ bytes: some DataProtocol) -> String {
    hex(SHA256.hash(data: bytes))
  }

  /// Reads in pieces of 1 MiB, so that memory does not grow with the file.
  public static func ofFile(at url: URL) throws -> String {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    var hash = RunningHash()
    while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hash.add(piece) }
    return hash.value
  }

  /// Two lower-case digits a byte.
  public static func hex(_ digest: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

/// Keyed tags (HMAC-SHA-256, cut to some bytes) for tokens that clients hand back.
public struct TokenTag: Sendable {
  /// Has the secret in it already, which is half of the work.
  private let keyed: HMAC<SHA256>
  private let bytes: Int

  /// 8 bytes are enough for what opens nothing.
  public init(secret: String, bytes: Int = 8) {
    keyed = HMAC(key: SymmetricKey(data: Array(secret.utf8)))
    self.bytes = bytes
  }

  public func of(_ bytes: [UInt8]) -> [UInt8] {
    var code = keyed
    code.update(data: bytes)
    return Array(code.finalize().prefix(self.bytes))
  }

  /// Whether that is the tag of these bytes. How long it takes tells nobody how much of a guess was right.
  public func isTag(_ tag: some Collection<UInt8>, of bytes: [UInt8]) -> Bool {
    let right = of(bytes)
    return tag.count == right.count && zip(tag, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// 128 bits of randomness as text.
  public static func makeSecret() -> String {
    (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }.joined()
  }
}

/// The hash of bytes that come in pieces.
public struct RunningHash {
  private var hasher = SHA256()

  public init() {}
  public mutating func add(_ bytes: some DataProtocol) { hasher.update(data: bytes) }
  /// Of all that was added so far.
  public var value: String { ContentHash.hex(hasher.finalize()) }
}
