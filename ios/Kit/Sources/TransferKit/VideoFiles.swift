internal import AVFoundation
internal import CoreMedia
internal import CoreTypes
internal import CryptoKit
public import Foundation
public import Transfer

extension FileTools {
  /// As this system gives them.
  public static let system = FileTools(
    hash: { SystemHash() },
    duration: { url in
      guard let time = try? await AVURLAsset(url: url, options: nil).load(.duration) else { return nil }
      return time.milliseconds
    })
}

/// What a file has in it, beyond what its first bytes say.
public enum VideoFiles {
  /// More than what videos are encoded with here can hold: encoded again, its light would be lost.
  public static func isHighRange(_ file: URL) async -> Bool {
    let tracks = try? await AVURLAsset(url: file, options: nil)
      .loadTracks(withMediaCharacteristic: .containsHDRVideo)
    return tracks?.isEmpty == false
  }
}

/// SHA-256 by the system.
private struct SystemHash: ContentHash {
  private var hash = SHA256()

  mutating func update(_ bytes: Data) { hash.update(data: bytes) }
  mutating func finish() -> [UInt8] { Array(hash.finalize()) }
}

extension CMTime {
  /// `nil` for what is no length.
  var milliseconds: Milliseconds? {
    guard isNumeric, seconds >= 0, seconds < 86_400 else { return nil }
    return Milliseconds(Int64(seconds * 1_000))
  }

  init(_ time: Milliseconds) { self.init(value: time.rawValue, timescale: 1_000) }
}
