/// What a file says of how far its picture comes from a trained model: one of those of IPTC's digital source
/// types that mean AI. A larger one says more.
public enum Mark: Int32, Sendable, Equatable, CaseIterable {
  /// A part of it: `compositeWithTrainedAlgorithmicMedia`.
  case composite = 1
  /// All of it: `trainedAlgorithmicMedia`.
  case trained = 2

  /// IPTC's own word for it.
  public var name: String {
    switch self {
    case .composite: "compositeWithTrainedAlgorithmicMedia"
    case .trained: "trainedAlgorithmicMedia"
    }
  }

  /// The one of two that says more; nil: neither says anything.
  public static func stronger(_ one: Mark?, _ other: Mark?) -> Mark? {
    (one?.rawValue ?? 0) >= (other?.rawValue ?? 0) ? one : other
  }
}

extension Mark {
  /// In XMP with a large D, in C2PA with a small one.
  private static let property = Pattern("igitalSourceType")
  /// https://cv.iptc.org/newscodes/digitalsourcetype/, without the scheme.
  private static let vocabulary = Pattern("cv.iptc.org/newscodes/digitalsourcetype/")
  /// From the property's name to its value there are a few signs, in XML and in CBOR.
  private static let nearBytes = 128
  /// No name of the vocabulary is so long.
  private static let mostNameBytes = 64

  /// The first that is the value of such a property, in a packet of XMP or in a manifest; nil: none.
  public init?(named bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let behind = Self.property.end(in: rest) {
      rest = rest[behind...]
      guard let start = Self.vocabulary.end(in: rest.prefix(Self.nearBytes)) else { continue }
      let name = rest[start...].prefix(Self.mostNameBytes).prefix(while: Self.isLetter)
      guard let found = Self(name: name) else { continue }
      self = found
      return
    }
    return nil
  }

  /// The same of a value whose property's name stands elsewhere.
  init?(value: ArraySlice<UInt8>) {
    let near = value.prefix(Self.nearBytes)
    if let start = Self.vocabulary.end(in: near),
      let found = Self(name: value[start...].prefix(Self.mostNameBytes).prefix(while: Self.isLetter))
    {
      self = found
    } else {
      self.init(named: value)
    }
  }

  private init?(name: ArraySlice<UInt8>) {
    if Pattern("trainedAlgorithmicMedia").isWhole(of: name) {
      self = .trained
    } else if Pattern("compositeWithTrainedAlgorithmicMedia").isWhole(of: name) {
      self = .composite
    } else {
      return nil
    }
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// Bytes that are looked for.
struct Pattern: Sendable {
  let bytes: [UInt8]

  init(_ text: StaticString) {
    bytes = text.withUTF8Buffer { [UInt8]($0) }
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Behind the first place where they stand; nil: nowhere.
  func end(in text: ArraySlice<UInt8>) -> Int? {
    guard text.count >= bytes.count else { return nil }
    // Neither underflows nor overflows: both are places of an array.
    for start in text.startIndex...(text.endIndex - bytes.count) where text[start] == bytes[0] {
      if text[start...].starts(with: bytes) { return start + bytes.count }
    }
    return nil
  }

  func isWhole(of text: ArraySlice<UInt8>) -> Bool { text.elementsEqual(bytes) }
  func isEnd(of text: ArraySlice<UInt8>) -> Bool { text.suffix(bytes.count).elementsEqual(bytes) }
}
