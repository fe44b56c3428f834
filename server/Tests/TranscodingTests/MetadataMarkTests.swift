import Foundation
import Testing

@testable import PlatformTesting
@testable import Transcoding

/// Marks of AI beside boxes of the type uuid: in QuickTime's user data and metadata, and in Matroska.
@Suite struct MetadataMarkTests {
  private static let trained = Provenance(.trainedAlgorithmicMedia)
  private static let packet = Provenance.SourceType.trainedAlgorithmicMedia.packet
  private static let uri = Array(Provenance.SourceType.trainedAlgorithmicMedia.uri.utf8)
  private static let camera = Array("http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture".utf8)

  private static func reading<Value>(_ bytes: [UInt8], _ read: (URL) throws -> Value) throws -> Value {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    return try read(file)
  }

  // MARK: QuickTime

  private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    ManifestStore.box(type, parts.flatMap(\.self))
  }

  private static func movie(_ parts: [UInt8]...) throws -> Provenance {
    let bytes = box("ftyp", Array("qt  ".utf8)) + box("moov", parts.flatMap(\.self))
    return try reading(bytes) { try ISOFile(at: $0).provenance }
  }

  /// Items by their keys. `head`: version and flags, where there are some.
  private static func metadata(_ items: [(String, [UInt8])], head: [UInt8] = []) -> [UInt8] {
    let zero = ManifestStore.number(0, bytes: 4)
    let keys = items.flatMap { box("mdta", Array($0.0.utf8)) }
    let list: [UInt8] = items.enumerated().flatMap { place, item in
      let data = box("data", ManifestStore.number(1, bytes: 4), zero, item.1)
      return ManifestStore.number(data.count + 8, bytes: 4) + ManifestStore.number(place + 1, bytes: 4) + data
    }
    return box(
      "meta", head, box("hdlr", zero), box("keys", zero, ManifestStore.number(items.count, bytes: 4), keys),
      box("ilst", list))
  }

  @Test func aPacketInUserDataIsFound() throws {
    let xmp = Self.box("XMP_", Self.packet)
    #expect(try Self.movie(Self.box("udta", xmp)) == Self.trained)
    // Beside others, and with the zero that ends such a list.
    let others = Self.box("name", Array("Ann".utf8))
    #expect(
      try Self.movie(Self.box("free"), Self.box("udta", others, xmp, [0, 0, 0, 0])) == Self.trained)
    #expect(try Self.movie(Self.box("udta", [0, 0, 0, 0], xmp)) == Provenance())
    #expect(try Self.movie(xmp) == Provenance())
    let camera = Array("<a:DigitalSourceType>".utf8) + Self.camera
    #expect(try Self.movie(Self.box("udta", Self.box("XMP_", camera))) == Provenance())
  }

  @Test func anItemOfMetadataIsFoundByItsKeyOrByItsPacket() throws {
    let title = ("com.example.title", Array("Dawn".utf8))
    let named = [title, ("org.iptc.DigitalSourceType", Self.uri)]
    for head in [[], [0, 0, 0, 0]] as [[UInt8]] {
      #expect(try Self.movie(Self.metadata(named, head: head)) == Self.trained)
    }
    #expect(try Self.movie(Self.box("udta", Self.metadata(named))) == Self.trained)
    #expect(try Self.movie(Self.metadata([("digital_source_type", Self.uri)])) == Self.trained)
    #expect(try Self.movie(Self.metadata([("com.example.xmp", Self.packet)])) == Self.trained)
    // An address by itself says nothing of the file.
    #expect(try Self.movie(Self.metadata([("com.example.comment", Self.uri)])) == Provenance())
    #expect(try Self.movie(Self.metadata([("DigitalSourceType", Self.camera)])) == Provenance())
  }

  @Test func whatIsTooLargeIsNotRead() throws {
    let padding = [UInt8](repeating: 0x20, count: Provenance.mostBytes)
    let large = Self.box("udta", Self.box("XMP_", padding, Self.packet))
    #expect(try Self.movie(large) == Provenance())
    #expect(try Self.movie(large, Self.box("udta", Self.box("XMP_", Self.packet))) == Self.trained)
    #expect(try Self.movie(Self.metadata([("xmp", padding + Self.packet)])) == Provenance())
  }

  // MARK: Matroska

  /// With a size of four bytes.
  private static func element(_ id: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap(\.self)
    return id + ManifestStore.number(content.count | 0x1000_0000, bytes: 4) + content
  }

  private static let header = element([0x1A, 0x45, 0xDF, 0xA3], Array("matroska".utf8))
  private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]
  private static let cluster = element([0x1F, 0x43, 0xB6, 0x75], [1, 2, 3])
  private static let unknown: [UInt8] = [0x01] + [UInt8](repeating: 0xFF, count: 7)

  private static func tag(_ name: String, _ value: [UInt8], _ inner: [UInt8] = []) -> [UInt8] {
    element([0x67, 0xC8], element([0x45, 0xA3], Array(name.utf8)), element([0x44, 0x87], value), inner)
  }

  private static func tags(_ tags: [UInt8]) -> [UInt8] {
    element([0x12, 0x54, 0xC3, 0x67], element([0x73, 0x73], tags))
  }

  private static func attached(_ name: String, _ type: String, _ data: [UInt8]) -> [UInt8] {
    element(
      [0x19, 0x41, 0xA4, 0x69],
      element(
        [0x61, 0xA7], element([0x46, 0x6E], Array(name.utf8)), element([0x46, 0x60], Array(type.utf8)),
        element([0x46, 0x5C], data)))
  }

  private static func matroska(_ bytes: [UInt8]) throws -> Provenance {
    try reading(bytes) { try Provenance(ofMatroskaAt: $0) }
  }

  @Test func aTagIsFoundBehindTheMediaAndInOtherTags() throws {
    let named = Self.tag("DIGITAL_SOURCE_TYPE", Self.uri)
    for found in [named, Self.tag("XMP", Self.packet), Self.tag("TITLE", Array("Dawn".utf8), named)] {
      let body = Self.cluster + Self.tags(found) + Self.cluster
      #expect(try Self.matroska(Self.header + Self.element(Self.segment, body)) == Self.trained)
      #expect(try Self.matroska(Self.header + Self.segment + Self.unknown + body) == Self.trained)
    }
    for other in [Self.tag("COMMENT", Self.uri), Self.tag("DIGITAL_SOURCE_TYPE", Self.camera)] {
      #expect(try Self.matroska(Self.header + Self.element(Self.segment, Self.tags(other))) == Provenance())
    }
    // Behind a part whose size nobody knows.
    let open: [UInt8] = [0x1F, 0x43, 0xB6, 0x75] + Self.unknown
    let behind = Self.segment + Self.unknown + open + Self.tags(named)
    #expect(try Self.matroska(Self.header + behind) == Provenance())
  }

  @Test func anAttachedPacketIsFoundAndTheMarkOfAPictureIsNot() throws {
    for (name, type, found) in [
      ("clip.xmp", "text/plain", Self.trained), ("clip", "application/rdf+xml", Self.trained),
      ("cover.jpg", "image/jpeg", Provenance()),
    ] {
      let body = Self.attached(name, type, Self.packet)
      #expect(try Self.matroska(Self.header + Self.element(Self.segment, body)) == found, "\(name)")
    }
  }

  @Test func tagsThatLieInOneAnotherToAnyDepthAreReadToTheirEnd() throws {
    var inner = Self.tag("DIGITAL_SOURCE_TYPE", Self.uri)
    for _ in 0..<500 { inner = Self.element([0x67, 0xC8], inner) }
    #expect(try Self.matroska(Self.header + Self.element(Self.segment, Self.tags(inner))) == Self.trained)
    let large = Self.tag("XMP", [UInt8](repeating: 0x20, count: Provenance.mostBytes) + Self.packet)
    #expect(try Self.matroska(Self.header + Self.element(Self.segment, Self.tags(large))) == Provenance())
  }

  @Test func damagedFilesAreReadToTheirEnd() throws {
    let movie =
      Self.box("ftyp", Array("qt  ".utf8))
      + Self.box("moov", Self.box("udta", Self.metadata([("a", Self.packet)]), Self.box("XMP_", Self.packet)))
    let matroska =
      Self.header
      + Self.element(
        Self.segment, Self.tags(Self.tag("XMP", Self.packet)) + Self.attached("a.xmp", "", Self.packet))
    var chance = SplitMix(state: 11)
    for round in 0..<600 {
      var bytes = round % 2 == 0 ? movie : matroska
      for _ in 0..<4 {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &chance) ?? 0
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance))
      _ = try Self.reading(bytes) { url in
        try (ISOFile(at: url).provenance, Provenance(ofMatroskaAt: url))
      }
    }
  }
}
