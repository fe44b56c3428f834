/// The tags of a clip, as hashes: eight at most.
///
/// They lie in the clip itself. An array would be elsewhere in memory, and a page looks at hundreds of clips
/// of which none is in a cache; and a million arrays would have to be retained one by one where a state is
/// taken (`Ranker.state`).
public struct ClipTags: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  public static let limit = 8

  private var hashes: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
    (0, 0, 0, 0, 0, 0, 0, 0)
  private var length: UInt8 = 0

  /// The first eight; the others are left out.
  public init(_ hashes: some Sequence<UInt64>) {
    withUnsafeMutableBytes(of: &self.hashes) { bytes in
      for hash in hashes.prefix(Self.limit) {
        bytes.storeBytes(of: hash, toByteOffset: Int(length) * MemoryLayout<UInt64>.stride, as: UInt64.self)
        length += 1
      }
    }
  }

  public init(arrayLiteral elements: UInt64...) { self.init(elements) }

  public var startIndex: Int { 0 }
  public var endIndex: Int { Int(length) }

  public subscript(place: Int) -> UInt64 {
    precondition(indices.contains(place))
    return withUnsafeBytes(of: hashes) {
      $0.load(fromByteOffset: place * MemoryLayout<UInt64>.stride, as: UInt64.self)
    }
  }
}

extension ClipTags: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
