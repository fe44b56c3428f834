import Marks
import Testing

/// Bytes of video files that say things, and a host that reads them.
enum MarkedFile {
  static let trained = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
  static let composite = "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"
  static let camera = "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture"
  static let start = box("ftyp", Array("isomiso2".utf8))

  static func packet(_ uri: String = trained) -> [UInt8] {
    Array("<x:xmpmeta><Iptc4xmpExt:DigitalSourceType>\(uri)</Iptc4xmpExt:DigitalSourceType>".utf8)
  }

  /// Hands in what is wanted, and looks at each wish.
  static func read(_ bytes: [UInt8], size: Int? = nil) -> MarkReader {
    let size = Int64(size ?? bytes.count)
    var all: Int64 = 0
    var wishes = 0
    let reader = MarkReader(size: size) { range in
      #expect(range.lowerBound >= 0 && range.upperBound <= size && !range.isEmpty)
      all += range.upperBound - range.lowerBound
      wishes += 1
      let there = Int64(bytes.count)
      return Array(bytes[Int(min(range.lowerBound, there))..<Int(min(range.upperBound, there))])
    }
    // Sixteen bytes of a head each, and the contents.
    #expect(wishes <= 200_001 && all <= Int64(MarkReader.mostBytes + 16 * wishes))
    return reader
  }

  // MARK: Boxes

  static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap(\.self)
    return number(content.count + 8, bytes: 4) + Array(type.utf8) + content
  }

  static func movie(_ parts: [UInt8]...) -> [UInt8] { start + box("moov", parts.flatMap(\.self)) }

  static func xmpBox(_ packet: [UInt8]) -> [UInt8] {
    let id: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    return box("uuid", id, packet)
  }

  /// Items by their keys. `head`: version and flags, where there are some.
  static func metadata(_ items: [(String, [UInt8])], head: [UInt8] = [], keysFirst: Bool = true) -> [UInt8] {
    let zero = number(0, bytes: 4)
    let names = items.flatMap { box("mdta", Array($0.0.utf8)) }
    let keys = box("keys", zero, number(items.count, bytes: 4), names)
    let list: [UInt8] = items.enumerated().flatMap { place, item in
      let data = box("data", number(1, bytes: 4), zero, item.1)
      return number(data.count + 8, bytes: 4) + number(place + 1, bytes: 4) + data
    }
    let lists = keysFirst ? keys + box("ilst", list) : box("ilst", list) + keys
    return box("meta", head, box("hdlr", zero), lists)
  }

  /// A store with a manifest for each of these; nil: one that names no source type.
  static func store(_ sourceTypes: [String?], padding: Int = 0) -> [UInt8] {
    let manifests = sourceTypes.flatMap { type in
      box("jumb", Array((type.map { "digitalSourceType\u{78}\($0)\u{60}" } ?? "c2pa.created").utf8))
    }
    return box(
      "jumb", box("jumd", [1, 2, 3]), manifests,
      padding > 0 ? box("free", [UInt8](repeating: 0, count: padding - 8)) : [])
  }

  static func manifestBox(_ store: [UInt8], hashes: Int = 0, purpose: String = "manifest") -> [UInt8] {
    let id: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]
    return box(
      "uuid", id, number(0, bytes: 4), Array(purpose.utf8) + [0], number(hashes, bytes: 8), store)
  }

  // MARK: Elements

  /// With a size of four bytes.
  static func element(_ id: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap(\.self)
    return id + number(content.count | 0x1000_0000, bytes: 4) + content
  }

  static let header = element([0x1A, 0x45, 0xDF, 0xA3], Array("matroska".utf8))
  static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
  static let cluster = element([0x1F, 0x43, 0xB6, 0x75], [1, 2, 3])
  static let unknownSize: [UInt8] = [0x01] + [UInt8](repeating: 0xFF, count: 7)

  static func matroska(_ parts: [UInt8]...) -> [UInt8] { header + element(segment, parts.flatMap(\.self)) }

  static func tag(_ name: String, _ value: [UInt8], _ inner: [UInt8] = []) -> [UInt8] {
    element([0x67, 0xC8], element([0x45, 0xA3], Array(name.utf8)), element([0x44, 0x87], value), inner)
  }

  static func tags(_ tags: [UInt8]) -> [UInt8] {
    element([0x12, 0x54, 0xC3, 0x67], element([0x73, 0x73], tags))
  }

  static func attached(_ name: String, _ type: String, _ data: [UInt8]) -> [UInt8] {
    element(
      [0x19, 0x41, 0xA4, 0x69],
      element(
        [0x61, 0xA7], element([0x46, 0x6E], Array(name.utf8)), element([0x46, 0x60], Array(type.utf8)),
        element([0x46, 0x5C], data)))
  }
}
