internal import Crypto
internal import Foundation
internal import Synchronization

/// A checksum that came with the bytes of one request, worked out while they pass.
public final class PieceChecksum: Sendable {
  /// As tus names them. SHA-1 guards against damage on the way, not against malice.
  public static let algorithms = ["sha1", "sha256"]

  private enum Running: Sendable {
    case sha1(Insecure.SHA1)
    case sha256(SHA256)
  }

  private let expected: [UInt8]
  private let running: Mutex<Running>

  /// Nil for an algorithm that is not known, or a digest of the wrong length.
  public init?(algorithm: String, base64: String) {
    guard let digest = Data(base64Encoded: base64) else { return nil }
    switch (algorithm, digest.count) {
    case ("sha1", Insecure.SHA1.byteCount): running = Mutex(.sha1(Insecure.SHA1()))
    case ("sha256", SHA256.byteCount): running = Mutex(.sha256(SHA256()))
    default: return nil
    }
    expected = [UInt8](digest)
  }

  public func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  private func update(_ bytes: UnsafeRawBufferPointer) {
    running.withLock { running in
      switch running {
      case .sha1(var hasher):
        hasher.update(bufferPointer: bytes)
        running = .sha1(hasher)
      case .sha256(var hasher):
        hasher.update(bufferPointer: bytes)
        running = .sha256(hasher)
      }
    }
  }

  /// Whether the bytes so far are the right ones.
  public func matches() -> Bool {
    running.withLock { running in
      switch running {
      case .sha1(let hasher): Array(hasher.finalize()) == expected
      case .sha256(let hasher): Array(hasher.finalize()) == expected
      }
    }
  }
}
