public import CoreTypes

/// Reads a row of `Int64` words from front to back; past the end there is nothing. What does not fit
/// its type is `nil`, so that an event with an impossible field is malformed, not guessed at.
public struct WordReader {
  private let words: UnsafeBufferPointer<Int64>
  private var index = 0

  public init(_ words: UnsafeBufferPointer<Int64>) { self.words = words }

  public var isAtEnd: Bool { index >= words.count }

  /// Whether so many words are left.
  public func holds(_ count: Int) -> Bool { words.count - index >= count }

  public mutating func word() -> Int64? {
    guard index < words.count else { return nil }
    defer { index += 1 }
    return words[index]
  }

  public mutating func small() -> Int32? { word().flatMap { Int32(exactly: $0) } }

  public mutating func flag() -> Bool? {
    switch word() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  public mutating func milliseconds() -> Milliseconds? { word().map { Milliseconds($0) } }
  public mutating func bytes() -> Bytes? { word().map { Bytes($0) } }
  public mutating func rate() -> BitsPerSecond? { word().map { BitsPerSecond($0) } }
  public mutating func item() -> ItemID? { small().map { ItemID($0) } }
  public mutating func player() -> PlayerID? { small().map { PlayerID($0) } }
  public mutating func request() -> RequestID? { small().map { RequestID($0) } }

  public mutating func byteRange() -> ByteRange? {
    guard let offset = bytes(), let size = bytes() else { return nil }
    return ByteRange(offset: offset, size: size)
  }
}
