public import CoreTypes

/// The clips of a simulated feed: as many as are asked for, each the same for the same seed.
///
/// Lengths, renditions and segments are those that our own pipeline makes (docs/design): a first segment
/// of 1 s, then 2 s each, the last one shorter; four renditions cut at the same instants.
public struct ClipLibrary: Sendable {
  /// A step of the ladder: what it costs on average. The score credits `kilobits` whatever a clip's own
  /// rate is, as the challenge does with its three levels.
  public struct Level: Sendable {
    public let shortEdge: Int32
    public let kilobits: Int64
  }

  /// Averages of clips that our pipeline made; its limits are 600, 1500, 3000 and 6000 kbit/s.
  public static let ladder = [
    Level(shortEdge: 360, kilobits: 450), Level(shortEdge: 540, kilobits: 1_000),
    Level(shortEdge: 720, kilobits: 2_100), Level(shortEdge: 1_080, kilobits: 4_200),
  ]

  /// What the score credits for a rendition.
  static func kilobits(ofEdge shortEdge: Int32) -> Int64 {
    ladder.last { $0.shortEdge <= shortEdge }?.kilobits ?? ladder[0].kilobits
  }

  /// `ftyp` and `moov` of a clip with picture and sound.
  static let initializationSize: Int64 = 1_300
  /// Shortest and longest clip, s.
  static let lengths = 5.0...60.0

  let seed: UInt64

  public init(seed: UInt64) { self.seed = seed }

  public func clip(_ index: Int) -> PlaybackDescriptor {
    var chance = SeededGenerator(seed: seed, stream: UInt64(index))
    // As in KuaiRand-Pure (Gao et al., CIKM 2022), where of clips of 5 to 60 s a quarter is shorter than
    // 14 s, half than 23 s, three quarters than 37 s.
    let length = chance.logNormal(median: 22, spread: 0.65)
    let duration = Int64(min(max(length, Self.lengths.lowerBound), Self.lengths.upperBound) * 1_000)
    let lengths = Self.segmentLengths(of: duration)
    // How hard a clip is to encode, and which of its segments are harder than others: the same in all
    // renditions.
    let difficulty = min(chance.logNormal(median: 1, spread: 0.25), 1.4)
    let shape = lengths.map { _ in min(max(chance.logNormal(median: 1, spread: 0.22), 0.5), 1.8) }
    let renditions = Self.ladder.map { level in
      Self.rendition(level, rate: Double(level.kilobits) * difficulty, lengths, shape)
    }
    guard let clip = PlaybackDescriptor(duration: Milliseconds(duration), renditions: renditions) else {
      preconditionFailure("clip \(index) of library \(seed) is no clip")
    }
    return clip
  }

  /// How long people stay with a clip. Some please more than others.
  public func retention(_ index: Int) -> Retention { retention(index, haste: 1) }

  func retention(_ index: Int, haste: Double) -> Retention {
    var chance = SeededGenerator(seed: seed, stream: 0x6170_7065_616C_0000 + UInt64(index))
    let appeal = chance.logNormal(median: 1, spread: 0.5)
    return Retention(duration: clip(index).duration, appeal: appeal, haste: haste)
  }

  static func segmentLengths(of duration: Int64) -> [Int64] {
    var lengths: [Int64] = []
    var left = duration
    while left > 0 {
      let length = min(lengths.isEmpty ? 1_000 : 2_000, left)
      lengths.append(length)
      left -= length
    }
    return lengths
  }

  private static func rendition(_ level: Level, rate: Double, _ lengths: [Int64], _ shape: [Double])
    -> Rendition
  {
    var offset = initializationSize
    var peak: Int64 = 0
    var segments: [Segment] = []
    for (length, factor) in zip(lengths, shape) {
      // kbit/s times ms are bits.
      let size = max(400, Int64(rate * factor * Double(length) / 8))
      peak = max(peak, size * 8_000 / length)
      let range = ByteRange(offset: Bytes(offset), size: Bytes(size))
      guard let segment = Segment(range: range, duration: Milliseconds(length)) else {
        preconditionFailure("a segment of \(size) bytes at \(offset) is none")
      }
      segments.append(segment)
      offset += size
    }
    let average = (offset - initializationSize) * 8_000 / lengths.reduce(0, +)
    return Rendition(
      shortEdge: level.shortEdge, peak: BitsPerSecond(peak), average: BitsPerSecond(average),
      initialization: ByteRange(offset: .zero, size: Bytes(initializationSize)), segments: segments)
  }
}
