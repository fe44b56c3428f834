internal import Platform

/// What a sound is recognised by: chromaprint's subfingerprints, about one for each eighth of a second, each
/// of 2.6 s of sound. Two that differ in few bits are of what people hear as the same, however loud it is and
/// whatever encoded it.
public struct SoundPrint: Sendable, Equatable {
  /// A minute has some 465.
  public static let most = 512
  /// Sound below this length never has enough of them.
  static let shortestMs = 4_400
  /// Those of five seconds, less a few.
  static let fewest = 16

  public let subfingerprints: [UInt32]

  /// Those beyond `most` are left out.
  public init(_ subfingerprints: [UInt32]) {
    self.subfingerprints = Array(subfingerprints.prefix(Self.most))
  }

  /// Little-endian, as ffmpeg writes them. What is left of the last one is left out.
  public init(littleEndian bytes: [UInt8]) {
    let count = min(bytes.count / 4, Self.most)
    self.init(
      (0..<count).map { place in
        var value: UInt32 = 0
        for byte in bytes[4 * place..<4 * place + 4].reversed() { value = value << 8 | UInt32(byte) }
        return value
      })
  }

  /// Nil for what is no stored print.
  init?(stored text: String) {
    guard let bytes = Base64URL.bytes(text), bytes.count.isMultiple(of: 4), bytes.count <= 4 * Self.most
    else { return nil }
    self.init(littleEndian: bytes)
  }

  var stored: String {
    Base64URL.text(
      subfingerprints.flatMap { value in
        (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
      })
  }

  /// Whether there is something to recognise: silence and a single tone stay as they are from end to end (0
  /// bits, 2 % of them distinct), while a short loop of a synthesizer has 42 % distinct ones.
  public var isDistinct: Bool {
    let count = subfingerprints.count
    guard count >= Self.fewest, 10 * Set(subfingerprints).count >= count else { return false }
    let changes = zip(subfingerprints, subfingerprints.dropFirst()).reduce(0) {
      $0 + ($1.0 ^ $1.1).nonzeroBitCount
    }
    return changes >= count - 1
  }

  /// By what the print is found: each subfingerprint where it comes first.
  ///
  /// NB: without those in which something stands still, wherever they come. Silence in thousands of sounds
  /// has the same one, and would lead from each of them to all others.
  var landmarks: [(value: UInt32, place: Int)] {
    let all = subfingerprints
    var known: Set<UInt32> = []
    for place in all.indices.dropFirst().dropLast()
    where all[place - 1] == all[place] && all[place] == all[place + 1] {
      known.insert(all[place])
    }
    return all.enumerated().compactMap { place, value in
      known.insert(value).inserted ? (value: value, place: place) : nil
    }
  }

  /// It, and all that differ from it in one bit.
  static func near(_ value: UInt32) -> [UInt32] { [value] + (0..<32).map { value ^ (1 << UInt32($0)) } }
}
