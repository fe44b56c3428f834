public import CoreTypes

public enum FileOwner {}
/// A file that the host can read, named by the host: the one that was chosen, or one made from it.
public typealias FileID = Handle<FileOwner>

/// What a file is, as far as it can be known without decoding it.
public struct SourceFile: Equatable, Sendable {
  /// The containers that the server takes.
  public enum Kind: Int32, Sendable {
    case unknown = 0
    /// MP4 and QuickTime.
    case mp4 = 1
    /// WebM and Matroska.
    case webm = 2
    case mpegTS = 3
    case threeGP = 4
  }

  /// What `duration` is when nothing here can tell: the server will.
  public static let unknownDuration = Milliseconds(-1)

  public let file: FileID
  public let size: Bytes
  public let duration: Milliseconds
  public let kind: Kind

  public init(file: FileID, size: Bytes, duration: Milliseconds, kind: Kind) {
    self.file = file
    self.size = size
    self.duration = duration
    self.kind = kind
  }
}

/// SHA-256 of a file: its 32 bytes as four words, the first byte the highest of the first word.
public struct FileHash: Equatable, Sendable {
  public let first: Int64
  public let second: Int64
  public let third: Int64
  public let fourth: Int64

  public init(_ first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }
}

/// Names an upload before the server has heard of it: creating with the same key again is the same
/// upload, so that a lost answer costs a repetition and never a second clip.
public struct UploadKey: Equatable, Sendable {
  public let high: Int64
  public let low: Int64

  public init(high: Int64, low: Int64) {
    self.high = high
    self.low = low
  }

  /// The key of the nth upload that is begun from a seed. One SplitMix64 step per word maps different
  /// words to different words, so that keys are as hard to guess as the seed.
  init(seed: UploadKey, epoch: Int32) {
    var high = SeededGenerator(seed: UInt64(bitPattern: seed.high) &+ UInt64(UInt32(bitPattern: epoch)))
    var low = SeededGenerator(seed: UInt64(bitPattern: seed.low) ^ UInt64(UInt32(bitPattern: epoch)))
    self.init(high: Int64(bitPattern: high.next()), low: Int64(bitPattern: low.next()))
  }
}
